// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "core/base/error.h"
#include "indexer/build/shard_spool.h"

namespace souk::build {

// What a generation as a whole holds while its shards are built.
struct SharedSize {
  uint64_t terms = 0;
  uint64_t names = 0;  // vendors, categories, shops, param values
};

// Which part of the limit each shard in work has.
struct MemoryPlan {
  uint32_t shards_at_once = 1;  // 2 where they fit
  uint64_t per_shard = 0;
  uint64_t needed = 0;  // the least limit that would do
};

// What a shard holds that cannot be spilled: places, columns, directories.
uint64_t fixed_bytes(const ShardSize& shard, uint64_t terms);

// kInvalidArgument, saying how much is needed, when the limit does not hold the largest shard.
Result<MemoryPlan> plan_memory(uint64_t limit, const SharedSize& shared, std::span<const ShardSize> shards);

}  // namespace souk::build
