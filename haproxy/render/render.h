// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "runtime/config/topology.h"

namespace souk::haproxy {

// The configuration of one balancer for HAProxy 2.6: it spreads /search over the meta nodes of all production clusters
// in its own data centre; those of mesh clusters may answer in part when none can in full. The same topology gives the
// same text. kNotFound when there is no such balancer, kInvalidArgument when its data centre has no node to send
// anything to, or one whose public or agent address is a wildcard.
Result<std::string> render(const config::Topology& topology, std::string_view balancer);

}  // namespace souk::haproxy
