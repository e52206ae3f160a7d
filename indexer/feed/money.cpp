// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/money.h"

#include <algorithm>
#include <array>

#include "core/base/ascii.h"
#include "indexer/feed/offer.h"

namespace souk::feed {
namespace {

// By code.
constexpr std::string_view kCurrencies =
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BYR BZD CAD CDF "
    "CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL "
    "HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL "
    "MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON "
    "RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH "
    "UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL";

// An amount cut at its separators: "15,550.00" = 15|550|00 and ",.".
struct Groups {
  static constexpr size_t kMax = 8;
  std::array<std::string_view, kMax> digits;
  std::array<char, kMax> separators{};
  size_t count = 0;  // of digits; one separator fewer
};

std::optional<Groups> cut_groups(std::string_view text) {
  Groups groups;
  while (groups.count < Groups::kMax) {
    size_t length = 0;
    while (length < text.size() && is_digit(text[length])) ++length;
    if (length == 0) return std::nullopt;
    groups.digits[groups.count++] = text.substr(0, length);
    if (length == text.size()) return groups;
    const char separator = text[length];
    if (separator != ' ' && separator != ',' && separator != '.') return std::nullopt;
    groups.separators[groups.count - 1] = separator;
    text.remove_prefix(length + 1);
  }
  return std::nullopt;
}

// How many of the groups are the whole part; nothing when that can be read in more ways than one, or in none.
std::optional<size_t> whole_groups(const Groups& groups) {
  const size_t separators = groups.count - 1;
  const char last = groups.separators[separators - 1];
  const char first = groups.separators[0];
  if (last == first) {
    if (last == ' ' || separators > 1) return groups.count;  // all part thousands
    return groups.digits[1].size() == 3 ? std::nullopt : std::optional<size_t>(1);
  }
  return last == ' ' ? std::nullopt : std::optional(groups.count - 1);
}

}  // namespace

std::optional<int64_t> parse_price(std::string_view text) {
  constexpr int64_t kMax = OfferLimits::kPrice;
  int64_t value = 0;
  size_t at = 0;
  while (at < text.size() && is_digit(text[at])) {
    value = value * 10 + (text[at++] - '0');
    if (value > kMax / 100) return std::nullopt;
  }
  if (at == 0) return std::nullopt;
  value *= 100;
  if (at == text.size()) return value <= kMax ? std::optional(value) : std::nullopt;
  if (text[at] != '.' || at + 1 == text.size()) return std::nullopt;
  const std::string_view fraction = text.substr(at + 1);
  if (!std::ranges::all_of(fraction, is_digit)) return std::nullopt;
  value += (fraction[0] - '0') * 10;
  if (fraction.size() > 1) value += fraction[1] - '0';
  if (fraction.size() > 2 && fraction[2] >= '5') ++value;
  return value <= kMax ? std::optional(value) : std::nullopt;
}

std::optional<int64_t> parse_price_leniently(std::string_view text) {
  if (const auto price = parse_price(text)) return price;
  const auto groups = cut_groups(text);
  if (!groups || groups->count < 2) return std::nullopt;
  const auto whole = whole_groups(*groups);
  if (!whole) return std::nullopt;
  std::string plain(groups->digits[0]);
  if (*whole > 1 && plain.size() > 3) return std::nullopt;
  for (size_t i = 1; i < *whole; ++i) {
    if (groups->digits[i].size() != 3 || groups->separators[i - 1] != groups->separators[0]) return std::nullopt;
    plain += groups->digits[i];
  }
  if (*whole < groups->count) {
    const std::string_view fraction = groups->digits[*whole];
    if (fraction.size() > 2) return std::nullopt;
    plain += '.';
    plain += fraction;
  }
  return parse_price(plain);
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

bool is_iso_currency(std::string_view code) {
  static_assert(kCurrencies.size() % 4 == 3);
  if (code.size() != 3) return false;
  size_t low = 0;
  size_t high = (kCurrencies.size() + 1) / 4;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    const std::string_view there = kCurrencies.substr(middle * 4, 3);
    if (there == code) return true;
    if (there < code) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return false;
}

std::expected<Money, const char*> parse_money(std::string_view text, Mode mode) {
  const bool lenient = mode == Mode::kLenient;
  const auto amount_of = [&](std::string_view number) {
    return lenient ? parse_price_leniently(number) : parse_price(number);
  };
  Money money;
  std::string_view number = text;
  if (text.size() > 4 && text[text.size() - 4] == ' ') money.currency = currency_code(text.substr(text.size() - 3));
  if (!money.currency.empty()) {
    number = text.substr(0, text.size() - 4);
  } else if (lenient && text.size() > 4 && text[3] == ' ') {
    money.currency = currency_code(text.substr(0, 3));
    if (!money.currency.empty()) number = text.substr(4);
  }
  const auto amount = amount_of(number);
  if (!amount) return std::unexpected("bad_price");
  if (money.currency.empty()) return std::unexpected("price_no_currency");
  if (!is_iso_currency(money.currency)) return std::unexpected("unknown_currency");
  money.amount = *amount;
  money.repaired = lenient && (number.begin() != text.begin() || !parse_price(number));
  return money;
}

}  // namespace souk::feed
