// SPDX-License-Identifier: Apache-2.0
#include "runtime/exec/server_loop.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <exception>

namespace souk::exec {

void run_until_signal(boost::asio::io_context& io, std::function<void()> on_stop) {
  boost::asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&](const boost::system::error_code& error, int /*signal*/) {
    if (error) return;
    boost::system::error_code ignored;
    signals.clear(ignored);  // a second signal ends the process at once
    on_stop();
  });
  io.run();
}

void run_until_signal(boost::asio::io_context& io, std::function<boost::asio::awaitable<void>()> drain,
                      std::function<void()> on_stop) {
  boost::asio::signal_set signals(io, SIGINT, SIGTERM);
  boost::asio::cancellation_signal end_drain;
  const auto stop = [&] {
    boost::system::error_code ignored;
    signals.cancel(ignored);
    signals.clear(ignored);  // the next signal ends the process at once
    on_stop();
  };
  signals.async_wait([&](const boost::system::error_code& error, int signal) {
    if (error) return;
    if (signal == SIGINT) {
      stop();
      return;
    }
    const auto drained = [&stop](const std::exception_ptr& /*cancelled*/) { stop(); };
    boost::asio::co_spawn(io, drain(), boost::asio::bind_cancellation_slot(end_drain.slot(), drained));
    signals.async_wait([&end_drain](const boost::system::error_code& ended, int /*signal*/) {
      if (!ended) end_drain.emit(boost::asio::cancellation_type::terminal);
    });
  });
  io.run();
}

}  // namespace souk::exec
