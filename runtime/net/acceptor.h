// SPDX-License-Identifier: Apache-2.0
// Internal to runtime/net: includes Asio's sockets.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>

#include "runtime/net/http.h"

namespace souk::net {

// Opens, binds and listens. The address it got (useful after port 0), or "address already in use: 127.0.0.1:8080".
Result<Endpoint> open_acceptor(boost::asio::ip::tcp::acceptor& acceptor, const Endpoint& endpoint);

// Hands every connection to take() until the acceptor is closed. Rests a little (pause) when the process or the machine
// has no descriptors or memory left. owner keeps all of these alive for as long as the coroutine's frame.
boost::asio::awaitable<void> accept_all(std::shared_ptr<void> owner, boost::asio::ip::tcp::acceptor& acceptor,
                                        boost::asio::steady_timer& pause,
                                        std::function<void(boost::asio::ip::tcp::socket)> take);

}  // namespace souk::net
