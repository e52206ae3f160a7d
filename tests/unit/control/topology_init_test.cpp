// SPDX-License-Identifier: Apache-2.0
#include "control/cli/topology_init.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "runtime/config/topology.h"
#include "runtime/files/file_sink.h"
#include "tests/world/temporary_folder.h"

namespace souk::control {
namespace {

TEST(TopologyInitTest, IsWhatEveryProcessReads) {
  const auto text = initial_topology(8080, 8, config::Mode::kStrict);
  ASSERT_TRUE(text);
  const auto topology = config::parse_topology(*text, "topology.toml");
  ASSERT_TRUE(topology) << to_string(topology.error());
  EXPECT_EQ(topology->version, 1U);
  EXPECT_EQ(topology->data_centers, std::vector<std::string>{"dc1"});
  ASSERT_EQ(topology->clusters.size(), 1U);
  EXPECT_EQ(topology->clusters[0].name, "c1");
  EXPECT_EQ(topology->clusters[0].shards, 8U);
  EXPECT_EQ(topology->clusters[0].environment, config::Environment::kProduction);
  EXPECT_EQ(topology->clusters[0].mode, config::Mode::kStrict);
  ASSERT_EQ(topology->nodes.size(), 8U);
  const config::NodeConfig& last = topology->nodes[7];
  EXPECT_EQ(last.name, "node-8");
  EXPECT_EQ(last.cluster, "c1");
  EXPECT_EQ(last.shard, 8U);
  EXPECT_TRUE(last.has_shard && last.has_meta);
  EXPECT_EQ(net::to_string(last.public_address), "127.0.0.1:8088");
  EXPECT_EQ(net::to_string(last.peer_address), "127.0.0.1:8188");
  EXPECT_EQ(net::to_string(last.admin_address), "127.0.0.1:8388");
  EXPECT_EQ(net::to_string(last.agent_address), "127.0.0.1:8488");
  ASSERT_EQ(topology->snippets.size(), 1U);
  EXPECT_EQ(topology->snippets[0].name, "snippet-1");
  EXPECT_EQ(net::to_string(topology->snippets[0].address), "127.0.0.1:8281");
  EXPECT_EQ(topology->control.name, "control");
  EXPECT_EQ(net::to_string(topology->control.address), "127.0.0.1:8282");
  ASSERT_EQ(topology->balancers.size(), 1U);
  EXPECT_EQ(topology->balancers[0].name, "balancer-1");
  EXPECT_EQ(net::to_string(topology->balancers[0].listen), "127.0.0.1:8080");
}

TEST(TopologyInitTest, BoundsAreTheOnesThatParse) {
  for (const auto& [port, shards] : std::vector<std::pair<uint64_t, uint64_t>>{{1, 1}, {65035, 100}}) {
    const auto text = initial_topology(port, shards, config::Mode::kMesh);
    ASSERT_TRUE(text);
    const auto topology = config::parse_topology(*text, "topology.toml");
    ASSERT_TRUE(topology) << to_string(topology.error());
    EXPECT_EQ(topology->clusters[0].mode, config::Mode::kMesh);
  }
  EXPECT_EQ(initial_topology(0, 8, config::Mode::kMesh).error().argument, "--port");
  EXPECT_EQ(initial_topology(65036, 8, config::Mode::kMesh).error().argument, "--port");
  EXPECT_EQ(initial_topology(UINT64_MAX, 8, config::Mode::kMesh).error().argument, "--port");
  EXPECT_EQ(initial_topology(8080, 0, config::Mode::kMesh).error().argument, "--shards");
  EXPECT_EQ(initial_topology(8080, 101, config::Mode::kMesh).error().argument, "--shards");
}

TEST(OutputFileTest, ReplacesAsAWhole) {
  const world::TemporaryFolder temporary;
  const std::filesystem::path& folder = temporary.path();
  const std::string path = (folder / "file").string();
  const auto content = [&path] {
    std::ifstream in(path);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  ASSERT_TRUE(files::replace_file(path, "first, and longer"));
  ASSERT_TRUE(files::replace_file(path, "second"));
  EXPECT_EQ(content(), "second");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1) << "nothing else is left";
  const Status refused = files::replace_file((folder / "none" / "file").string(), "x");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  std::filesystem::create_directory(folder / "folder");
  EXPECT_FALSE(files::replace_file((folder / "folder").string(), "x"));
  EXPECT_FALSE(std::filesystem::exists(folder / "folder.new"));
}

}  // namespace
}  // namespace souk::control
