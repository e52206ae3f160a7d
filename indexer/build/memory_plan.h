// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "indexer/build/shard_spool.h"

namespace souk::build {

// What a generation as a whole holds while its shards are built.
struct SharedSize {
  uint64_t terms = 0;
  uint64_t names = 0;   // vendors, categories, shops
  uint64_t values = 0;  // of params
};

struct MemoryPlan {
  uint32_t shards_at_once = 1;        // 2 where they fit
  std::vector<uint64_t> spare_bytes;  // by shard: what it has to sort postings in, beyond what it cannot do without
  uint64_t needed = 0;                // the least limit that would do
};

// What a shard holds whatever is spilled: places, columns, directories, the least of its sorters.
uint64_t fixed_bytes(const ShardSize& shard, const SharedSize& shared);

// kInvalidArgument, saying how much is needed, when the limit does not hold the largest shard.
Result<MemoryPlan> plan_memory(uint64_t limit, const SharedSize& shared, std::span<const ShardSize> shards);

}  // namespace souk::build
