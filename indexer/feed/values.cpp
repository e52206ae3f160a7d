// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/values.h"

#include <fmt/core.h>

#include <algorithm>

#include "indexer/feed/utf8.h"

namespace souk::feed {
namespace {

constexpr int64_t kMaxPrice = 1'000'000'000'000'000;
constexpr size_t kMaxUrl = 512;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

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

}  // namespace

std::optional<int64_t> parse_price(std::string_view text) {
  int64_t value = 0;
  size_t at = 0;
  while (at < text.size() && is_digit(text[at])) {
    value = value * 10 + (text[at++] - '0');
    if (value > kMaxPrice / 100) return std::nullopt;
  }
  if (at == 0) return std::nullopt;
  value *= 100;
  if (at == text.size()) return value;
  if (text[at] != '.' || at + 1 == text.size()) return std::nullopt;
  const std::string_view fraction = text.substr(at + 1);
  if (!std::ranges::all_of(fraction, is_digit)) return std::nullopt;
  value += (fraction[0] - '0') * 10;
  if (fraction.size() > 1) value += fraction[1] - '0';
  if (fraction.size() > 2 && fraction[2] >= '5') ++value;
  return value <= kMaxPrice ? std::optional(value) : std::nullopt;
}

bool is_web_url(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || !text.substr(colon).starts_with("://")) return false;
  std::string scheme(text.substr(0, colon));
  for (char& c : scheme) c = static_cast<char>(c | 0x20);
  if (scheme != "http" && scheme != "https") return false;
  const std::string_view rest = text.substr(colon + 3);
  if (rest.empty() || rest[0] == '/' || rest[0] == '?' || rest[0] == '#') return false;
  if (bytes_of_characters(text, kMaxUrl) < text.size()) return false;
  return std::ranges::none_of(text, [](char c) {
    return (static_cast<uint8_t>(c) <= 0x20) || c == 0x7F || c == '"' || c == '<' || c == '>' || c == '\\';
  });
}

bool is_barcode(std::string_view text) {
  if (text.size() != 8 && text.size() != 12 && text.size() != 13) return false;
  if (!std::ranges::all_of(text, is_digit)) return false;
  if (std::ranges::all_of(text, [](char c) { return c == '0'; })) return false;
  int sum = 0;
  for (size_t i = 0; i < text.size(); ++i) sum += (text[text.size() - 1 - i] - '0') * (i % 2 == 1 ? 3 : 1);
  return sum % 10 == 0;
}

std::string currency_code(std::string_view text) {
  if (text.size() != 3) return {};
  std::string code;
  for (const char c : text) {
    const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    if (upper < 'A' || upper > 'Z') return {};
    code += upper;
  }
  return code == "RUR" ? "RUB" : code;
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

}  // namespace souk::feed
