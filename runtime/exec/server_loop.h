// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>

namespace souk::exec {

// Runs io on the calling thread until SIGINT or SIGTERM, then calls on_stop and lets it drain. For main().
void run_until_signal(boost::asio::io_context& io, std::function<void()> on_stop);

// The same for a server that others must notice to be leaving: a SIGTERM runs drain() first, which may take its time.
// SIGINT, or a second signal during the drain, goes to on_stop at once.
void run_until_signal(boost::asio::io_context& io, std::function<boost::asio::awaitable<void>()> drain,
                      std::function<void()> on_stop);

}  // namespace souk::exec
