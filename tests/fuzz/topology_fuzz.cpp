// SPDX-License-Identifier: Apache-2.0
// Any bytes as topology.toml: a refusal names the file in one line, and whatever is accepted hangs together.
#include <cstdint>
#include <set>
#include <string_view>

#include "core/base/error.h"
#include "runtime/config/topology.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace souk;
  const auto topology = config::parse_topology({reinterpret_cast<const char*>(data), size}, "topology.toml");
  if (!topology) {
    SOUK_CHECK(topology.error().message.starts_with("topology.toml:"));
    SOUK_CHECK(!topology.error().message.contains('\n'));
    return 0;
  }
  std::set<std::string> names;
  std::set<net::Endpoint> addresses;
  for (const config::NodeConfig& node : topology->nodes) {
    const config::ClusterConfig* cluster = topology->cluster(node.cluster);
    SOUK_CHECK(cluster != nullptr && node.shard <= cluster->shards);
    SOUK_CHECK(node.has_shard == (node.shard > 0) && (node.has_shard || node.has_meta));
    SOUK_CHECK(names.insert(node.name).second && topology->node(node.name) == &node);
    for (const net::Endpoint& own : {node.peer_address, node.admin_address}) {
      SOUK_CHECK(net::is_loopback(own) && addresses.insert(own).second);
    }
  }
  for (const config::ClusterConfig& cluster : topology->clusters) {
    std::set<uint32_t> held;
    for (const config::NodeConfig& node : topology->nodes) {
      if (node.cluster == cluster.name && node.has_shard) held.insert(node.shard);
    }
    SOUK_CHECK(cluster.shards >= 1 && held.size() == cluster.shards);
  }
  return 0;
}
