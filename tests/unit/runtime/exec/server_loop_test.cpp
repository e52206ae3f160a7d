// SPDX-License-Identifier: Apache-2.0
#include "runtime/exec/server_loop.h"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
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

TEST(ServerLoop, LeavesTheSignalsAsTheyWere) {
  expect_stop_and_drain(SIGTERM);
  struct sigaction action{};
  ASSERT_EQ(sigaction(SIGTERM, nullptr, &action), 0);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
}

}  // namespace
}  // namespace souk::exec
