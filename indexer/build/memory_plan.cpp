// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/memory_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "indexer/build/posting_sorter.h"

namespace souk::build {

namespace {

// Bytes of each, as measured with the allocator's overhead.
constexpr uint64_t kMebi = 1 << 20;
constexpr uint64_t kProcess = 36 * kMebi;  // code, ICU's and RocksDB's tables, offers under way
constexpr uint64_t kTerm = 96;             // in the lexicon
constexpr uint64_t kName = 512;            // a vendor, a param's value
constexpr uint64_t kDocument = 32 + 130;   // place; columns while they grow
constexpr uint64_t kWord = 8;              // of forward sequences, likewise
constexpr uint64_t kParam = 12;            // likewise, and its posting
constexpr uint64_t kForeign = 2 * 28;      // own prices, likewise
constexpr uint64_t kList = 40;             // entry, term and a chunk, likewise
constexpr uint64_t kParamList = kList + 16;

uint64_t mebis(uint64_t bytes) {
  return (bytes + kMebi - 1) / kMebi;
}

}  // namespace

uint64_t fixed_bytes(const ShardSize& shard, const SharedSize& shared) {
  // Main, description and param lists are written one after the other.
  const uint64_t lists = std::min(shared.terms, std::max(shard.main_postings, shard.description_postings)) * kList;
  return shard.documents * kDocument + shard.words * kWord + shard.params * kParam + shard.foreign * kForeign +
         std::max(lists, shared.values * kParamList) + 2 * PostingSorter::kLeastMemory;
}

Result<MemoryPlan> plan_memory(uint64_t limit, const SharedSize& shared, std::span<const ShardSize> shards) {
  const uint64_t common = kProcess + shared.terms * kTerm + (shared.names + shared.values) * kName;
  std::vector<uint64_t> fixed;
  for (const ShardSize& shard : shards) fixed.push_back(fixed_bytes(shard, shared));
  const uint64_t largest = std::ranges::max(fixed);
  const uint64_t needed = common + largest;
  if (limit < needed) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("this catalogue needs {} MiB to be built, {} are allowed", mebis(needed), limit / kMebi),
                "memory");
  }
  MemoryPlan plan{.shards_at_once = 1, .spare_bytes = {}, .needed = needed};
  if (shards.size() > 1 && (limit - common) / 2 >= largest) plan.shards_at_once = 2;
  for (const uint64_t bytes : fixed) plan.spare_bytes.push_back((limit - common) / plan.shards_at_once - bytes);
  return plan;
}

}  // namespace souk::build
