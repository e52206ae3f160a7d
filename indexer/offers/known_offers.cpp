// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/known_offers.h"

#include <xxhash.h>

#include <algorithm>
#include <random>
#include <utility>

namespace souk::offers {
namespace {

uint64_t random_seed() {
  std::random_device random;
  return (uint64_t{random()} << 32U) | random();
}

}  // namespace

KnownOffers::KnownOffers() : seed_(random_seed()) {}

KnownOffers::Hash KnownOffers::hash(std::string_view id) const {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(id.data(), id.size(), seed_);
  return {hash.high64, hash.low64};
}

Status KnownOffers::load(Storage& storage, uint32_t shop) {
  const Status read = storage.scan_known(shop, [&](std::string_view id, const KnownOffer& known) -> Status {
    const Hash id_hash = hash(id);
    Entry entry{id_hash.high, id_hash.low, known.key, known.digest, known.first_seen, known.price, {}, false};
    std::copy_n(known.currency.begin(), std::min(known.currency.size(), entry.currency.size()), entry.currency.begin());
    entries_.push_back(entry);
    return {};
  });
  if (!read) return read;
  std::ranges::sort(entries_, {}, [](const Entry& entry) { return std::pair(entry.hash_high, entry.hash_low); });
  return {};
}

KnownOffers::Entry* KnownOffers::find(std::string_view id) {
  const Hash wanted = hash(id);
  const auto at = std::ranges::lower_bound(entries_, std::pair(wanted.high, wanted.low), {}, [](const Entry& entry) {
    return std::pair(entry.hash_high, entry.hash_low);
  });
  const bool found = at != entries_.end() && at->hash_high == wanted.high && at->hash_low == wanted.low;
  return found ? &*at : nullptr;
}

void KnownOffers::remember_new(std::string_view id) {
  new_ids_.push_back(hash(id));
}

bool KnownOffers::new_ids_repeat() {
  std::ranges::sort(new_ids_);
  return std::ranges::adjacent_find(new_ids_) != new_ids_.end();
}

}  // namespace souk::offers
