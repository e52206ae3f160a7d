// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "indexer/feed/offer.h"
#include "indexer/feed/raw_offer.h"
#include "indexer/feed/read_options.h"

namespace souk::feed {

// Values as a feed writes them (amounts: money.h). All take text with white space folded.

// Absolute, http or https, at most 512 characters, without blanks, quotes, angle brackets or control characters.
bool is_web_url(std::string_view text);

// 8, 12, 13 or 14 digits with a right check digit, not all zero (EAN-8, UPC-A, EAN-13, GTIN-14).
bool is_barcode(std::string_view text);

// "true" or "false"; leniently also 1, 0, yes, no and their likes in any case, and counts of what is in stock.
std::optional<bool> parse_flag(std::string_view text, Mode mode);

// Days are "3" or "2-4", strictly up to 31; no hour to order before = any. Texts need not be folded.
std::optional<DeliveryOption> parse_delivery_option(const RawDeliveryOption& raw, Mode mode);

// "in_stock", "in stock" and so on; leniently in any case and with hyphens.
std::optional<Availability> parse_availability(std::string_view text, Mode mode);

// Catalogue dates: "2026-01-10 12:00" and RFC 3339 are documented, "2026-01-10" and "2026-01-10 9:50" are met.
struct FeedDate {
  std::string text;  // "2026-01-10T12:00" as the shop's clock shows it; empty when it cannot be read
  bool standard = false;
};
FeedDate parse_date(std::string_view text);

// ISO 8601: "2026-02-24T11:07+0100", "2026-02-24T11:07:00+01:00", "2026-02-24T11:07Z", "2026-02-24" (UTC without a
// zone) -> unix seconds.
std::optional<int64_t> parse_instant(std::string_view text);

// "2026-02-24T11:07+0100/2026-02-29T23:07+0100", blanks around the stroke allowed: from the first up to, without, the
// second; a date alone at the end is meant with its whole day.
struct Interval {
  int64_t from = 0, to = 0;  // unix seconds
};
std::optional<Interval> parse_interval(std::string_view text);

}  // namespace souk::feed
