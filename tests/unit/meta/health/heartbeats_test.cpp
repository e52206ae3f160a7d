// SPDX-License-Identifier: Apache-2.0
#include "meta/health/heartbeats.h"

#include <gtest/gtest.h>

#include <future>

#include "runtime/testing/fake_clock.h"

namespace souk::health {
namespace {

using namespace std::chrono_literals;

TEST(Heartbeats, TheIoThreadIsStaleAfterThreeSecondsWithoutABeat) {
  testing::FakeClock clock;
  const exec::WorkerPool pool("test", 1, 1, clock);
  Heartbeats heartbeats(pool, clock);
  EXPECT_EQ(heartbeats.stale(), "");
  clock.advance(3s);
  EXPECT_EQ(heartbeats.stale(), "");
  clock.advance(1ms);
  EXPECT_EQ(heartbeats.stale(), "the IO thread");
  heartbeats.beat();
  EXPECT_EQ(heartbeats.stale(), "") << "heals by itself";
}

TEST(Heartbeats, APoolIsStaleWhenOnePieceOfWorkNeverEnds) {
  testing::FakeClock clock;
  std::promise<void> entered;
  std::promise<void> go_on;
  exec::WorkerPool pool("test", 2, 2, clock);
  Heartbeats heartbeats(pool, clock);
  clock.advance(100s);
  heartbeats.beat();
  EXPECT_EQ(heartbeats.stale(), "") << "an idle pool is not stale";
  ASSERT_TRUE(pool.submit(exec::Priority::kInteractive, Deadline::never(), [&](Status) {
    entered.set_value();
    go_on.get_future().wait();
  }));
  entered.get_future().wait();
  clock.advance(75s);
  heartbeats.beat();
  EXPECT_EQ(heartbeats.stale(), "") << "as long as the longest deadline allows";
  clock.advance(1ms);
  EXPECT_EQ(heartbeats.stale(), "the search pool") << "though the other thread is free";
  go_on.set_value();
  while (pool.running() > 0) std::this_thread::yield();
  EXPECT_EQ(heartbeats.stale(), "");
}

TEST(Heartbeats, AFullQueueIsNotStale) {
  testing::FakeClock clock;
  std::promise<void> entered;
  std::promise<void> go_on;
  exec::WorkerPool pool("test", 1, 1, clock);
  const Heartbeats heartbeats(pool, clock);
  ASSERT_TRUE(pool.submit(exec::Priority::kInteractive, Deadline::never(), [&](Status) {
    entered.set_value();
    go_on.get_future().wait();
  }));
  entered.get_future().wait();
  ASSERT_TRUE(pool.submit(exec::Priority::kInteractive, Deadline::never(), [](Status) {}));
  EXPECT_TRUE(pool.full());
  EXPECT_EQ(heartbeats.stale(), "");
  go_on.set_value();
}

}  // namespace
}  // namespace souk::health
