// SPDX-License-Identifier: Apache-2.0
#include "runtime/exec/limiter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace souk::exec {
namespace {

TEST(Limiter, LetsInSoManyAndNoMore) {
  Limiter limiter(2);
  EXPECT_FALSE(limiter.full());
  auto first = limiter.enter();
  auto second = limiter.enter();
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(limiter.full());
  EXPECT_FALSE(limiter.enter());
  EXPECT_EQ(limiter.inside(), 2U) << "the refused one is not inside";
  first.reset();
  EXPECT_FALSE(limiter.full());
  EXPECT_TRUE(limiter.enter());
  EXPECT_EQ(limiter.inside(), 1U) << "a slot that nobody keeps is free at once";
}

TEST(Limiter, AMovedSlotIsLeftOnce) {
  Limiter limiter(1);
  {
    std::optional<Limiter::Slot> slot = limiter.enter();
    ASSERT_TRUE(slot);
    const Limiter::Slot moved = std::move(*slot);
    slot.reset();
    EXPECT_EQ(limiter.inside(), 1U);
  }
  EXPECT_EQ(limiter.inside(), 0U);
}

TEST(Limiter, ALimitOfNothingLetsNobodyIn) {
  Limiter limiter(0);
  EXPECT_TRUE(limiter.full());
  EXPECT_FALSE(limiter.enter());
}

TEST(Limiter, HoldsAmongThreads) {
  constexpr size_t kLimit = 3;
  constexpr int kRounds = 20'000;
  Limiter limiter(kLimit);
  std::atomic<size_t> most = 0;
  std::atomic<size_t> entered = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        for (int round = 0; round < kRounds; ++round) {
          const auto slot = limiter.enter();
          if (!slot) continue;
          ++entered;
          const size_t inside = limiter.inside();
          size_t before = most;
          while (inside > before && !most.compare_exchange_weak(before, inside)) {
          }
        }
      });
    }
  }
  EXPECT_LE(most, kLimit);
  EXPECT_GT(entered, 0U);
  EXPECT_EQ(limiter.inside(), 0U);
}

}  // namespace
}  // namespace souk::exec
