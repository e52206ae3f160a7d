// SPDX-License-Identifier: Apache-2.0
// Internal to runtime/net: includes Asio's sockets.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include "runtime/net/http.h"

namespace souk::net {

// How long accepting rests when the process or the machine has no descriptors or memory left.
inline constexpr std::chrono::milliseconds kAcceptPause{100};

// Opens, binds and listens. The address it got (useful after port 0), or "address already in use: 127.0.0.1:8080".
Result<Endpoint> open_acceptor(boost::asio::ip::tcp::acceptor& acceptor, const Endpoint& endpoint);

}  // namespace souk::net
