// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace souk::feed {

// Values as a feed writes them, by the documented rules. All take text with white space folded.

// Digits with an optional fraction after a dot -> hundredths, rounded half up; up to 10^15.
std::optional<int64_t> parse_price(std::string_view text);

// Absolute, http or https, at most 512 characters, without blanks, quotes, angle brackets or control characters.
bool is_web_url(std::string_view text);

// 8, 12 or 13 digits with a right check digit, not all zero (EAN-8, UPC-A, EAN-13).
bool is_barcode(std::string_view text);

// Three Latin letters in any case -> ISO 4217 code, RUR as RUB; empty when it is something else.
std::string currency_code(std::string_view text);

// Catalogue dates: "2026-01-10 12:00" and RFC 3339 are documented, "2026-01-10" and "2026-01-10 9:50" are met.
struct FeedDate {
  std::string text;  // "2026-01-10T12:00" as the shop's clock shows it; empty when it cannot be read
  bool standard = false;
};
FeedDate parse_date(std::string_view text);

}  // namespace souk::feed
