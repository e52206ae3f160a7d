// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "control/cli/fetch.h"
#include "indexer/offers/offer_store.h"
#include "runtime/config/topology.h"

namespace souk::control {

struct OfferQuestion {
  const config::Topology& topology;
  std::string data;  // the world's folder
  std::string shop;
  std::string offer_id;
};

// The way of one offer, a line a step: feed, key, model, shard, and whether the active generation holds it; or why it
// is absent. Errors are those of the store: an offer that is absent is an answer.
Result<std::string> offer_where(offers::OfferStore& store, const OfferQuestion& question, const Fetch& fetch);

}  // namespace souk::control
