// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "indexer/feed/read_options.h"
#include "indexer/feed/report.h"
#include "indexer/offers/offer_store.h"

namespace souk::offers {

struct FeedSource {
  std::string path;
  feed::ReaderLimits limits;
  std::string base_currency;  // offers in another one are rejected (no_rate)
};

// Makes the feed the shop's offers: as a whole, or, when it is refused, not at all (see the report's feed_error). The
// same bytes as last time are recognised by their SHA-256 and not read. progress(bytes read, bytes in all), may be
// empty. Errors are those of the store, never of the feed.
Result<feed::Report> apply_feed(OfferStore& store, const Shop& shop, const FeedSource& source,
                                const std::function<void(uint64_t, uint64_t)>& progress);

}  // namespace souk::offers
