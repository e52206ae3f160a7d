// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "core/base/error.h"
#include "runtime/net/http.h"

namespace souk::control {

// One blocking request to a process of the world; tests put their own in.
using Fetch = std::function<Result<net::Response>(const net::Endpoint&, net::Request)>;

net::Request get_request(std::string path, std::string query = {});

// Where to connect to for a server that listens on this: a wildcard address is the loopback one.
net::Endpoint reachable(net::Endpoint listen);

}  // namespace souk::control
