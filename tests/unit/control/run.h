// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <utility>

namespace souk::testing {

// Runs a coroutine, and whatever it left running, to the end on this thread.
template <typename T>
T run(boost::asio::io_context& io, boost::asio::awaitable<T> work) {
  std::optional<T> result;
  std::exception_ptr thrown;
  boost::asio::co_spawn(io, std::move(work), [&](std::exception_ptr error, T value) {
    thrown = error;
    result = std::move(value);
  });
  io.restart();
  io.run();
  if (thrown) std::rethrow_exception(thrown);
  return std::move(*result);
}

inline void run(boost::asio::io_context& io, boost::asio::awaitable<void> work) {
  std::exception_ptr thrown;
  boost::asio::co_spawn(io, std::move(work), [&](std::exception_ptr error) { thrown = error; });
  io.restart();
  io.run();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace souk::testing
