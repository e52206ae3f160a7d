// SPDX-License-Identifier: Apache-2.0
#include "runtime/exec/server_loop.h"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>

namespace souk::exec {
namespace {

void expect_stop_and_drain(int signal) {
  boost::asio::io_context io(1);
  boost::asio::steady_timer forever(io, std::chrono::hours(1));
  bool drained = false;
  forever.async_wait([&](const boost::system::error_code&) { drained = true; });
  boost::asio::post(io, [signal] { std::raise(signal); });
  int stops = 0;
  run_until_signal(io, [&] {
    ++stops;
    EXPECT_FALSE(drained);
    forever.cancel();
  });
  EXPECT_EQ(stops, 1);
  EXPECT_TRUE(drained);
}

TEST(ServerLoop, StopsOnSignalsAndDrains) {
  expect_stop_and_drain(SIGTERM);
  expect_stop_and_drain(SIGINT);
}

boost::asio::awaitable<void> wait_for(boost::asio::steady_timer* timer, bool* waited) {
  co_await timer->async_wait(boost::asio::use_awaitable);
  *waited = true;
}

// What was done until the loop ended: the drain was begun, it came to its end, on_stop was called.
struct Ending {
  int drains = 0;
  bool waited = false;
  int stops = 0;
};

Ending end_with(const std::vector<int>& signals, std::chrono::milliseconds drain_time) {
  boost::asio::io_context io(1);
  boost::asio::steady_timer timer(io, drain_time);
  Ending ending;
  for (const int signal : signals) boost::asio::post(io, [signal] { std::raise(signal); });
  const auto drain = [&] {
    ++ending.drains;
    return wait_for(&timer, &ending.waited);
  };
  run_until_signal(io, drain, [&] { ++ending.stops; });
  return ending;
}

TEST(ServerLoop, ASigtermDrainsAndThenStops) {
  const Ending ending = end_with({SIGTERM}, std::chrono::milliseconds(1));
  EXPECT_EQ(ending.drains, 1);
  EXPECT_TRUE(ending.waited);
  EXPECT_EQ(ending.stops, 1);
}

TEST(ServerLoop, ASecondSignalCutsTheDrainShort) {
  for (const int second : {SIGTERM, SIGINT}) {
    const Ending ending = end_with({SIGTERM, second}, std::chrono::hours(1));
    EXPECT_EQ(ending.drains, 1);
    EXPECT_FALSE(ending.waited);
    EXPECT_EQ(ending.stops, 1);
  }
}

TEST(ServerLoop, ASigintStopsWithoutADrain) {
  const Ending ending = end_with({SIGINT}, std::chrono::hours(1));
  EXPECT_EQ(ending.drains, 0);
  EXPECT_EQ(ending.stops, 1);
}

TEST(ServerLoop, LeavesTheSignalsAsTheyWere) {
  expect_stop_and_drain(SIGTERM);
  struct sigaction action{};
  ASSERT_EQ(sigaction(SIGTERM, nullptr, &action), 0);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
}

}  // namespace
}  // namespace souk::exec
