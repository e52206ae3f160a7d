// SPDX-License-Identifier: Apache-2.0
#include "control/cli/topology_init.h"

#include <fmt/format.h>

namespace souk::control {

namespace {

constexpr uint64_t kMaxShards = 100;  // more would reach into the peer ports
constexpr uint64_t kPeerPorts = 100;
constexpr uint64_t kSnippetPort = 201;
constexpr uint64_t kControlPort = 202;
constexpr uint64_t kPartnerPort = 203;
constexpr uint64_t kIndexerAdminPort = 204;
constexpr uint64_t kAdminPorts = 300;
constexpr uint64_t kAgentPorts = 400;
constexpr uint64_t kHighestPort = 65'535;
constexpr uint64_t kHighestBase = kHighestPort - kAgentPorts - kMaxShards;

}  // namespace

Result<std::string> initial_topology(uint64_t port, uint64_t shards, config::Mode mode) {
  if (port == 0 || port > kHighestBase) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("must be in 1..{}", kHighestBase), "--port");
  }
  if (shards == 0 || shards > kMaxShards) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("must be in 1..{}", kMaxShards), "--shards");
  }
  std::string text = fmt::format(
      "# The machines of this world. Every process reads this file.\n"
      "version = 1\n"
      "\n"
      "[[data_centers]]\n"
      "name = \"dc1\"\n"
      "\n"
      "[[clusters]]\n"
      "name = \"c1\"\n"
      "environment = \"production\"\n"
      "mode = \"{}\"\n"
      "shards = {}\n",
      to_string(mode), shards);
  for (uint64_t shard = 1; shard <= shards; ++shard) {
    text += fmt::format(
        "\n"
        "[[nodes]]\n"
        "name = \"node-{0}\"\n"
        "cluster = \"c1\"\n"
        "data_center = \"dc1\"\n"
        "rack = \"r1\"\n"
        "roles = [\"shard\", \"meta\"]\n"
        "shard = {0}\n"
        "public = \"127.0.0.1:{1}\"\n"
        "peer = \"127.0.0.1:{2}\"\n"
        "admin = \"127.0.0.1:{3}\"\n"
        "agent = \"127.0.0.1:{4}\"\n",
        shard, port + shard, port + kPeerPorts + shard, port + kAdminPorts + shard, port + kAgentPorts + shard);
  }
  text += fmt::format(
      "\n"
      "[[snippets]]\n"
      "name = \"snippet-1\"\n"
      "data_center = \"dc1\"\n"
      "environment = \"production\"\n"
      "address = \"127.0.0.1:{}\"\n"
      "\n"
      "[control]\n"
      "name = \"control\"\n"
      "address = \"127.0.0.1:{}\"\n"
      "\n"
      "[indexer]\n"
      "name = \"indexer\"\n"
      "partner = \"127.0.0.1:{}\"\n"
      "admin = \"127.0.0.1:{}\"\n"
      "\n"
      "[[balancers]]\n"
      "name = \"balancer-1\"\n"
      "data_center = \"dc1\"\n"
      "listen = \"127.0.0.1:{}\"\n",
      port + kSnippetPort, port + kControlPort, port + kPartnerPort, port + kIndexerAdminPort, port);
  return text;
}

}  // namespace souk::control
