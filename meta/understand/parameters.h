// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ids.h"
#include "core/wire/shard.pb.h"
#include "runtime/net/http.h"

namespace souk::understand {

// Bounds of a request (docs/api.md).
inline constexpr size_t kMaxPairs = 512;
inline constexpr size_t kMaxTextBytes = 512;
inline constexpr size_t kMaxValues = 256;  // of one filter
inline constexpr uint32_t kMaxPerPage = 100;
inline constexpr uint32_t kDefaultPerPage = 20;
inline constexpr uint32_t kMaxDepth = 10'000;      // page x per_page; beyond by cursor
inline constexpr uint32_t kMaxDebugDepth = 1'000;  // with debug, for which every hit's terms are sent

// The arguments of /search and /offers, parsed and bounded but not yet looked up in any generation.
struct Parameters {
  std::string text;
  std::vector<std::string> categories, vendors, shops;
  std::optional<DocKey> model;
  std::optional<int64_t> price_from, price_to;  // minor units
  bool in_stock = false;
  std::vector<std::string> regions;  // of the buyer
  uint32_t ways = 0;                 // flags of which an offer must have one (core/index/fields.h); 0 = any
  bool adult = true;
  std::optional<std::string> place;                                      // apply_place
  std::vector<std::pair<std::string, std::vector<std::string>>> params;  // by folded name, in order of appearance
  wire::Sort sort = wire::SORT_RELEVANCE;
  wire::Group group = wire::GROUP_MODEL;
  uint32_t min_match = 0;                          // words that a document must have; 0 = all
  std::optional<std::vector<std::string>> facets;  // absent = the market's choice
  wire::Totals totals = wire::TOTALS_EXACT;        // else there are no facets
  uint32_t page = 1;                               // with a cursor: the one it leads to
  std::optional<std::string> cursor;               // as given
  uint32_t per_page = kDefaultPerPage;
  bool debug = false;
  std::set<std::string> given;        // arguments that may stand once, and did
  std::vector<std::string> warnings;  // arguments nobody knows: a misspelt filter must not return everything silently
};

// What stands in arguments and in market.toml; nothing for any other word.
std::optional<wire::Sort> sort_called(std::string_view word);
std::optional<wire::Group> group_called(std::string_view word);
std::optional<uint32_t> way_called(std::string_view word);

// kInvalidArgument when page and page size go too deep together.
Status check_depth(const Parameters& parameters);

// kInvalidArgument naming the argument. query is the request's, still encoded.
Result<Parameters> parse_parameters(std::string_view query);

}  // namespace souk::understand
