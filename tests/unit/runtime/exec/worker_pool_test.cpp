// SPDX-License-Identifier: Apache-2.0
#include "runtime/exec/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

#include "runtime/testing/fake_clock.h"

namespace souk::exec {
namespace {

using namespace std::chrono_literals;

// Keeps the pool's only thread busy until release().
class Plug {
 public:
  explicit Plug(WorkerPool& pool) {
    const auto state = state_;  // the pool's thread may outlive the plug
    EXPECT_TRUE(pool.submit(Priority::kInteractive, Deadline::never(), [state](Status) {
      state->entered.set_value();
      state->released.get_future().wait();
    }));
    state_->entered.get_future().wait();
  }
  void release() { state_->released.set_value(); }

 private:
  struct State {
    std::promise<void> entered;
    std::promise<void> released;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

TEST(WorkerPool, TakesInteractiveWorkFirst) {
  std::mutex mutex;
  std::vector<std::string> order;
  {
    std::promise<void> last;
    WorkerPool pool("test", 1, 10, real_clock());
    Plug plug(pool);
    const auto note = [&](const char* name) {
      return [&, name](Status) {
        const std::lock_guard lock(mutex);
        order.emplace_back(name);
        if (order.size() == 4) last.set_value();
      };
    };
    EXPECT_TRUE(pool.submit(Priority::kBackground, Deadline::never(), note("background 1")));
    EXPECT_TRUE(pool.submit(Priority::kInteractive, Deadline::never(), note("interactive 1")));
    EXPECT_TRUE(pool.submit(Priority::kBackground, Deadline::never(), note("background 2")));
    EXPECT_TRUE(pool.submit(Priority::kInteractive, Deadline::never(), note("interactive 2")));
    EXPECT_EQ(pool.queued(), 4U);
    EXPECT_EQ(pool.running(), 1U);
    plug.release();
    last.get_future().wait();
  }
  EXPECT_EQ(order, (std::vector<std::string>{"interactive 1", "interactive 2", "background 1", "background 2"}));
}

TEST(WorkerPool, ChecksTheDeadlineWhenWorkIsTaken) {
  testing::FakeClock clock;
  std::promise<Status> early;
  std::promise<Status> late;
  WorkerPool pool("test", 1, 10, clock);
  Plug plug(pool);
  EXPECT_TRUE(pool.submit(Priority::kInteractive, Deadline::after(clock, 10ms), [&](Status s) { early.set_value(s); }));
  EXPECT_TRUE(pool.submit(Priority::kInteractive, Deadline::after(clock, 11ms), [&](Status s) { late.set_value(s); }));
  clock.advance(10ms);
  plug.release();
  const Status first = early.get_future().get();
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_TRUE(late.get_future().get());
}

TEST(WorkerPool, RefusesWorkBeyondTheLimit) {
  WorkerPool pool("test", 1, 2, real_clock());
  Plug plug(pool);
  EXPECT_TRUE(pool.submit(Priority::kInteractive, Deadline::never(), [](Status) {}));
  EXPECT_TRUE(pool.submit(Priority::kBackground, Deadline::never(), [](Status) {}));
  EXPECT_FALSE(pool.submit(Priority::kInteractive, Deadline::never(), [](Status) { FAIL(); }));
  plug.release();
}

TEST(WorkerPool, IsFullWhenItsQueueIs) {
  WorkerPool pool("test", 1, 1, real_clock());
  Plug plug(pool);
  EXPECT_FALSE(pool.full()) << "at work, but one may wait";
  EXPECT_TRUE(pool.submit(Priority::kBackground, Deadline::never(), [](Status) {}));
  EXPECT_TRUE(pool.full());
  plug.release();
  while (pool.queued() > 0) std::this_thread::yield();
  EXPECT_FALSE(pool.full());
}

TEST(WorkerPool, TellsHowLongTheOldestWorkRuns) {
  testing::FakeClock clock;
  WorkerPool pool("test", 2, 1, clock);
  EXPECT_EQ(pool.longest_running(), 0s);
  Plug first(pool);
  clock.advance(5s);
  Plug second(pool);
  clock.advance(2s);
  EXPECT_EQ(pool.longest_running(), 7s);
  first.release();
  while (pool.running() > 1) std::this_thread::yield();
  EXPECT_EQ(pool.longest_running(), 2s);
  second.release();
  while (pool.running() > 0) std::this_thread::yield();
  EXPECT_EQ(pool.longest_running(), 0s);
}

TEST(WorkerPool, MeanWaitSinceTheLastQuestion) {
  testing::FakeClock clock;
  WorkerPool pool("test", 1, 10, clock);
  EXPECT_EQ(pool.take_mean_wait(), 0s);
  Plug plug(pool);
  EXPECT_EQ(pool.take_mean_wait(), 0s) << "the plug did not wait";
  EXPECT_TRUE(pool.submit(Priority::kInteractive, Deadline::never(), [](Status) {}));
  clock.advance(30ms);
  std::promise<void> done;
  EXPECT_TRUE(pool.submit(Priority::kInteractive, Deadline::never(), [&](Status) { done.set_value(); }));
  clock.advance(10ms);
  EXPECT_EQ(pool.take_mean_wait(), 0s) << "nothing was taken yet";
  plug.release();
  done.get_future().wait();
  EXPECT_EQ(pool.take_mean_wait(), 25ms);
  EXPECT_EQ(pool.take_mean_wait(), 0s);
}

TEST(WorkerPool, DropsWhatIsQueuedWhenItEnds) {
  size_t submitted = 0;
  size_t dropped = 0;
  {
    std::promise<void> entered;
    const auto count = [&dropped](Status status) {
      if (!status && status.error().code == ErrorCode::kUnavailable) ++dropped;
    };
    WorkerPool pool("test", 1, 100'000'000, real_clock());
    EXPECT_TRUE(pool.submit(Priority::kInteractive, Deadline::never(), [&](Status) {
      entered.set_value();
      // Holds the only thread until the pool stops, which is when it refuses work.
      while (pool.submit(Priority::kBackground, Deadline::never(), count)) {
        ++submitted;
        std::this_thread::yield();
      }
    }));
    entered.get_future().wait();
  }
  EXPECT_EQ(dropped, submitted);
}

TEST(WorkerPool, RunsOnAllItsThreads) {
  constexpr size_t kThreads = 4;
  std::atomic<size_t> inside = 0;
  std::promise<void> all;
  std::shared_future<void> go = all.get_future().share();
  std::vector<std::promise<void>> ended(kThreads);
  WorkerPool pool("test", kThreads, 10, real_clock());
  EXPECT_EQ(pool.threads(), kThreads);
  for (size_t i = 0; i < kThreads; ++i) {
    EXPECT_TRUE(pool.submit(Priority::kInteractive, Deadline::never(), [&, i](Status) {
      if (++inside == kThreads) all.set_value();
      go.wait();
      ended[i].set_value();
    }));
  }
  for (std::promise<void>& end : ended) end.get_future().wait();
}

}  // namespace
}  // namespace souk::exec
