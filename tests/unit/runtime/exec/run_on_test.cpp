// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

#include "runtime/exec/worker_pool.h"
#include "runtime/testing/fake_clock.h"

namespace souk::exec {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// What a coroutine that awaited run_on got, and on which thread it went on.
struct Outcome {
  std::optional<Result<std::string>> result;
  std::thread::id resumed_on;
};

asio::awaitable<void> await_work(WorkerPool* pool, Deadline deadline, std::function<Result<std::string>()> work,
                                 std::shared_ptr<Outcome> outcome) {
  Result<std::string> result = co_await run_on(*pool, Priority::kInteractive, deadline, std::move(work));
  outcome->resumed_on = std::this_thread::get_id();
  outcome->result = std::move(result);
}

Outcome run(WorkerPool& pool, std::function<Result<std::string>()> work, Deadline deadline = Deadline::never()) {
  asio::io_context io(1);
  const auto outcome = std::make_shared<Outcome>();
  std::exception_ptr thrown;
  asio::co_spawn(io, await_work(&pool, deadline, std::move(work), outcome),
                 [&thrown](const std::exception_ptr& error) { thrown = error; });
  io.run();
  EXPECT_FALSE(thrown);
  return *outcome;
}

TEST(RunOn, WorksOnThePoolAndGoesOnAtHome) {
  WorkerPool pool("test", 1, 10, real_clock());
  std::thread::id worked_on;
  const Outcome outcome = run(pool, [&]() -> Result<std::string> {
    worked_on = std::this_thread::get_id();
    return "done";
  });
  ASSERT_TRUE(outcome.result && *outcome.result);
  EXPECT_EQ(**outcome.result, "done");
  EXPECT_EQ(outcome.resumed_on, std::this_thread::get_id());
  EXPECT_NE(worked_on, std::this_thread::get_id());
}

TEST(RunOn, TakesWorkThatCanOnlyBeMoved) {
  WorkerPool pool("test", 1, 10, real_clock());
  asio::io_context io(1);
  auto work = [owned = std::make_unique<int>(7)]() -> Result<std::unique_ptr<int>> {
    return std::make_unique<int>(*owned + 1);
  };
  int value = 0;
  asio::co_spawn(io, run_on(pool, Priority::kBackground, Deadline::never(), std::move(work)),
                 [&value](const std::exception_ptr&, Result<std::unique_ptr<int>> result) { value = **result; });
  io.run();
  EXPECT_EQ(value, 8);
}

TEST(RunOn, ErrorsAndExceptionsAreResults) {
  WorkerPool pool("test", 1, 10, real_clock());
  const Outcome failed = run(pool, [] -> Result<std::string> { return fail(ErrorCode::kNotFound, "no such thing"); });
  EXPECT_EQ(failed.result->error().code, ErrorCode::kNotFound);
  const Outcome thrown = run(pool, [] -> Result<std::string> { throw std::runtime_error("oops"); });
  EXPECT_EQ(thrown.result->error().code, ErrorCode::kInternal);
  EXPECT_EQ(thrown.result->error().message, "oops");
}

TEST(RunOn, AFullQueueIsOverload) {
  WorkerPool pool("test", 1, 0, real_clock());
  const Outcome outcome = run(pool, [] -> Result<std::string> { return "never"; });
  EXPECT_EQ(outcome.result->error().code, ErrorCode::kOverloaded);
}

TEST(RunOn, APassedDeadlineIsNotWorkedOn) {
  testing::FakeClock clock;
  WorkerPool pool("test", 1, 10, clock);
  std::atomic<bool> ran = false;
  const Outcome outcome = run(
      pool,
      [&]() -> Result<std::string> {
        ran = true;
        return "late";
      },
      Deadline::after(clock, 0ms));
  EXPECT_EQ(outcome.result->error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_FALSE(ran);
}

TEST(RunOn, ManyCoroutinesAtOnce) {
  WorkerPool pool("test", 3, 1000, real_clock());
  asio::io_context io(1);
  int sum = 0;
  for (int i = 1; i <= 500; ++i) {
    auto work = [i] -> Result<int> { return i; };
    asio::co_spawn(io, run_on(pool, Priority::kInteractive, Deadline::never(), work),
                   [&sum](const std::exception_ptr&, Result<int> result) { sum += *result; });
  }
  io.run();
  EXPECT_EQ(sum, 500 * 501 / 2);
}

// One thread that is kept busy, and a coroutine whose work waits behind it.
struct Queued {
  explicit Queued(asio::io_context& io, WorkerPool& pool) {
    EXPECT_TRUE(pool.submit(Priority::kInteractive, Deadline::never(), [this](Status) {
      entered.set_value();
      release.get_future().wait();
    }));
    entered.get_future().wait();
    asio::co_spawn(io, await_work(&pool, Deadline::never(), std::bind_front(&Queued::work, this), outcome),
                   asio::bind_cancellation_slot(cancel.slot(), [this](const std::exception_ptr& error) {
                     ended = true;
                     thrown = error;
                   }));
    io.poll();
  }
  Result<std::string> work() {
    ran = true;
    return "ran";
  }

  std::promise<void> entered;
  std::promise<void> release;
  asio::cancellation_signal cancel;
  std::shared_ptr<Outcome> outcome = std::make_shared<Outcome>();
  std::atomic<bool> ran = false;
  bool ended = false;
  std::exception_ptr thrown;
};

TEST(RunOn, ACancelledCoroutineDoesNotWaitAndItsWorkIsSkipped) {
  asio::io_context io(1);
  auto pool = std::make_unique<WorkerPool>("test", 1, 10, real_clock());
  Queued queued(io, *pool);
  EXPECT_FALSE(queued.ended);
  queued.cancel.emit(asio::cancellation_type::terminal);
  io.restart();
  io.poll();  // the worker is still busy
  ASSERT_TRUE(queued.ended);
  EXPECT_FALSE(queued.outcome->result);
  ASSERT_TRUE(queued.thrown);
  try {
    std::rethrow_exception(queued.thrown);
  } catch (const boost::system::system_error& error) {
    EXPECT_EQ(error.code(), asio::error::operation_aborted);
  }
  queued.release.set_value();
  const auto behind = std::make_shared<std::promise<void>>();
  EXPECT_TRUE(pool->submit(Priority::kBackground, Deadline::never(), [behind](Status) { behind->set_value(); }));
  behind->get_future().wait();
  EXPECT_FALSE(queued.ran);
  io.restart();
  io.run();
}

TEST(RunOn, AnIoContextMayEndWithTheResultUnread) {
  const auto io = std::make_unique<asio::io_context>(1);
  auto pool = std::make_unique<WorkerPool>("test", 1, 10, real_clock());
  Queued queued(*io, *pool);
  queued.release.set_value();
  pool.reset();
  EXPECT_FALSE(queued.outcome->result);
  EXPECT_FALSE(queued.ended);
}

}  // namespace
}  // namespace souk::exec
