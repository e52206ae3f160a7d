// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/key_allotter.h"

namespace souk::offers {

Result<DocKey> KeyAllotter::allot(uint16_t slot, KeyType type) {
  const auto [place, is_new] = next_.try_emplace({slot, type}, 1);
  uint64_t& next = place->second;
  if (is_new) {
    const auto stored = database_.get_number(keys::counter(slot, type));
    if (!stored) {
      next_.erase(place);
      return std::unexpected(stored.error());
    }
    next = stored->value_or(1);
  }
  if (next > DocKey::kMaxLocal) return fail(ErrorCode::kUnavailable, "a slot has no key left");
  return DocKey::make(slot, type, next++);
}

void KeyAllotter::write_counters(rocksdb::WriteBatch& batch) const {
  for (const auto& [place, next] : next_) batch.Put(keys::counter(place.first, place.second), keys::number(next));
}

}  // namespace souk::offers
