// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/memory_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "indexer/build/posting_sorter.h"

namespace souk::build {

namespace {

constexpr uint64_t kMebi = 1 << 20;
constexpr uint64_t kProcess = 48 * kMebi;  // code, ICU's and RocksDB's tables, offers under way
// Measured on the sample market and on larger ones, with the allocator's overhead.
constexpr uint64_t kTerm = 96;
constexpr uint64_t kName = 768;
constexpr uint64_t kDocument = 32 + 112;  // place; columns while they grow
constexpr uint64_t kParam = 4 + 12;       // column; its posting
constexpr uint64_t kWord = 4;
constexpr uint64_t kList = 40;  // entry, term and a chunk, while they grow

uint64_t mebis(uint64_t bytes) {
  return (bytes + kMebi - 1) / kMebi;
}

}  // namespace

uint64_t fixed_bytes(const ShardSize& shard, uint64_t terms) {
  const uint64_t lists = std::min(terms, std::max(shard.main_postings, shard.description_postings));
  return shard.documents * kDocument + shard.params * kParam + shard.words * kWord + lists * kList;
}

Result<MemoryPlan> plan_memory(uint64_t limit, const SharedSize& shared, std::span<const ShardSize> shards) {
  const uint64_t common = kProcess + shared.terms * kTerm + shared.names * kName;
  std::vector<uint64_t> least;
  for (const ShardSize& shard : shards) {
    least.push_back(fixed_bytes(shard, shared.terms) + 2 * PostingSorter::kLeastMemory);
  }
  const uint64_t largest = std::ranges::max(least);
  const uint64_t needed = common + largest;
  if (limit < needed) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("this catalogue needs {} MiB to be built, {} are allowed", mebis(needed), limit / kMebi),
                "memory");
  }
  const bool both = shards.size() > 1 && (limit - common) / 2 >= largest;
  const uint32_t at_once = both ? 2 : 1;
  return MemoryPlan{at_once, (limit - common) / at_once, needed};
}

}  // namespace souk::build
