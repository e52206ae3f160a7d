// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "control/cli/fetch.h"
#include "core/base/clock.h"
#include "core/base/error.h"
#include "indexer/offers/offer_store.h"
#include "runtime/config/topology.h"

namespace souk::control {

// What operators do with shops' feeds. A running `souk-indexer serve` is asked, since it owns the catalogue; where none
// answers, open_store() gives the catalogue itself.
struct FeedTools {
  const config::Topology& topology;
  Fetch fetch;
  std::function<Result<std::unique_ptr<offers::OfferStore>>()> open_store;  // to write
  const Clock& clock;
};

// Lets the shop's held feed pass; says in one line what happens next. kNotFound when nothing is held.
Result<std::string> release_feed(const FeedTools& tools, const std::string& shop);

// Every shop with the state of its feed, as a table.
Result<std::string> feed_table(offers::OfferStore& store, const Clock& clock);

// What is not given stays as it is, or is the indexer's default.
struct NewShop {
  std::string name;
  std::string feed_url;              // empty = not given
  std::string mode;                  // likewise
  uint32_t period_seconds = 0;       // 0 = not given
  std::vector<std::string> regions;  // empty = not given
};

// A new shop, or a new token for one that is there, in a running indexer. Gives the token.
Result<std::string> add_shop(const FeedTools& tools, const NewShop& shop);

}  // namespace souk::control
