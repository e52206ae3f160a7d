// SPDX-License-Identifier: Apache-2.0
#include "runtime/testing/in_process_transport.h"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>

#include "runtime/testing/fake_clock.h"

namespace souk::testing {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

const net::Endpoint kNode{"127.77.1.9", 1};

// Counts handlers that have ended, however they did.
struct Counts {
  int begun = 0;
  int ended = 0;
};

struct EndMark {
  explicit EndMark(Counts* counts) : counts_(counts) { ++counts->begun; }
  ~EndMark() { ++counts_->ended; }
  EndMark(const EndMark&) = delete;
  EndMark& operator=(const EndMark&) = delete;

 private:
  Counts* counts_;
};

asio::awaitable<net::Response> answer(Counts* counts, net::Request request) {
  const EndMark mark(counts);
  if (request.path == "/hang") {
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer(executor, std::chrono::hours(1));
    co_await timer.async_wait(asio::use_awaitable);
  }
  if (request.path == "/throw") throw std::runtime_error("broken");
  co_return net::Response{.status = 201, .content_type = "text/plain", .headers = {}, .body = request.body};
}

class InProcessTransportTest : public ::testing::Test {
 protected:
  InProcessTransportTest() {
    transport.serve(kNode, [this](net::Request request) { return answer(&counts, std::move(request)); });
  }

  // Begins a request; run() or step() go on with it.
  void begin(net::Request request, net::Endpoint endpoint = kNode) {
    asio::co_spawn(io, transport.send(std::move(endpoint), std::move(request), Deadline::after(clock, 100ms)),
                   asio::bind_cancellation_slot(cancel.slot(),
                                                [this](const std::exception_ptr& thrown, Result<net::Response> reply) {
                                                  if (!thrown) result = std::move(reply);
                                                  ended = true;
                                                }));
  }

  FakeClock clock;
  asio::io_context io{1};
  InProcessTransport transport{clock};
  Counts counts;
  asio::cancellation_signal cancel;
  std::optional<Result<net::Response>> result;
  bool ended = false;
};

TEST_F(InProcessTransportTest, ReachesTheHandler) {
  begin({.method = "POST", .body = "hello"});
  io.run();
  ASSERT_TRUE(result && *result);
  EXPECT_EQ((*result)->status, 201);
  EXPECT_EQ((*result)->body, "hello");
  EXPECT_EQ(transport.requests(kNode), 1U);
}

TEST_F(InProcessTransportTest, AThrownExceptionIs500) {
  begin({.path = "/throw"});
  io.run();
  ASSERT_TRUE(result && *result);
  EXPECT_EQ((*result)->status, 500);
}

TEST_F(InProcessTransportTest, RefusesWithoutAHandlerOrByFault) {
  begin({}, {"127.77.1.9", 2});
  io.run();
  ASSERT_TRUE(result && !*result);
  EXPECT_EQ(result->error().code, ErrorCode::kUnavailable);
  transport.set_fault(kNode, Fault::kRefuse);
  begin({});
  io.restart();
  io.run();
  EXPECT_EQ(result->error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(counts.begun, 0);
  transport.set_fault(kNode, Fault::kNone);
  begin({});
  io.restart();
  io.run();
  EXPECT_TRUE(*result);
  EXPECT_EQ(transport.requests(kNode), 2U);
}

TEST_F(InProcessTransportTest, AHangingServerEndsAtTheDeadlineOfTheFakeClock) {
  transport.set_fault(kNode, Fault::kHang);
  begin({});
  for (int i = 0; i < 5; ++i) io.run_one();
  EXPECT_FALSE(ended);
  clock.advance(100ms);
  io.run();
  ASSERT_TRUE(result && !*result);
  EXPECT_EQ(result->error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(counts.begun, 0);
}

TEST_F(InProcessTransportTest, TheDeadlineCancelsTheHandler) {
  begin({.path = "/hang"});
  while (counts.begun == 0) io.run_one();
  clock.advance(100ms);
  io.run();
  EXPECT_EQ(counts.ended, 1);
  EXPECT_EQ(result->error().code, ErrorCode::kDeadlineExceeded);
}

TEST_F(InProcessTransportTest, ACancelledCallerCancelsTheHandler) {
  begin({.path = "/hang"});
  while (counts.begun == 0) io.run_one();
  asio::post(io, [this] { cancel.emit(asio::cancellation_type::terminal); });
  io.run();
  EXPECT_TRUE(ended);
  EXPECT_FALSE(result);
  EXPECT_EQ(counts.ended, 1);
}

TEST(FakeClock, MovesOnlyWhenTold) {
  FakeClock clock(1000);
  const Deadline deadline = Deadline::after(clock, 5s);
  EXPECT_FALSE(deadline.passed(clock));
  EXPECT_EQ(deadline.remaining(clock), 5s);
  clock.advance(5s);
  EXPECT_TRUE(deadline.passed(clock));
  EXPECT_EQ(clock.unix_seconds(), 1005);
  clock.set_unix_seconds(7);
  EXPECT_EQ(clock.unix_seconds(), 7);
  EXPECT_TRUE(deadline.passed(clock));
}

}  // namespace
}  // namespace souk::testing
