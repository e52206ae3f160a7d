// SPDX-License-Identifier: Apache-2.0
// Every evaluator against the exhaustive one on a shard of several chunks. SOUK_BIG_QUERIES=N asks more,
// SOUK_BIG_SEED=N others.
#include "tests/unit/core/query/big_world.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "tests/unit/core/query/evaluators.h"

namespace souk::test {
namespace {

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

const BigWorld& big_world() {
  static const BigWorld world(1);
  return world;
}

struct Forms {
  std::set<index::ListKind> kinds;
  size_t arrays = 0, bitmaps = 0, mixed = 0;  // lists that have such chunks; both
};

Forms forms(const index::PostingLists& lists) {
  Forms forms;
  for (uint32_t list = 0; list < lists.size(); ++list) {
    forms.kinds.insert(lists.kind(list));
    if (lists.kind(list) != index::ListKind::kChunked) continue;
    size_t arrays = 0, bitmaps = 0;
    for (const index::Chunk& chunk : lists.chunks(list)) ++(lists.view(chunk).bits == nullptr ? arrays : bitmaps);
    forms.arrays += arrays > 0 ? 1 : 0;
    forms.bitmaps += bitmaps > 0 ? 1 : 0;
    forms.mixed += arrays > 0 && bitmaps > 0 ? 1 : 0;
  }
  return forms;
}

TEST(BigWorld, HasEveryFormOfList) {
  const index::ShardIndex& shard = big_world().shard();
  EXPECT_GT(shard.documents(), 3 * index::kChunkDocuments);
  const Forms main = forms(shard.main());
  EXPECT_EQ(main.kinds.size(), 3U);
  EXPECT_GE(main.arrays, 3U);
  EXPECT_GE(main.bitmaps, 3U);
  EXPECT_GE(main.mixed, 1U);
  const Forms description = forms(shard.description());
  EXPECT_GE(description.arrays, 1U);
  EXPECT_GE(description.bitmaps, 1U);
  const Forms params = forms(shard.param_lists());
  EXPECT_GE(params.arrays, 1U);
  EXPECT_GE(params.bitmaps, 1U);
  bool crosses = false;  // a model that lies in two chunks
  for (uint32_t group = 0; group < shard.groups(); ++group) {
    const uint32_t last = (group + 1 < shard.groups() ? shard.group_begin(group + 1) : shard.documents()) - 1;
    crosses |= shard.group_begin(group) / index::kChunkDocuments != last / index::kChunkDocuments;
  }
  EXPECT_TRUE(crosses);
}

TEST(BigWorld, IsTheSameFromTheSameSeed) {
  Random one(5), two(5);
  EXPECT_EQ(big_world().any_request(one).SerializeAsString(), big_world().any_request(two).SerializeAsString());
  constexpr uint32_t kFew = 3000;
  const BigWorld first(9, kFew), second(9, kFew);
  const std::span<const uint64_t> keys = first.shard().keys();
  EXPECT_TRUE(std::ranges::equal(keys, second.shard().keys()));
  EXPECT_EQ(first.shard().main().postings(), second.shard().main().postings());
}

// The reply that each evaluator must give.
wire::ShardReply check_all(const BigWorld& world, const std::vector<NamedEvaluator>& evaluators,
                           const wire::ShardRequest& request) {
  const Status checked = query::check_request(request, world.dictionary());
  EXPECT_TRUE(checked.has_value()) << to_string(checked.error());
  const FixedClock clock;
  const query::Stop stop{clock, Deadline::never()};
  auto exact = oracle::search_exhaustively(world.view(), request, stop);
  EXPECT_TRUE(exact.has_value());
  if (!exact) return {};
  EXPECT_TRUE(merge::check_reply(request, *exact).has_value()) << request.ShortDebugString();
  for (const NamedEvaluator& evaluator : evaluators) {
    const auto reply = evaluator.evaluate(world.view(), request, stop);
    EXPECT_TRUE(reply.has_value());
    if (reply) EXPECT_EQ(difference(request, *exact, *reply), "") << evaluator << ": " << request.ShortDebugString();
  }
  return std::move(*exact);
}

// The same request for what comes behind one of its hits.
void go_on(wire::ShardRequest& request, const wire::Hits& hits, int hit) {
  request.mutable_after()->set_order(hits.order(hit));
  request.mutable_after()->set_group(hits.groups(hit));
  request.mutable_after()->set_key(hits.keys(hit));
}

void compare(const BigWorld& world, uint64_t seed, uint64_t queries) {
  std::vector<NamedEvaluator> others = evaluators();
  std::erase_if(others, [](const NamedEvaluator& evaluator) { return evaluator.name == "exhaustive"; });
  Random random(seed);
  uint64_t found = 0;
  for (uint64_t i = 0; i < queries && !testing::Test::HasFailure(); ++i) {
    wire::ShardRequest request = world.any_request(random);
    const wire::ShardReply exact = check_all(world, others, request);
    found += exact.total_offers() > 0 ? 1 : 0;
    const int hits = exact.hits().keys_size();
    if (hits == 0 || !random.chance(30)) continue;
    go_on(request, exact.hits(), static_cast<int>(random.below(static_cast<uint64_t>(hits))));
    check_all(world, others, request);
  }
  if (!testing::Test::HasFailure()) EXPECT_GT(found * 2, queries) << "most queries find something";
}

TEST(BigWorld, EveryEvaluatorGivesTheSame) {
  compare(big_world(), number_from("SOUK_BIG_SEED", 1), number_from("SOUK_BIG_QUERIES", 60));
}

TEST(BigWorld, EveryEvaluatorGivesTheSameWithPricesOfEightBytes) {
  const BigWorld world(2, index::kChunkDocuments + 1);  // a chunk, and one document behind it
  ASSERT_EQ(world.shard().prices().width(), 8U);
  ASSERT_LT(big_world().shard().prices().width(), 8U);
  compare(world, 1, 40);
}

}  // namespace
}  // namespace souk::test
