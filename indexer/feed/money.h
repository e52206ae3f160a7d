// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "indexer/feed/read_options.h"

namespace souk::feed {

// Amounts as a feed writes them. All take text with white space folded.

// Digits with an optional fraction after a dot -> hundredths, rounded half up; up to OfferLimits::kPrice.
std::optional<int64_t> parse_price(std::string_view text);

// Also "490,00", "12 990", "15,550.00", "15.550,00", "1,234,567": whatever can be read in one way only. So not "1,234".
std::optional<int64_t> parse_price_leniently(std::string_view text);

// Three Latin letters in any case -> currency code, RUR as RUB; empty when it is something else.
std::string currency_code(std::string_view text);

// Whether ISO 4217 has the code (those of money in use, and BYR, which is not BYN).
bool is_iso_currency(std::string_view code);

struct Money {
  int64_t amount = 0;  // hundredths
  std::string currency;
  bool repaired = false;
};

// "15.00 USD"; leniently also "USD 15.00" and the forms of parse_price_leniently. The error is its kind: bad_price,
// price_no_currency, unknown_currency.
std::expected<Money, const char*> parse_money(std::string_view text, Mode mode);

}  // namespace souk::feed
