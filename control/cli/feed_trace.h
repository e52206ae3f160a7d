// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "indexer/feed/report.h"

namespace souk::control {

// What the report of a shop's last reading says of one offer.
struct FeedTrace {
  std::string file;                          // as it was given to the indexer
  feed::FeedError feed_error;                // kind is empty when the feed was accepted
  std::optional<feed::OfferError> rejected;  // the first error with the offer's id
  bool has_all_errors = true;                // false: more were rejected than the report lists
};

// From DIR/reports/SHOP.json. kNotFound when there is no report.
Result<FeedTrace> trace_in_report(const std::string& data, const std::string& shop, const std::string& offer_id);

// The line of an offer in a feed, from 1. kVersionMismatch when the file's SHA-256 is another, kNotFound when the file
// is gone or has no such offer. mode: as the shop's feed is read.
Result<uint64_t> line_in_feed(const std::string& path, const std::string& sha256, feed::Mode mode,
                              const std::string& offer_id);

}  // namespace souk::control
