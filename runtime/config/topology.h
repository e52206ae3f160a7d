// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "runtime/net/http.h"

namespace souk::config {

enum class Environment { kProduction, kTesting, kPrestable, kShadow };
std::string_view to_string(Environment environment);

// What a cluster does when a node is missing or different: strict = all its nodes stop answering, mesh = whoever can
// answer goes on and says what is missing.
enum class Mode { kMesh, kStrict };
std::string_view to_string(Mode mode);

struct NodeConfig {
  std::string name;
  std::string cluster;
  std::string data_center;
  std::string rack;
  bool has_shard = false;  // roles = ["shard", "meta"]
  bool has_meta = false;
  uint32_t shard = 0;            // from 1; 0 without the shard role
  net::Endpoint public_address;  // users and the balancer
  net::Endpoint peer_address;    // /shardN
  net::Endpoint admin_address;   // /status, /metrics, /ping: answers whatever the load
  net::Endpoint agent_address;   // the balancer's agent check
};

struct ClusterConfig {
  std::string name;
  Environment environment = Environment::kProduction;
  Mode mode = Mode::kMesh;
  uint32_t shards = 0;
};

struct SnippetConfig {
  std::string name;
  std::string data_center;
  Environment environment = Environment::kProduction;
  net::Endpoint address;
};

struct ControlConfig {
  std::string name;
  net::Endpoint address;
};

// The process that reads feeds and owns the catalogue.
struct IndexerConfig {
  std::string name = "indexer";
  net::Endpoint partner_address;     // for shops; port 0 = no [indexer], so nothing can be served
  net::Endpoint admin_address;       // for operators: loopback
  std::string postgres;              // connection of the catalogue's database; empty = RocksDB in the world's folder
  bool private_feeds = false;        // feeds may come from loopback and private addresses
  uint32_t build_period_s = 60;      // 1..86400, between two builds at least
  uint32_t build_memory_mib = 1024;  // 1..1048576
};

struct BalancerConfig {
  std::string name;
  std::string data_center;
  net::Endpoint listen;
};

// Bounded resources of one process. Every limit has a key of this name in [limits].
struct Limits {
  uint32_t query_deadline_ms = 1000;  // 10..60000, of one /search
  uint32_t queries = 64;              // 1..100000, whole queries at once in a node; more are refused
  uint32_t search_threads = 1;        // 1..256, shard work
  uint32_t search_queue = 256;        // 1..100000, sub-queries waiting for them
  uint32_t snippet_threads = 1;       // 1..256
  uint32_t snippet_queue = 256;       // 1..100000
  uint32_t connections = 4096;        // 16..1000000, per port
};

// The machines of a world: one file, read by every process.
struct Topology {
  uint32_t version = 0;
  std::vector<std::string> data_centers;
  std::vector<ClusterConfig> clusters;
  std::vector<NodeConfig> nodes;
  std::vector<SnippetConfig> snippets;
  ControlConfig control;
  IndexerConfig indexer;
  std::vector<BalancerConfig> balancers;
  Limits limits;

  const NodeConfig* node(std::string_view name) const;
  const ClusterConfig* cluster(std::string_view name) const;
  const SnippetConfig* snippet(std::string_view name) const;
  const BalancerConfig* balancer(std::string_view name) const;
};

// Refuses, with file, line and reason: unreadable or over 1 MiB, not UTF-8, not TOML, an unknown key, a value out of
// its bounds, a doubled name, address or shard, a name that is not [a-z0-9-]{1,40}, an unknown data centre or cluster,
// a cluster with a shard nobody holds, a peer, admin, control or snippet address that is not loopback (mTLS is not
// there yet).
Result<Topology> load_topology(const std::string& path);
Result<Topology> parse_topology(std::string_view text, const std::string& file_name);

}  // namespace souk::config
