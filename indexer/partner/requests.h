// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "indexer/offers/offer_store.h"
#include "runtime/net/http.h"

// Bodies, paths and headers of requests, checked and turned into values. Pure functions over hostile bytes; what is
// wrong is kInvalidArgument with the field's name. A field that is not known is an error.
namespace souk::partner {

// What a request wants of a shop's settings; what it leaves out stays as it is.
struct SettingsChange {
  std::optional<std::string> feed_url;
  std::optional<feed::Mode> mode;
  std::optional<uint32_t> period_seconds;
  std::optional<std::vector<std::string>> regions;

  void apply(offers::ShopSettings& settings) const;
  bool operator==(const SettingsChange&) const = default;
};

struct NewShop {
  std::string name;
  SettingsChange settings;
};

Result<SettingsChange> decode_feed_change(
    std::string_view json);                                     // {url, mode, period_seconds}: what a shop may change
Result<SettingsChange> decode_settings(std::string_view json);  // {feed_url, mode, period_seconds, regions}
Result<NewShop> decode_new_shop(std::string_view json);         // the same with name
Result<std::string> decode_check(std::string_view json);        // {url}

// An http or https address without credentials, at most 2048 bytes.
Status check_address(std::string_view url, std::string_view argument);

// A part of a path, percent-decoded: 1..100 bytes of UTF-8 without control characters.
Result<std::string> decode_shop_name(std::string_view segment);
// A run's number, from 1.
Result<uint64_t> decode_run_number(std::string_view segment);

// Which entries of a report's lists are wanted: ?from=0&limit=1000.
struct ListRange {
  static constexpr uint64_t kMost = 10'000;

  uint64_t from = 0;
  uint64_t limit = 1000;
};
Result<ListRange> decode_range(std::string_view query);

// Fields of a form (application/x-www-form-urlencoded) or arguments of a query: each once, all of them known.
Result<std::vector<net::QueryPair>> decode_pairs(std::string_view text, const std::vector<std::string_view>& known);
std::string find_pair(const std::vector<net::QueryPair>& pairs, std::string_view name);  // empty when absent

// The address the request comes from. A proxy on this very machine is believed: then it is the last one of
// X-Forwarded-For.
std::string peer_of(const net::Request& request);
// The token of "Authorization: Bearer TOKEN"; empty when there is none that could be one.
std::string bearer_token(const net::Request& request);
// The value of a cookie; empty when absent.
std::string cookie(const net::Request& request, std::string_view name);
// Whether the browser says that a page of this very host sent the form: by Origin, or by Sec-Fetch-Site without it.
bool is_same_origin(const net::Request& request);

}  // namespace souk::partner
