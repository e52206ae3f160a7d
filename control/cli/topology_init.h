// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "runtime/config/topology.h"

namespace souk::control {

// The text of a topology for one machine, all on 127.0.0.1: data centre dc1, cluster c1, node-1 … node-SHARDS each with
// one shard and the meta role, snippet-1, control, indexer, balancer-1. The balancer listens on port, nodes on the
// ports after it (peers 100, admin 300, agent 400 further), the snippet server on port + 201, control on port + 202,
// the indexer on port + 203 (for shops) and port + 204. kInvalidArgument names --port or --shards.
Result<std::string> initial_topology(uint64_t port, uint64_t shards, config::Mode mode);

}  // namespace souk::control
