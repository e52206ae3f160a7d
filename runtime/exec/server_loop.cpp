// SPDX-License-Identifier: Apache-2.0
#include "runtime/exec/server_loop.h"

#include <boost/asio/signal_set.hpp>
#include <csignal>

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

}  // namespace souk::exec
