// SPDX-License-Identifier: Apache-2.0
#include "runtime/config/topology.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace souk::config {
namespace {

// Line numbers of the tests below refer to this text.
constexpr std::string_view kGood = R"(version = 3
[limits]
query_deadline_ms = 500
search_threads = 2
queries = 10
[control]
name = "control"
address = "127.0.0.1:8202"
[[data_centers]]
name = "dc1"
[[clusters]]
name = "c1"
environment = "production"
mode = "strict"
shards = 2
[[nodes]]
name = "node-1"
cluster = "c1"
data_center = "dc1"
rack = "r1"
roles = ["shard", "meta"]
shard = 1
public = "127.0.0.1:8001"
peer = "127.0.0.1:8101"
admin = "127.0.0.1:8301"
agent = "127.0.0.1:8401"
[[nodes]]
name = "node-2"
cluster = "c1"
data_center = "dc1"
roles = ["shard"]
shard = 2
public = "127.0.0.1:8002"
peer = "127.0.0.1:8102"
admin = "127.0.0.1:8302"
agent = "127.0.0.1:8402"
[[nodes]]
name = "node-3"
cluster = "c1"
data_center = "dc1"
roles = ["meta"]
public = "127.0.0.1:8003"
peer = "127.0.0.1:8103"
admin = "127.0.0.1:8303"
agent = "127.0.0.1:8403"
[[snippets]]
name = "snippet-1"
data_center = "dc1"
environment = "production"
address = "127.0.0.1:8201"
[[balancers]]
name = "balancer-1"
data_center = "dc1"
listen = "0.0.0.0:8080"
)";

TEST(Topology, ReadsEverything) {
  const Result<Topology> topology = parse_topology(kGood, "t.toml");
  ASSERT_TRUE(topology) << to_string(topology.error());
  EXPECT_EQ(topology->version, 3U);
  EXPECT_EQ(topology->data_centers, std::vector<std::string>{"dc1"});
  EXPECT_EQ(topology->limits.query_deadline_ms, 500U);
  EXPECT_EQ(topology->limits.search_threads, 2U);
  EXPECT_EQ(topology->limits.queries, 10U);
  EXPECT_EQ(topology->limits.search_queue, Limits{}.search_queue);
  EXPECT_EQ(topology->control.name, "control");
  EXPECT_EQ(topology->control.address, (net::Endpoint{"127.0.0.1", 8202}));
  const ClusterConfig* cluster = topology->cluster("c1");
  ASSERT_NE(cluster, nullptr);
  EXPECT_EQ(cluster->environment, Environment::kProduction);
  EXPECT_EQ(cluster->mode, Mode::kStrict);
  EXPECT_EQ(cluster->shards, 2U);
  const NodeConfig* node = topology->node("node-1");
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(node->rack, "r1");
  EXPECT_TRUE(node->has_shard && node->has_meta);
  EXPECT_EQ(node->shard, 1U);
  EXPECT_EQ(node->public_address.port, 8001);
  EXPECT_EQ(node->peer_address.port, 8101);
  EXPECT_EQ(node->admin_address.port, 8301);
  EXPECT_EQ(node->agent_address.port, 8401);
  EXPECT_FALSE(topology->node("node-2")->has_meta);
  EXPECT_EQ(topology->node("node-3")->shard, 0U);
  EXPECT_EQ(topology->snippet("snippet-1")->address.port, 8201);
  EXPECT_EQ(topology->balancer("balancer-1")->listen, (net::Endpoint{"0.0.0.0", 8080}));
  EXPECT_EQ(topology->node("node-4"), nullptr);
  EXPECT_EQ(topology->cluster("node-1"), nullptr);
  EXPECT_EQ(topology->snippet(""), nullptr);
  EXPECT_EQ(topology->balancer("x"), nullptr);
}

// kGood with line `line` (from 1) replaced by `text`.
std::string with_line(int line, std::string_view text) {
  std::string out;
  size_t at = 0;
  for (int i = 1; at < kGood.size(); ++i) {
    const size_t end = kGood.find('\n', at);
    out += i == line ? text : kGood.substr(at, end - at);
    out += '\n';
    at = end + 1;
  }
  return out;
}

struct Refusal {
  int line;  // replaced
  std::string text;
  std::string message;  // after "t.toml:"
};

TEST(Topology, RefusesWithFileLineAndReason) {
  const std::vector<Refusal> refusals = {
      {1, "version = 0", "1: 'version' must be from 1 to 4294967295"},
      {1, "version = 70000000000", "1: 'version' must be from 1 to 4294967295"},
      {1, "version = 99999999999999999999", "1: 'version' must be from 1 to 4294967295"},
      {1, "version = \"3\"", "1: 'version' must be a whole number, not a string"},
      {1, "version = 1.0", "1: 'version' must be a whole number, not a number"},
      {1, "", "1: the topology has no 'version'"},
      {1, "version = 3\nversoin = 4", "2: unknown key 'versoin' in the topology"},
      {3, "query_deadline_ms = 9", "3: 'query_deadline_ms' must be from 10 to 60000"},
      {3, "query_deadline_ms = 60001", "3: 'query_deadline_ms' must be from 10 to 60000"},
      {4, "search_threads = -1", "4: 'search_threads' must be from 1 to 256"},
      {4, "threads = 1", "4: unknown key 'threads' in [limits]"},
      {5, "queries = 0", "5: 'queries' must be from 1 to 100000"},
      {6, "[controls]", "1: the topology has no [control]"},
      {7, "", "6: [control] has no 'name'"},
      {8, "address = \"10.0.0.1:8202\"", "8: 'address' must be a loopback address: the servers do not encrypt yet"},
      {8, "address = \"localhost:8202\"", "8: 'address' must be a numeric address with a port, such as 127.0.0.1:8080"},
      {8, "address = \"127.0.0.1:0\"", "8: 'address' must be a numeric address with a port, such as 127.0.0.1:8080"},
      {8, "address = \"127.0.0.1:73738\"",
       "8: 'address' must be a numeric address with a port, such as 127.0.0.1:8080"},
      {8, "address = 8202", "8: 'address' must be a string, not a whole number"},
      {9, "[data_centers]", "9: 'data_centers' must be a list of tables, written [[data_centers]]"},
      {10, "name = \"DC1\"", "10: a name must be 1 to 40 of a-z, 0-9 and -"},
      {10, "name = \"\"", "10: a name must be 1 to 40 of a-z, 0-9 and -"},
      {10, "name = \"" + std::string(41, 'a') + "\"", "10: a name must be 1 to 40 of a-z, 0-9 and -"},
      {10, "name = \"../dc1\"", "10: a name must be 1 to 40 of a-z, 0-9 and -"},
      {13, "environment = \"prod\"", "13: must be production, testing, prestable or shadow"},
      {14, "mode = \"ring\"", "14: must be mesh or strict"},
      {14, "mode = true", "14: 'mode' must be a string, not true or false"},
      {15, "shards = 0", "15: 'shards' must be from 1 to 4096"},
      {15, "shards = 3", "11: no node of cluster 'c1' holds shard 3"},
      {17, "name = \"control\"", "7: the name 'control' is taken by line 17"},
      {18, "cluster = \"c2\"", "18: no cluster of this name"},
      {19, "data_center = \"dc2\"", "19: no data centre of this name"},
      {20, "rack = \"R 1\"", "20: a rack must be 1 to 40 of a-z, 0-9 and -"},
      {21, "roles = [\"shard\", \"cook\"]", "21: a role is shard or meta"},
      {21, "roles = [\"shard\",\n\"shard\"]", "22: a role is named twice"},
      {21, "roles = []", "21: 'roles' must not be empty"},
      {21, "roles = \"shard\"", "21: 'roles' must be a list, not a string"},
      {21, "roles = [\"shard\", 7]", "21: 'roles' must be a string, not a whole number"},
      {21, "roles = [\"meta\"]", "22: 'shard' needs the shard role"},
      {22, "", "16: [[nodes]] has no 'shard'"},
      {22, "shard = 3", "22: 'shard' must be from 1 to 2"},
      {22, "shard = 2", "32: shard 2 of this cluster is held by the node of line 22: there are no replicas yet"},
      {24, "peer = \"0.0.0.0:8101\"", "24: 'peer' must be a loopback address: the servers do not encrypt yet"},
      {24, "peer = \"127.0.0.1:8001\"", "24: the address 127.0.0.1:8001 is taken by line 23"},
      {24, "peer = \"127.0.0.1:8080\"", "54: the address 0.0.0.0:8080 is taken by line 24"},
      {24, "peer = \"127.0.0.1:8101\"\nweight = 5", "25: unknown key 'weight' in [[nodes]]"},
      {25, "", "16: [[nodes]] has no 'admin'"},
      {25, "admin = \"0.0.0.0:8301\"", "25: 'admin' must be a loopback address: the servers do not encrypt yet"},
      {25, "admin = \"127.0.0.1:8101\"", "25: the address 127.0.0.1:8101 is taken by line 24"},
      {26, "", "16: [[nodes]] has no 'agent'"},
      {26, "agent = \"127.0.0.1\"", "26: 'agent' must be a numeric address with a port, such as 127.0.0.1:8080"},
      {26, "agent = \"127.0.0.1:8301\"", "26: the address 127.0.0.1:8301 is taken by line 25"},
      {28, "name = \"node-1\"", "28: the name 'node-1' is taken by line 17"},
      {50, "address = \"[2001:db8::1]:8201\"",
       "50: 'address' must be a loopback address: the servers do not encrypt yet"},
      {52, "name = \"snippet-1\"", "52: the name 'snippet-1' is taken by line 47"},
      {52, "name = \"balancer-1\"\nname = \"balancer-2\"", "53: not TOML: value (\"name\") already exists."},
      {1, "version = ", "1: not TOML: missing value after key-value separator '='"},
      {3, "query_deadline_ms = '\xFF'", "3: not valid UTF-8 text"},
      {3, "x = " + std::string(17, '['), "3: brackets are nested too deeply"},
      {3, "x = " + std::string(9000, '1'), "3: the line is longer than 8 KiB"},
      {3, "a" + std::string(65, '.'), "3: too many dots"},
  };
  for (const Refusal& refusal : refusals) {
    const Result<Topology> topology = parse_topology(with_line(refusal.line, refusal.text), "t.toml");
    ASSERT_FALSE(topology) << refusal.text;
    EXPECT_EQ(topology.error().message, "t.toml:" + refusal.message);
    EXPECT_EQ(topology.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(Topology, WhatIsNotWrittenHasItsDefault) {
  const Result<Topology> mesh = parse_topology(with_line(14, "mode = \"mesh\""), "t.toml");
  ASSERT_TRUE(mesh) << to_string(mesh.error());
  EXPECT_EQ(mesh->cluster("c1")->mode, Mode::kMesh);
  const Result<Topology> unsaid = parse_topology(with_line(14, ""), "t.toml");
  ASSERT_TRUE(unsaid) << to_string(unsaid.error());
  EXPECT_EQ(unsaid->cluster("c1")->mode, Mode::kMesh);
  const Result<Topology> limits = parse_topology(with_line(5, ""), "t.toml");
  ASSERT_TRUE(limits) << to_string(limits.error());
  EXPECT_EQ(limits->limits.queries, Limits{}.queries);
}

TEST(Topology, RefusesAFileWithoutClusters) {
  const Result<Topology> topology =
      parse_topology("version = 1\n[control]\nname = \"c\"\naddress = \"127.0.0.1:1\"\n", "t.toml");
  ASSERT_FALSE(topology);
  EXPECT_EQ(topology.error().message, "t.toml:1: the topology has no [[clusters]]");
}

TEST(Topology, HostileNestingIsRefusedBeforeItIsParsed) {
  EXPECT_FALSE(parse_topology("a = " + std::string(8000, '['), "t.toml"));
  std::string lines = "a = ";
  for (int i = 0; i < 20'000; ++i) lines += "[\n";
  EXPECT_FALSE(parse_topology(lines, "t.toml"));
  // Brackets in strings and comments do not nest.
  const std::string comment = "# " + std::string(100, '[') + "\n";
  EXPECT_TRUE(parse_topology(comment + std::string(kGood), "t.toml"));
  const Result<Topology> text = parse_topology(with_line(7, "name = '" + std::string(100, '{') + "'"), "t.toml");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message, "t.toml:7: a name must be 1 to 40 of a-z, 0-9 and -");
}

TEST(Topology, LoadsFromAFile) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "souk_topology_test";
  std::filesystem::create_directories(folder);
  const std::string path = folder / "topology.toml";
  std::ofstream(path) << kGood;
  EXPECT_TRUE(load_topology(path));

  const Result<Topology> folder_itself = load_topology(folder);
  ASSERT_FALSE(folder_itself);
  EXPECT_EQ(folder_itself.error().message, folder.string() + ": not a file");

  std::ofstream(path) << std::string(1024 * 1024 + 1, '#');
  const Result<Topology> large = load_topology(path);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().message, path + ": the file is larger than 1 MiB");

  std::filesystem::remove_all(folder);
  const Result<Topology> missing = load_topology(path);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().message, path + ": cannot be read: No such file or directory");
}

}  // namespace
}  // namespace souk::config
