// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "indexer/offers/offer_store.h"

namespace souk::ingest {

// What a run over many feeds has done to the catalogue so far.
struct RunTally {
  uint64_t catalogue = 0;  // offers that were not gone when the run began
  uint64_t removed = 0;    // by the feeds applied since
};

// Why this difference must wait for a person; nothing when it may be applied. The bounds are exact: 30 % of a shop or
// 5 % of the catalogue removed, or half of the prices changed tenfold, still pass.
std::optional<offers::Hold> find_reason_to_hold(const offers::Difference& difference, const RunTally& tally);

}  // namespace souk::ingest
