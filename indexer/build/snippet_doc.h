// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "indexer/offers/offer_store.h"

namespace souk::build {

struct Snippet {
  std::string bytes;     // serialized wire::SnippetDoc
  uint64_t version = 0;  // content version: the hash of the bytes
};

Snippet make_snippet(const offers::StoredOffer& offer, const offers::Shop& shop);

}  // namespace souk::build
