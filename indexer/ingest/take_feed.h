// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "core/base/clock.h"
#include "core/base/error.h"
#include "indexer/ingest/brakes.h"
#include "indexer/ingest/feed_service.h"
#include "indexer/ingest/read_feed.h"
#include "indexer/offers/offer_store.h"
#include "runtime/config/market.h"

namespace souk::ingest {

// Makes a feed that was read the shop's offers: as a whole, or not at all when it is refused, unchanged or held. The
// run says which; the shop's hold in the store follows it. tally grows by what was removed. Offers in a currency
// without a rate are rejected (no_rate). Errors are those of the store, never of the feed.
Result<FeedRun> take_feed(offers::OfferStore& store, const offers::Shop& shop, ReadFeed&& read,
                          const config::Market& market, const Clock& clock, RunTally& tally);

// Settings of a shop that is there. With another address what was known of the old one's server is forgotten, and the
// new one is due at once.
Status change_settings(offers::OfferStore& store, const offers::Shop& shop, const offers::ShopSettings& settings);

}  // namespace souk::ingest
