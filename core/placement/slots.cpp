// SPDX-License-Identifier: Apache-2.0
#include "core/placement/slots.h"

#include <algorithm>
#include <string>

#include "core/base/hash.h"

namespace souk::placement {

uint16_t slot_of_name(std::string_view name) {
  const auto digest = md5(name);
  // 4096 = 2^12: the low 12 bits of the big-endian number are the low nibble of byte 14 and byte 15.
  static_assert(kOpenSlots == 4096);
  return static_cast<uint16_t>(((digest[14] & 0x0F) << 8) | digest[15]);
}

uint16_t slot_of_offer(uint32_t shop_number, std::string_view offer_id) {
  return slot_of_name(std::to_string(shop_number) + ":" + std::string(offer_id));
}

SlotTable even_slot_table(uint32_t shards) {
  SOUK_CHECK(shards >= 1 && shards <= kOpenSlots);
  SlotTable table(kOpenSlots);
  for (uint32_t slot = 0; slot < kOpenSlots; ++slot) {
    table[slot] = static_cast<uint16_t>(slot * shards / kOpenSlots + 1);
  }
  return table;
}

Status check_slot_table(const SlotTable& table, uint32_t shards) {
  if (table.size() != kOpenSlots) return fail(ErrorCode::kCorruption, "the slot table must have 4096 entries");
  std::vector<bool> seen(shards + 1);
  for (const uint16_t shard : table) {
    if (shard < 1 || shard > shards) {
      return fail(ErrorCode::kCorruption,
                  "the slot table names shard " + std::to_string(shard) + " of " + std::to_string(shards));
    }
    seen[shard] = true;
  }
  if (std::find(seen.begin() + 1, seen.end(), false) != seen.end()) {
    return fail(ErrorCode::kCorruption, "the slot table leaves a shard without slots");
  }
  return {};
}

}  // namespace souk::placement
