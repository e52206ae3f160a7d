// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/requests.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <charconv>

#include "control/client/replica_json.h"
#include "runtime/net/utf8.h"

namespace souk::partner {

namespace {

namespace json = boost::json;

constexpr size_t kMaxAddress = 2048;
constexpr size_t kMaxName = 100;
constexpr size_t kMaxRegions = 100;
constexpr size_t kMaxPairs = 8;
constexpr size_t kMaxToken = 200;
constexpr uint64_t kMinPeriod = 60;
constexpr uint64_t kMaxPeriod = 604'800;

std::unexpected<Error> wrong(std::string message, std::string_view argument) {
  return fail(ErrorCode::kInvalidArgument, std::move(message), net::to_valid_utf8(argument.substr(0, kMaxName)));
}

bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<uint64_t> parse_number(std::string_view text) {
  uint64_t number = 0;
  const auto [stopped, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || stopped != text.data() + text.size()) return std::nullopt;
  return number;
}

// The object, all of whose members are known.
Result<json::object> parse_known(std::string_view text, const std::vector<std::string_view>& known) {
  auto object = control::parse_object(text);
  if (!object) return object;
  for (const auto& member : *object) {
    if (std::ranges::find(known, std::string_view(member.key())) == known.end()) {
      return wrong("unknown field", member.key());
    }
  }
  return object;
}

Result<std::vector<std::string>> decode_regions(const json::value& value) {
  if (!value.is_array() || value.get_array().size() > kMaxRegions) {
    return wrong("must be a list of at most 100 regions", "regions");
  }
  std::vector<std::string> regions;
  for (const json::value& each : value.get_array()) {
    const std::string_view name = each.is_string() ? std::string_view(each.get_string()) : std::string_view();
    if (name.empty() || name.size() > kMaxName || has_control(name)) {
      return wrong("a region must be a text of 1 to 100 bytes without control characters", "regions");
    }
    if (std::ranges::find(regions, name) != regions.end()) return wrong("names a region twice", "regions");
    regions.emplace_back(name);
  }
  return regions;
}

Status decode_address(const json::object& object, const char* name, SettingsChange& change) {
  if (object.if_contains(name) == nullptr) return {};
  auto url = control::text_member(object, name, kMaxAddress);
  if (!url) return std::unexpected(url.error());
  if (const Status good = check_address(*url, name); !good) return good;
  change.feed_url = std::move(*url);
  return {};
}

Status decode_mode(const json::object& object, SettingsChange& change) {
  const json::value* value = object.if_contains("mode");
  if (value == nullptr) return {};
  if (value->is_string()) change.mode = feed::parse_mode(std::string_view(value->get_string()));
  if (!change.mode) return wrong("must be strict or lenient", "mode");
  return {};
}

Status decode_period(const json::object& object, SettingsChange& change) {
  if (object.if_contains("period_seconds") == nullptr) return {};
  const auto period = control::number_member(object, "period_seconds", kMaxPeriod);
  if (!period || *period < kMinPeriod) return wrong("must be a whole number in 60..604800", "period_seconds");
  change.period_seconds = static_cast<uint32_t>(*period);
  return {};
}

Result<SettingsChange> decode_change(const json::object& object, const char* url_name) {
  SettingsChange change;
  if (const Status url = decode_address(object, url_name, change); !url) return std::unexpected(url.error());
  if (const Status mode = decode_mode(object, change); !mode) return std::unexpected(mode.error());
  if (const Status period = decode_period(object, change); !period) return std::unexpected(period.error());
  if (const json::value* value = object.if_contains("regions")) {
    auto regions = decode_regions(*value);
    if (!regions) return std::unexpected(regions.error());
    change.regions = std::move(*regions);
  }
  return change;
}

Status check_shop_name(std::string_view name) {
  if (!name.empty() && name.size() <= kMaxName && !has_control(name)) return {};
  return wrong("must have 1 to 100 bytes, none of them a control character", "name");
}

}  // namespace

void SettingsChange::apply(offers::ShopSettings& settings) const {
  if (feed_url) settings.feed_url = *feed_url;
  if (mode) settings.mode = *mode;
  if (period_seconds) settings.period_seconds = *period_seconds;
  if (regions) settings.regions = *regions;
}

Result<SettingsChange> decode_feed_change(std::string_view text) {
  const auto object = parse_known(text, {"url", "mode", "period_seconds"});
  if (!object) return std::unexpected(object.error());
  if (object->empty()) return wrong("must name at least one of url, mode and period_seconds", "");
  return decode_change(*object, "url");
}

Result<SettingsChange> decode_settings(std::string_view text) {
  const auto object = parse_known(text, {"feed_url", "mode", "period_seconds", "regions"});
  if (!object) return std::unexpected(object.error());
  if (object->empty()) return wrong("must name at least one of feed_url, mode, period_seconds and regions", "");
  return decode_change(*object, "feed_url");
}

Result<NewShop> decode_new_shop(std::string_view text) {
  const auto object = parse_known(text, {"name", "feed_url", "mode", "period_seconds", "regions"});
  if (!object) return std::unexpected(object.error());
  auto name = control::text_member(*object, "name", kMaxName);
  if (!name) return std::unexpected(name.error());
  if (const Status good = check_shop_name(*name); !good) return std::unexpected(good.error());
  auto settings = decode_change(*object, "feed_url");
  if (!settings) return std::unexpected(settings.error());
  return NewShop{std::move(*name), std::move(*settings)};
}

Result<std::string> decode_check(std::string_view text) {
  const auto object = parse_known(text, {"url"});
  if (!object) return std::unexpected(object.error());
  auto url = control::text_member(*object, "url", kMaxAddress);
  if (!url) return url;
  if (const Status good = check_address(*url, "url"); !good) return std::unexpected(good.error());
  return url;
}

Status check_address(std::string_view url, std::string_view argument) {
  if (url.size() > kMaxAddress) return wrong("an address has at most 2048 bytes", argument);
  const std::string scheme = lower(url.substr(0, 8));
  const size_t begin = scheme.starts_with("https://") ? 8 : scheme.starts_with("http://") ? 7 : 0;
  if (begin == 0) return wrong("must be an address that begins with http:// or https://", argument);
  const std::string_view host = url.substr(begin, url.find_first_of("/?#\\", begin) - begin);
  if (host.empty() || host.starts_with(':')) return wrong("the address has no host", argument);
  if (host.contains('@')) return wrong("the address must not hold a user name or password", argument);
  if (has_control(url) || url.contains(' ')) return wrong("the address has a blank or control character", argument);
  return {};
}

Result<std::string> decode_shop_name(std::string_view segment) {
  // '+' means itself in a path, '&' and '=' part nothing.
  std::string pair = "name=";
  for (const char c : segment) {
    if (c == '+' || c == '&' || c == '=') {
      pair += net::percent_encode({&c, 1});
    } else {
      pair += c;
    }
  }
  auto decoded = net::parse_query(pair, 1);
  if (!decoded) return std::unexpected(decoded.error());
  if (const Status good = check_shop_name(decoded->front().value); !good) return std::unexpected(good.error());
  return std::move(decoded->front().value);
}

Result<uint64_t> decode_run_number(std::string_view segment) {
  const auto number = parse_number(segment);
  if (!number || *number == 0) return wrong("must be a whole number from 1", "run");
  return *number;
}

Result<ListRange> decode_range(std::string_view query) {
  const auto pairs = decode_pairs(query, {"from", "limit"});
  if (!pairs) return std::unexpected(pairs.error());
  ListRange range;
  for (const net::QueryPair& pair : *pairs) {
    const auto number = parse_number(pair.value);
    if (pair.name == "from") {
      if (!number) return wrong("must be a whole number from 0", "from");
      range.from = *number;
    } else {
      if (!number || *number == 0 || *number > ListRange::kMost)
        return wrong("must be a whole number in 1..10000", "limit");
      range.limit = *number;
    }
  }
  return range;
}

Result<std::vector<net::QueryPair>> decode_pairs(std::string_view text, const std::vector<std::string_view>& known) {
  auto pairs = net::parse_query(text, kMaxPairs);
  if (!pairs) return pairs;
  for (const net::QueryPair& pair : *pairs) {
    if (std::ranges::find(known, pair.name) == known.end()) return wrong("unknown argument", pair.name);
    if (std::ranges::count(*pairs, pair.name, &net::QueryPair::name) > 1) return wrong("is given twice", pair.name);
  }
  return pairs;
}

std::string find_pair(const std::vector<net::QueryPair>& pairs, std::string_view name) {
  const auto found = std::ranges::find(pairs, name, &net::QueryPair::name);
  return found == pairs.end() ? std::string() : found->value;
}

std::string peer_of(const net::Request& request) {
  if (!net::is_loopback({request.peer_ip, 0})) return request.peer_ip;
  std::string_view forwarded;
  for (const net::Header& header : request.headers) {
    if (header.name == "x-forwarded-for") forwarded = header.value;
  }
  const std::string last(trim(forwarded.substr(forwarded.rfind(',') + 1)));
  const auto client = net::parse_endpoint((last.contains(':') ? "[" + last + "]" : last) + ":0");
  return client ? client->ip : request.peer_ip;
}

std::string bearer_token(const net::Request& request) {
  const std::string_view value = request.header("authorization");
  constexpr std::string_view kScheme = "bearer ";
  if (lower(value.substr(0, kScheme.size())) != kScheme) return {};
  const std::string_view token = trim(value.substr(kScheme.size()));
  return token.size() <= kMaxToken ? std::string(token) : std::string();
}

std::string cookie(const net::Request& request, std::string_view name) {
  std::string_view rest = request.header("cookie");
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view pair = trim(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('=')) {
      return std::string(pair.substr(name.size() + 1));
    }
  }
  return {};
}

bool is_same_origin(const net::Request& request) {
  const std::string_view origin = request.header("origin");
  if (origin.empty()) return request.header("sec-fetch-site") == "same-origin";
  // The scheme is left out: TLS may end in front of this server.
  const size_t scheme = origin.find("://");
  return scheme != std::string_view::npos && !request.header("host").empty() &&
         lower(origin.substr(scheme + 3)) == lower(request.header("host"));
}

}  // namespace souk::partner
