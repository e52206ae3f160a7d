// SPDX-License-Identifier: Apache-2.0
#include "control/rollout/rollout.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace souk::control {
namespace {

using std::chrono::seconds;

const GenerationId kOld{1, 0xa};
const GenerationId kNew{2, 0xb};
const SteadyTime kNow{seconds(1000)};
const Coverage kTwoShards{{{"c1", 2}}, true};

Report report(std::string name, uint32_t shard, std::vector<GenerationId> ready, int age = 0,
              std::string problem = {}) {
  const std::string cluster = shard == 0 ? "" : "c1";
  return {ReplicaState{std::move(name), cluster, shard, std::move(ready), std::move(problem)}, kNow - seconds(age)};
}

struct Case {
  const char* name;
  Coverage coverage;
  std::vector<Report> reports;
  std::vector<std::string> missing;
};

TEST(RolloutTest, NamesWhatIsMissing) {
  const Case cases[] = {
      {"nobody",
       kTwoShards,
       {},
       {"cluster c1 shard 1: no replica reports", "cluster c1 shard 2: no replica reports",
        "snippets: no replica reports"}},
      {"all", kTwoShards, {report("n1", 1, {kNew}), report("n2", 2, {kOld, kNew}), report("s1", 0, {kNew})}, {}},
      {"one of two replicas is enough",
       kTwoShards,
       {report("n1", 1, {kOld}), report("n1b", 1, {kNew}), report("n2", 2, {kNew}), report("s1", 0, {kNew})},
       {}},
      {"a shard has only the old one",
       kTwoShards,
       {report("n1", 1, {kNew}), report("n2", 2, {kOld}), report("s1", 0, {kNew})},
       {"cluster c1 shard 2: n2 is not ready yet"}},
      {"a problem is quoted",
       kTwoShards,
       {report("n1", 1, {kNew}), report("n2", 2, {kOld}, 0, "shard-2.souk: bad checksum"), report("s1", 0, {kNew})},
       {"cluster c1 shard 2: n2: shard-2.souk: bad checksum"}},
      {"reports of five seconds ago count",
       kTwoShards,
       {report("n1", 1, {kNew}, 5), report("n2", 2, {kNew}, 5), report("s1", 0, {kNew}, 5)},
       {}},
      {"older ones do not",
       kTwoShards,
       {report("n1", 1, {kNew}, 6), report("n2", 2, {kNew}), report("s1", 0, {kNew})},
       {"cluster c1 shard 1: no replica reports"}},
      {"no documents",
       kTwoShards,
       {report("n1", 1, {kNew}), report("n2", 2, {kNew}), report("s1", 0, {kOld})},
       {"snippets: s1 is not ready yet"}},
      {"a world without snippet servers", {{{"c1", 1}}, false}, {report("n1", 1, {kNew})}, {}},
      {"every cluster must be covered",
       {{{"c1", 1}, {"c2", 1}}, false},
       {report("n1", 1, {kNew})},
       {"cluster c2 shard 1: no replica reports"}},
      {"a node without a shard is no snippet server",
       {{}, true},
       {{ReplicaState{"meta-1", "c1", 0, {kNew}, {}}, kNow}},
       {"snippets: no replica reports"}},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    EXPECT_EQ(missing(kNew, test.coverage, test.reports, kNow), test.missing);
    const Orders after = advance({kOld, kNew, 7}, test.coverage, test.reports, kNow);
    EXPECT_EQ(after.active, test.missing.empty() ? kNew : kOld);
    EXPECT_EQ(after.target, kNew);
    EXPECT_EQ(after.epoch, test.missing.empty() ? 8U : 7U);
  }
}

TEST(RolloutTest, PublishingSetsTheTargetOnce) {
  const Orders first = publish({}, kOld);
  EXPECT_EQ(first.active, GenerationId{});
  EXPECT_EQ(first.target, kOld);
  EXPECT_EQ(first.epoch, 1U);
  EXPECT_EQ(publish(first, kOld).epoch, 1U);
  EXPECT_EQ(publish(first, kNew).epoch, 2U);
}

TEST(RolloutTest, NothingAdvancesWithoutATarget) {
  const Orders after = advance({}, {{}, false}, {}, kNow);
  EXPECT_EQ(after.active, GenerationId{});
  EXPECT_EQ(after.epoch, 0U);
}

// Whatever replicas report, publish or stop reporting: a generation becomes active only when each shard holds it, and
// the epoch grows exactly with each change.
RC_GTEST_PROP(RolloutProperty, ActiveNeverGoesToAGenerationSomeShardLacks, ()) {
  constexpr uint32_t kShards = 2;
  const Coverage coverage{{{"c1", kShards}}, true};
  Orders orders;
  std::vector<Report> reports;
  SteadyTime now = kNow;
  int activations = 0;
  const auto generation = [] { return GenerationId{*rc::gen::inRange<uint64_t>(1, 4), 0xa}; };
  for (int step = 0; step < 100; ++step) {
    now += std::chrono::milliseconds(*rc::gen::inRange(0, 600));
    const Orders before = orders;
    if (*rc::gen::inRange(0, 10) == 0) orders = publish(orders, generation());
    Report fresh = report("", *rc::gen::inRange<uint32_t>(0, kShards + 1), {});
    fresh.at = now;
    fresh.state.name = "r" + std::to_string(fresh.state.shard) + "-" + std::to_string(*rc::gen::inRange(0, 2));
    for (int i = *rc::gen::inRange(0, 6); i > 0; --i) fresh.state.ready.push_back(generation());
    std::erase_if(reports, [&fresh](const Report& old) { return old.state.name == fresh.state.name; });
    reports.push_back(fresh);
    const Orders published = orders;
    orders = advance(orders, coverage, reports, now);
    RC_ASSERT(orders.epoch == before.epoch + (published.target != before.target) + (orders.active != before.active));
    RC_ASSERT(orders.target == published.target);
    if (orders.active == before.active) continue;
    ++activations;
    RC_ASSERT(orders.active == orders.target);
    for (uint32_t shard = 0; shard <= kShards; ++shard) {
      RC_ASSERT(std::ranges::any_of(reports, [&](const Report& one) {
        return one.state.shard == shard && now - one.at <= seconds(5) &&
               std::ranges::find(one.state.ready, orders.active) != one.state.ready.end();
      }));
    }
  }
  RC_CLASSIFY(activations > 0, "something became active");
}

}  // namespace
}  // namespace souk::control
