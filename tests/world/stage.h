// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <utility>

#include "runtime/testing/fake_clock.h"
#include "tests/world/watched_transport.h"

namespace souk::world {

// What servers in one process stand on: one thread, a clock that stands still, a transport without sockets.
class Stage {
 public:
  // Runs a coroutine to its end, and whatever it left running; what pool threads do is waited for. When all that is
  // left waits for something that hangs, time goes on to the first deadline.
  template <typename T>
  T run(boost::asio::awaitable<T> work) {
    std::optional<T> result;
    std::exception_ptr thrown;
    boost::asio::co_spawn(io, std::move(work), [&](std::exception_ptr error, T value) {
      thrown = error;
      result = std::move(value);
    });
    drive();
    if (thrown) std::rethrow_exception(thrown);
    return std::move(*result);
  }
  void run(boost::asio::awaitable<void> work);
  void drive();

  testing::FakeClock clock;
  boost::asio::io_context io;
  WatchedTransport transport{clock};
};

}  // namespace souk::world
