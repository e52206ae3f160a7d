// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "indexer/feed/read_options.h"
#include "indexer/input/fault.h"

namespace souk::feed {

// Kinds are the names of FEEDS.md section 5 ("missing_price", "truncated", …): stable, for programs.
struct OfferError {
  uint64_t line = 0;
  std::string id;  // empty when the offer has none
  std::string kind;
  std::string message;
};

using FeedError = input::Fault;  // no kind = the feed was accepted

// What became of one reading of a feed. The lists keep the first kKept entries; the counts are always whole.
struct Report {
  static constexpr size_t kKept = 100'000;

  std::string shop;  // the name it is registered by
  std::string file;  // path or address
  Mode mode = Mode::kStrict;
  Format format = Format::kUnknown;
  std::string date;        // FeedHeader's
  bool unchanged = false;  // the same bytes as last time: nothing was read
  FeedError feed_error;
  uint64_t accepted = 0;  // 0 when the feed is refused
  uint64_t rejected = 0;
  std::vector<OfferError> errors;
  std::vector<OfferError> warnings;
  uint64_t warning_count = 0;
  std::map<std::string, uint64_t> error_kinds, warning_kinds;  // how often each, whole
  // Lenient repairs of values that need no warning ("price_repaired"), how often each.
  std::map<std::string, uint64_t> repairs;
  uint64_t added = 0, changed = 0, removed = 0;  // the difference to the shop's earlier offers

  bool ok() const { return feed_error.kind.empty(); }
  void reject(OfferError error);
  void warn(OfferError warning);
  void repair(const char* kind);
};

// An object with one error or warning to the line.
std::string to_json(const Report& report);

}  // namespace souk::feed
