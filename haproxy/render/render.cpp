// SPDX-License-Identifier: Apache-2.0
#include "haproxy/render/render.h"

#include <fmt/format.h>

#include <vector>

namespace souk::haproxy {

namespace {

// What a node may take beyond its query deadline to answer that the deadline passed.
constexpr uint32_t kAnswerSlackMs = 500;

struct ErrorPage {
  int status;
  std::string_view code;
  std::string_view message;
};

// HAProxy's own answers in the form of ours.
constexpr ErrorPage kErrorPages[] = {
    {400, "invalid_argument", "the request is not valid HTTP"},
    {408, "deadline_exceeded", "the request did not arrive in time"},
    {502, "unavailable", "the node broke off its answer"},
    {503, "unavailable", "no node can answer now"},
    {504, "deadline_exceeded", "no node answered in time"},
};

// The meta nodes that this balancer sends to.
std::vector<const config::NodeConfig*> nodes_of(const config::Topology& topology, const std::string& data_center) {
  std::vector<const config::NodeConfig*> nodes;
  for (const config::NodeConfig& node : topology.nodes) {
    const config::ClusterConfig* cluster = topology.cluster(node.cluster);
    const bool production = cluster != nullptr && cluster->environment == config::Environment::kProduction;
    if (node.has_meta && production && node.data_center == data_center) nodes.push_back(&node);
  }
  return nodes;
}

// Those that may answer in part. A strict cluster never does.
std::vector<const config::NodeConfig*> mesh_nodes(const config::Topology& topology,
                                                  std::vector<const config::NodeConfig*> nodes) {
  std::erase_if(nodes, [&](const config::NodeConfig* node) {
    return topology.cluster(node->cluster)->mode != config::Mode::kMesh;
  });
  return nodes;
}

bool is_wildcard(const net::Endpoint& endpoint) {
  return endpoint.ip == "0.0.0.0" || endpoint.ip == "::";
}

// To HAProxy a server at 0.0.0.0 is at whatever address the user asked.
Status check_addresses(const std::vector<const config::NodeConfig*>& nodes) {
  for (const config::NodeConfig* node : nodes) {
    if (is_wildcard(node->public_address) || is_wildcard(node->agent_address)) {
      return fail(ErrorCode::kInvalidArgument, "a balancer cannot connect to a node that listens on all addresses",
                  node->name);
    }
  }
  return {};
}

std::string head(const config::Topology& topology, std::string_view balancer) {
  std::string text = fmt::format(
      "# Balancer {} of topology version {}, rendered by 'soukctl haproxy render'. Changes made here are lost.\n"
      "global\n"
      "    log stderr format raw local0 notice\n"
      "    maxconn {}\n"
      "    # With a low limit of open files serve fewer connections rather than not start.\n"
      "    no strict-limits\n"
      "    # A port that another HAProxy of this user has is an error, not shared with it.\n"
      "    noreuseport\n"
      "\n"
      "defaults\n"
      "    mode http\n"
      "    log global\n"
      "    timeout connect 250ms\n"
      "    timeout client 10s\n"
      "    timeout server {}ms\n"
      "    timeout check 500ms\n"
      "    timeout queue 500ms\n"
      "    timeout http-request 5s\n"
      "    timeout http-keep-alive 60s\n",
      balancer, topology.version, topology.limits.connections, topology.limits.query_deadline_ms + kAnswerSlackMs);
  for (const ErrorPage& page : kErrorPages) {
    text += fmt::format(
        "    http-error status {} content-type application/json string "
        "'{{\"error\":{{\"code\":\"{}\",\"message\":\"{}\"}}}}'\n",
        page.status, page.code, page.message);
  }
  return text;
}

std::string frontend(const config::Topology& topology, const config::BalancerConfig& balancer, bool has_degraded) {
  std::string text = fmt::format(
      "\n"
      "frontend public\n"
      "    bind {}\n"
      "    maxconn {}\n"
      "    unique-id-format %[uuid()]\n"
      "    http-request set-header X-Request-Id %[unique-id]\n",
      net::to_string(balancer.listen), topology.limits.connections);
  if (has_degraded) {
    text +=
        "    # Nobody can answer in full: whoever can in part.\n"
        "    use_backend nodes_degraded if { nbsrv(nodes) lt 1 }\n";
  }
  return text + "    default_backend nodes\n";
}

std::string backend(std::string_view name, std::string_view ping, const std::vector<const config::NodeConfig*>& nodes) {
  std::string text = fmt::format(
      "\n"
      "backend {}\n"
      "    balance random(2)\n"
      "    option httpchk\n"
      "    http-check send meth GET uri {} ver HTTP/1.1 hdr Host souk-node\n"
      "    http-check expect status 200\n"
      "    option log-health-checks\n"
      "    # A full node says 503: one other node is asked. Never for a request that may have changed something, and "
      "not\n"
      "    # for 429: then all are full.\n"
      "    retries 1\n"
      "    option redispatch 1\n"
      "    retry-on conn-failure empty-response 503\n"
      "    http-request disable-l7-retry unless METH_GET\n"
      "    # A killed node is out after three refused checks, 1.3 s at most, or two refused connections of users. What "
      "a\n"
      "    # node that fails its check has begun it may finish: sessions are not shut down.\n"
      "    default-server check inter 1s fastinter 150ms downinter 1s fall 3 rise 2\n"
      "    default-server observe layer4 error-limit 2 on-error mark-down\n"
      "    # The nodes say themselves how much of 100 they can take.\n"
      "    default-server weight 100 agent-check agent-inter 1s\n",
      name, ping);
  for (const config::NodeConfig* node : nodes) {
    text += fmt::format("    server {} {} agent-addr {} agent-port {}\n", node->name,
                        net::to_string(node->public_address), node->agent_address.ip, node->agent_address.port);
  }
  return text;
}

}  // namespace

Result<std::string> render(const config::Topology& topology, std::string_view balancer) {
  const config::BalancerConfig* found = topology.balancer(balancer);
  if (found == nullptr) {
    return fail(ErrorCode::kNotFound, "the topology has no such balancer", std::string(balancer));
  }
  const auto nodes = nodes_of(topology, found->data_center);
  if (nodes.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "no meta node of a production cluster in data centre " + found->data_center, std::string(balancer));
  }
  const Status reachable = check_addresses(nodes);
  if (!reachable) return std::unexpected(reachable.error());
  const auto degraded = mesh_nodes(topology, nodes);
  std::string text =
      head(topology, found->name) + frontend(topology, *found, !degraded.empty()) + backend("nodes", "/ping", nodes);
  if (!degraded.empty()) text += backend("nodes_degraded", "/ping?level=any", degraded);
  return text;
}

}  // namespace souk::haproxy
