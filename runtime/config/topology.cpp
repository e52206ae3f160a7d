// SPDX-License-Identifier: Apache-2.0
#include "runtime/config/topology.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "runtime/config/table_reader.h"
#include "runtime/config/toml_guard.h"

namespace souk::config {

namespace {

constexpr int64_t kMaxShards = 4096;  // as many as there are opened slots
constexpr size_t kMaxName = 40;

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxName &&
         std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

bool is_any_address(const net::Endpoint& endpoint) {
  return endpoint.ip == "0.0.0.0" || endpoint.ip == "::";
}

std::optional<Environment> to_environment(std::string_view text) {
  for (const Environment environment :
       {Environment::kProduction, Environment::kTesting, Environment::kPrestable, Environment::kShadow}) {
    if (text == to_string(environment)) return environment;
  }
  return std::nullopt;
}

// Reads a whole file, table by table. Names are looked up, and doubled ones refused, as they come: the file's order is
// data centres, clusters, then what refers to them, whatever order it is written in.
class TopologyReader {
 public:
  explicit TopologyReader(const std::string& file_name) : errors_(file_name) {}

  Result<Topology> read(const ConfigValue& root) {
    TableReader top(root, "the topology", errors_);
    topology_.version = static_cast<uint32_t>(top.integer("version", 1, UINT32_MAX));
    for (const ConfigValue* table : top.tables("data_centers")) read_data_center(*table);
    for (const ConfigValue* table : top.tables("clusters")) read_cluster(*table);
    for (const ConfigValue* table : top.tables("nodes")) read_node(*table);
    for (const ConfigValue* table : top.tables("snippets")) read_snippet(*table);
    for (const ConfigValue* table : top.tables("balancers")) read_balancer(*table);
    if (const ConfigValue* table = top.table("control")) {
      read_control(*table);
    } else {
      errors_.add(root.line, "the topology has no [control]");
    }
    if (const ConfigValue* table = top.table("indexer")) read_indexer(*table);
    if (const ConfigValue* table = top.table("limits")) read_limits(*table);
    top.refuse_unknown();
    if (topology_.clusters.empty()) errors_.add(root.line, "the topology has no [[clusters]]");
    for (const ConfigValue* table : top.tables("clusters")) check_shards(*table);
    if (errors_.any()) return std::unexpected(errors_.get());
    return std::move(topology_);
  }

 private:
  // A name of `kind`, unique among those that share `taken`.
  std::string name(TableReader& table, std::map<std::string, int>& taken) {
    const std::string text = table.text("name");
    const int line = table.line_of("name");
    if (!is_name(text)) {
      errors_.add(line, "a name must be 1 to 40 of a-z, 0-9 and -");
    } else if (const auto [other, is_new] = taken.emplace(text, line); !is_new) {
      errors_.add(line, fmt::format("the name '{}' is taken by line {}", text, other->second));
    }
    return text;
  }

  std::string data_center(TableReader& table) {
    const std::string text = table.text("data_center");
    if (!data_centers_.contains(text)) errors_.add(table.line_of("data_center"), "no data centre of this name");
    return text;
  }

  Environment environment(TableReader& table) {
    const std::optional<Environment> found = to_environment(table.text("environment"));
    if (!found) errors_.add(table.line_of("environment"), "must be production, testing, prestable or shadow");
    return found.value_or(Environment::kProduction);
  }

  Mode mode(TableReader& table) {
    const std::string text = table.text_or("mode", "mesh");
    if (text != "mesh" && text != "strict") errors_.add(table.line_of("mode"), "must be mesh or strict");
    return text == "strict" ? Mode::kStrict : Mode::kMesh;
  }

  // An address nobody else listens on.
  net::Endpoint address(TableReader& table, std::string_view key, bool loopback_only) {
    const int line = table.line_of(key);
    const Result<net::Endpoint> parsed = net::parse_endpoint(table.text(key));
    if (!parsed || parsed->port == 0) {
      errors_.add(line, fmt::format("'{}' must be a numeric address with a port, such as 127.0.0.1:8080", key));
      return {};
    }
    if (loopback_only && !net::is_loopback(*parsed)) {
      errors_.add(line, fmt::format("'{}' must be a loopback address: the servers do not encrypt yet", key));
    }
    for (const auto& [other, other_line] : addresses_) {
      const bool same_ip = other.ip == parsed->ip || is_any_address(other) || is_any_address(*parsed);
      if (same_ip && other.port == parsed->port) {
        errors_.add(line, fmt::format("the address {} is taken by line {}", to_string(*parsed), other_line));
      }
    }
    addresses_.emplace_back(*parsed, line);
    return *parsed;
  }

  void read_data_center(const ConfigValue& value) {
    TableReader table(value, "[[data_centers]]", errors_);
    topology_.data_centers.push_back(name(table, data_centers_));
    table.refuse_unknown();
  }

  void read_cluster(const ConfigValue& value) {
    TableReader table(value, "[[clusters]]", errors_);
    ClusterConfig cluster;
    cluster.name = name(table, clusters_);
    cluster.environment = environment(table);
    cluster.mode = mode(table);
    cluster.shards = static_cast<uint32_t>(table.integer("shards", 1, kMaxShards));
    table.refuse_unknown();
    topology_.clusters.push_back(std::move(cluster));
  }

  void read_node(const ConfigValue& value) {
    TableReader table(value, "[[nodes]]", errors_);
    NodeConfig node;
    node.name = name(table, processes_);
    node.cluster = table.text("cluster");
    const ClusterConfig* cluster = topology_.cluster(node.cluster);
    if (cluster == nullptr) errors_.add(table.line_of("cluster"), "no cluster of this name");
    node.data_center = data_center(table);
    node.rack = table.text_or("rack", "");
    if (!node.rack.empty() && !is_name(node.rack)) {
      errors_.add(table.line_of("rack"), "a rack must be 1 to 40 of a-z, 0-9 and -");
    }
    read_roles(table, cluster == nullptr ? kMaxShards : cluster->shards, node);
    node.public_address = address(table, "public", false);
    node.peer_address = address(table, "peer", true);
    node.admin_address = address(table, "admin", true);
    node.agent_address = address(table, "agent", false);
    table.refuse_unknown();
    topology_.nodes.push_back(std::move(node));
  }

  void read_roles(TableReader& table, int64_t shards, NodeConfig& node) {
    for (const auto& [role, line] : table.texts("roles", true)) {
      if (role != "shard" && role != "meta") errors_.add(line, "a role is shard or meta");
      bool& has = role == "shard" ? node.has_shard : node.has_meta;
      if (has) errors_.add(line, "a role is named twice");
      has = true;
    }
    if (node.has_shard) {
      node.shard = static_cast<uint32_t>(table.integer("shard", 1, shards));
      const auto [other, is_new] = shards_.emplace(std::pair(node.cluster, node.shard), table.line_of("shard"));
      if (!is_new) {
        errors_.add(table.line_of("shard"),
                    fmt::format("shard {} of this cluster is held by the node of line {}: there are no replicas yet",
                                node.shard, other->second));
      }
    } else if (table.has("shard")) {
      errors_.add(table.line_of("shard"), "'shard' needs the shard role");
    }
  }

  void read_snippet(const ConfigValue& value) {
    TableReader table(value, "[[snippets]]", errors_);
    SnippetConfig snippet;
    snippet.name = name(table, processes_);
    snippet.data_center = data_center(table);
    snippet.environment = environment(table);
    snippet.address = address(table, "address", true);
    table.refuse_unknown();
    topology_.snippets.push_back(std::move(snippet));
  }

  void read_balancer(const ConfigValue& value) {
    TableReader table(value, "[[balancers]]", errors_);
    BalancerConfig balancer;
    balancer.name = name(table, processes_);
    balancer.data_center = data_center(table);
    balancer.listen = address(table, "listen", false);
    table.refuse_unknown();
    topology_.balancers.push_back(std::move(balancer));
  }

  void read_control(const ConfigValue& value) {
    TableReader table(value, "[control]", errors_);
    topology_.control.name = name(table, processes_);
    topology_.control.address = address(table, "address", true);
    table.refuse_unknown();
  }

  void read_indexer(const ConfigValue& value) {
    TableReader table(value, "[indexer]", errors_);
    IndexerConfig& indexer = topology_.indexer;
    indexer.name = name(table, processes_);
    indexer.partner_address = address(table, "partner", false);
    indexer.admin_address = address(table, "admin", true);
    indexer.postgres = table.text_or("postgres", "");
    indexer.private_feeds = table.flag_or("private_feeds", false);
    indexer.build_period_s = table.integer_or("build_period_s", 1, 86'400, indexer.build_period_s);
    indexer.build_memory_mib = table.integer_or("build_memory_mib", 1, 1 << 20, indexer.build_memory_mib);
    table.refuse_unknown();
  }

  void read_limits(const ConfigValue& value) {
    TableReader table(value, "[limits]", errors_);
    Limits& limits = topology_.limits;
    limits.query_deadline_ms = table.integer_or("query_deadline_ms", 10, 60'000, limits.query_deadline_ms);
    limits.queries = table.integer_or("queries", 1, 100'000, limits.queries);
    limits.search_threads = table.integer_or("search_threads", 1, 256, limits.search_threads);
    limits.search_queue = table.integer_or("search_queue", 1, 100'000, limits.search_queue);
    limits.snippet_threads = table.integer_or("snippet_threads", 1, 256, limits.snippet_threads);
    limits.snippet_queue = table.integer_or("snippet_queue", 1, 100'000, limits.snippet_queue);
    limits.connections = table.integer_or("connections", 16, 1'000'000, limits.connections);
    table.refuse_unknown();
  }

  void check_shards(const ConfigValue& value) {
    TableReader table(value, "[[clusters]]", errors_);
    const ClusterConfig* cluster = topology_.cluster(table.text("name"));
    if (cluster == nullptr) return;
    for (uint32_t shard = 1; shard <= cluster->shards; ++shard) {
      const bool held = std::ranges::any_of(topology_.nodes, [&](const NodeConfig& node) {
        return node.has_shard && node.shard == shard && node.cluster == cluster->name;
      });
      if (held) continue;
      errors_.add(value.line, fmt::format("no node of cluster '{}' holds shard {}", cluster->name, shard));
      return;
    }
  }

  FirstError errors_;
  Topology topology_;
  std::map<std::string, int> data_centers_;  // name -> line
  std::map<std::string, int> clusters_;
  std::map<std::pair<std::string, uint32_t>, int> shards_;
  std::map<std::string, int> processes_;  // one name space: --name, pid files and logs go by it
  std::vector<std::pair<net::Endpoint, int>> addresses_;
};

template <typename T>
const T* find_by_name(const std::vector<T>& items, std::string_view name) {
  const auto found = std::ranges::find_if(items, [&](const T& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

std::string_view to_string(Environment environment) {
  switch (environment) {
    case Environment::kProduction:
      return "production";
    case Environment::kTesting:
      return "testing";
    case Environment::kPrestable:
      return "prestable";
    case Environment::kShadow:
      return "shadow";
  }
  return "unknown";
}

std::string_view to_string(Mode mode) {
  return mode == Mode::kStrict ? "strict" : "mesh";
}

const NodeConfig* Topology::node(std::string_view name) const {
  return find_by_name(nodes, name);
}
const ClusterConfig* Topology::cluster(std::string_view name) const {
  return find_by_name(clusters, name);
}
const SnippetConfig* Topology::snippet(std::string_view name) const {
  return find_by_name(snippets, name);
}
const BalancerConfig* Topology::balancer(std::string_view name) const {
  return find_by_name(balancers, name);
}

Result<Topology> parse_topology(std::string_view text, const std::string& file_name) {
  const Result<ConfigValue> root = parse_config(text, file_name);
  if (!root) return std::unexpected(root.error());
  return TopologyReader(file_name).read(*root);
}

Result<Topology> load_topology(const std::string& path) {
  const Result<std::string> text = read_config_file(path);
  if (!text) return std::unexpected(text.error());
  return parse_topology(*text, path);
}

}  // namespace souk::config
