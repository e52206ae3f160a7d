// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/values.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "core/base/ascii.h"
#include "indexer/feed/money.h"
#include "indexer/feed/plain_text.h"
#include "indexer/input/utf8.h"

namespace souk::feed {
namespace {

// Reads min..max digits off the front; -1 when they are not there.
int take_number(std::string_view& text, size_t min, size_t max) {
  size_t length = 0;
  int value = 0;
  while (length < text.size() && length < max && is_digit(text[length])) value = value * 10 + (text[length++] - '0');
  if (length < min) return -1;
  text.remove_prefix(length);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// What may follow hours and minutes: ":ss", then "Z" or "+03:00".
bool is_rfc3339_tail(std::string_view text) {
  if (take(text, ':') && take_number(text, 2, 2) < 0) return false;
  if (text.empty() || text == "Z") return true;
  if (!take(text, '+') && !take(text, '-')) return false;
  return take_number(text, 2, 2) >= 0 && take(text, ':') && take_number(text, 2, 2) >= 0 && text.empty();
}

// "+0100", "+01:00", "+01", "Z" or nothing -> seconds east of UTC.
std::optional<int64_t> take_zone(std::string_view text) {
  if (text.empty() || text == "Z") return 0;
  const int64_t sign = text[0] == '-' ? -1 : 1;
  if (!take(text, '+') && !take(text, '-')) return std::nullopt;
  const int hours = take_number(text, 2, 2);
  take(text, ':');
  const int minutes = text.empty() ? 0 : take_number(text, 2, 2);
  if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59 || !text.empty()) return std::nullopt;
  return sign * (hours * 3600 + minutes * 60);
}

}  // namespace

bool is_web_url(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || !text.substr(colon).starts_with("://")) return false;
  const std::string_view scheme = text.substr(0, colon);
  const auto is = [&](std::string_view name) {
    return std::ranges::equal(scheme, name, [](char a, char b) { return static_cast<char>(a | 0x20) == b; });
  };
  if (!is("http") && !is("https")) return false;
  const std::string_view rest = text.substr(colon + 3);
  if (rest.empty() || rest[0] == '/' || rest[0] == '?' || rest[0] == '#') return false;
  if (text.size() > OfferLimits::kUrl && input::bytes_of_characters(text, OfferLimits::kUrl) < text.size()) {
    return false;
  }
  return std::ranges::none_of(text, [](char c) {
    return (static_cast<uint8_t>(c) <= 0x20) || c == 0x7F || c == '"' || c == '<' || c == '>' || c == '\\';
  });
}

bool is_barcode(std::string_view text) {
  if (text.size() != 8 && (text.size() < 12 || text.size() > 14)) return false;
  if (!std::ranges::all_of(text, is_digit)) return false;
  if (std::ranges::all_of(text, [](char c) { return c == '0'; })) return false;
  int sum = 0;
  for (size_t i = 0; i < text.size(); ++i) sum += (text[text.size() - 1 - i] - '0') * (i % 2 == 1 ? 3 : 1);
  return sum % 10 == 0;
}

std::optional<bool> parse_flag(std::string_view text, Mode mode) {
  if (text == "true") return true;
  if (text == "false") return false;
  if (mode == Mode::kStrict || text.empty() || text.size() > 20) return std::nullopt;
  if (std::ranges::all_of(text, is_digit)) return !std::ranges::all_of(text, [](char c) { return c == '0'; });
  const std::string word = to_lower(text);
  if (word == "true" || word == "yes" || word == "да" || word == "Да" || word == "ДА") return true;
  if (word == "false" || word == "no" || word == "нет" || word == "Нет" || word == "НЕТ") return false;
  return std::nullopt;
}

std::optional<DeliveryOption> parse_delivery_option(const RawDeliveryOption& raw, Mode mode) {
  DeliveryOption option;
  const std::string cost_text = space_folded(raw.cost);
  const auto cost = mode == Mode::kLenient ? parse_price_leniently(cost_text) : parse_price(cost_text);
  if (!cost) return std::nullopt;
  option.cost = *cost;
  const std::string days_text = space_folded(raw.days);
  std::string_view days = days_text;
  const int from = take_number(days, 1, 3);
  const int to = take(days, '-') ? take_number(days, 1, 3) : from;
  const int most = mode == Mode::kLenient ? 255 : 31;
  if (from < 0 || to < from || to > most || !days.empty()) return std::nullopt;
  option.days_from = static_cast<uint16_t>(from);
  option.days_to = static_cast<uint16_t>(to);
  const std::string hour_text = space_folded(raw.order_before);
  if (hour_text.empty()) return option;
  std::string_view hour = hour_text;
  const int before = take_number(hour, 1, 2);
  if (before < 0 || before > 24 || !hour.empty()) return std::nullopt;
  option.order_before = static_cast<uint8_t>(before);
  return option;
}

std::optional<Availability> parse_availability(std::string_view text, Mode mode) {
  static constexpr std::array<std::pair<std::string_view, Availability>, 9> kNames{{
      {"in_stock", Availability::kInStock},
      {"in stock", Availability::kInStock},
      {"out_of_stock", Availability::kOutOfStock},
      {"out of stock", Availability::kOutOfStock},
      {"preorder", Availability::kPreorder},
      {"backorder", Availability::kBackorder},
      // Leniently, after '-' and ' ' became '_':
      {"pre_order", Availability::kPreorder},
      {"back_order", Availability::kBackorder},
      {"instock", Availability::kInStock},
  }};
  constexpr size_t kDocumented = 6;
  for (size_t i = 0; i < kDocumented; ++i) {
    if (text == kNames[i].first) return kNames[i].second;
  }
  if (mode == Mode::kStrict || text.size() > 20) return std::nullopt;
  std::string name = to_lower(text);
  std::ranges::replace(name, ' ', '_');
  std::ranges::replace(name, '-', '_');
  for (const auto& [known, availability] : kNames) {
    if (name == known) return availability;
  }
  return std::nullopt;
}

FeedDate parse_date(std::string_view text) {
  const int year = take_number(text, 4, 4);
  const int month = take(text, '-') ? take_number(text, 2, 2) : -1;
  const int day = take(text, '-') ? take_number(text, 2, 2) : -1;
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > 31) return {};
  if (text.empty()) return {fmt::format("{:04}-{:02}-{:02}T00:00", year, month, day), false};
  if (!take(text, ' ') && !take(text, 'T')) return {};
  const bool two_digits = text.size() >= 2 && text[1] != ':';
  const int hour = take_number(text, 1, 2);
  const int minute = take(text, ':') ? take_number(text, 2, 2) : -1;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || !is_rfc3339_tail(text)) return {};
  return {fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}", year, month, day, hour, minute), two_digits};
}

std::optional<int64_t> parse_instant(std::string_view text) {
  const int year = take_number(text, 4, 4);
  const int month = take(text, '-') ? take_number(text, 2, 2) : -1;
  const int day = take(text, '-') ? take_number(text, 2, 2) : -1;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (year < 1 || month < 1 || day < 1 || !date.ok()) return std::nullopt;
  const int64_t midnight = std::chrono::sys_days(date).time_since_epoch() / std::chrono::seconds(1);
  if (text.empty()) return midnight;
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  const int hour = take_number(text, 2, 2);
  const int minute = take(text, ':') ? take_number(text, 2, 2) : -1;
  const int second = take(text, ':') ? take_number(text, 2, 2) : 0;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return std::nullopt;
  const auto zone = take_zone(text);
  if (!zone) return std::nullopt;
  return midnight + hour * 3600 + minute * 60 + second - *zone;
}

std::optional<Interval> parse_interval(std::string_view text) {
  const size_t stroke = text.find('/');
  if (stroke == std::string_view::npos) return std::nullopt;
  const std::string from_text = space_folded(text.substr(0, stroke));
  const std::string to_text = space_folded(text.substr(stroke + 1));
  const auto from = parse_instant(from_text);
  auto to = parse_instant(to_text);
  if (!from || !to) return std::nullopt;
  constexpr size_t kDateAlone = 10;
  if (to_text.size() == kDateAlone) *to += 24 * 3600;
  if (*to < *from) return std::nullopt;
  return Interval{*from, *to};
}

}  // namespace souk::feed
