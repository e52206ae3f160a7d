// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace souk::placement {

// Slots opened of the 65,536 that a key has room for.
inline constexpr uint32_t kOpenSlots = 4096;

// md5(name) mod 4096, the digest read as one big-endian number (Pinterest's "mod shard").
// "1.2.3.4" is in slot 1537.
uint16_t slot_of_name(std::string_view name);

// An offer's key is born in slot_of_name("<shop number>:<offer id>").
uint16_t slot_of_offer(uint32_t shop_number, std::string_view offer_id);

// Slot -> shard (numbered from 1), one entry per open slot. Part of a generation's manifest: immutable like its files.
using SlotTable = std::vector<uint16_t>;

// Contiguous equal ranges of slots. shards in 1..kOpenSlots.
SlotTable even_slot_table(uint32_t shards);

// Every slot has a shard in 1..shards and every shard has a slot.
Status check_slot_table(const SlotTable& table, uint32_t shards);

}  // namespace souk::placement
