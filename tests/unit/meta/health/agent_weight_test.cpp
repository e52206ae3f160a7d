// SPDX-License-Identifier: Apache-2.0
#include "meta/health/agent_weight.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace souk::health {
namespace {

TEST(AgentWeight, AnIdleNodeTakesAll) {
  AgentWeight weight;
  EXPECT_EQ(weight.weight(), 100U) << "from the start";
  for (int i = 0; i < 10; ++i) weight.sample(0, 0);
  EXPECT_EQ(weight.weight(), 100U);
}

TEST(AgentWeight, ABusySecondCountsForThirtyPercent) {
  AgentWeight weight;
  weight.sample(1, 0);
  EXPECT_EQ(weight.weight(), 91U);  // 100 - 99 x 0.3^2
  weight.sample(1, 0);
  EXPECT_EQ(weight.weight(), 74U);  // 100 - 99 x 0.51^2
  weight.sample(0, 0);
  EXPECT_EQ(weight.weight(), 87U);  // 100 - 99 x 0.357^2
}

TEST(AgentWeight, TwentyMillisecondsOfWaitingAreOverload) {
  AgentWeight by_wait;
  AgentWeight by_cpu;
  AgentWeight far_over;
  for (int i = 0; i < 5; ++i) {
    by_wait.sample(0.1, 20);
    by_cpu.sample(1, 3);
    far_over.sample(50, 1e9);
  }
  EXPECT_EQ(by_wait.weight(), by_cpu.weight());
  EXPECT_EQ(far_over.weight(), by_cpu.weight()) << "more than full is full";
}

TEST(AgentWeight, GoesDownToOneAndBackToAll) {
  AgentWeight weight;
  uint32_t before = weight.weight();
  for (int i = 0; i < 50; ++i) {
    weight.sample(1, 100);
    EXPECT_LE(weight.weight(), before);
    before = weight.weight();
  }
  EXPECT_EQ(before, 1U) << "0 would take it out of service";
  for (int i = 0; i < 50; ++i) {
    weight.sample(0, 0);
    EXPECT_GE(weight.weight(), before);
    before = weight.weight();
  }
  EXPECT_EQ(before, 100U);
}

struct Load {
  double cpu;
  double wait_ms;
};

Load random_load() {
  return {*rc::gen::inRange(-100, 5000) / 1000.0, *rc::gen::inRange(-10, 100'000) / 100.0};
}

RC_GTEST_PROP(AgentWeightProperty, StaysInItsBounds, ()) {
  AgentWeight weight;
  const int seconds = *rc::gen::inRange(0, 50);
  for (int i = 0; i < seconds; ++i) {
    const Load load = random_load();
    weight.sample(load.cpu, load.wait_ms);
    RC_ASSERT(weight.weight() >= 1U);
    RC_ASSERT(weight.weight() <= 100U);
  }
}

RC_GTEST_PROP(AgentWeightProperty, MoreLoadNeverGivesMoreWeight, ()) {
  AgentWeight less;
  AgentWeight more;
  const int seconds = *rc::gen::inRange(1, 30);
  for (int i = 0; i < seconds; ++i) {
    const Load load = random_load();
    less.sample(load.cpu, load.wait_ms);
    more.sample(load.cpu + *rc::gen::inRange(0, 1000) / 1000.0, load.wait_ms + *rc::gen::inRange(0, 1000) / 10.0);
    RC_ASSERT(more.weight() <= less.weight());
  }
}

}  // namespace
}  // namespace souk::health
