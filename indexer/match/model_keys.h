// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "indexer/match/evidence.h"
#include "indexer/offers/offer_store.h"

namespace souk::match {

struct ModelKeys {
  std::vector<DocKey> of_root;  // empty: a new one is needed, or none
  uint64_t merged = 0;          // models that had offers and have none now
  uint64_t split = 0;           // models whose offers are now of several
};

// Which part of the catalogue goes on under which model's key. The oldest model chooses first: the part with most of
// its offers that has no key yet (of equal ones that with the least offer key). So a merged product keeps the oldest
// key, and a split one leaves its key with the largest part. Offers whose root has no model do not count.
// kCorruption when an offer is of a model that is not in `models` (ascending by key).
Result<ModelKeys> keep_keys(std::span<const OfferMarks> offers, std::span<const uint32_t> roots,
                            const std::vector<bool>& has_model, std::span<const offers::StoredModel> models);

}  // namespace souk::match
