// SPDX-License-Identifier: Apache-2.0
#include "haproxy/render/render.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/world/temporary_folder.h"

namespace souk::haproxy {
namespace {

config::NodeConfig node(std::string name, std::string cluster, std::string data_center, uint16_t port) {
  config::NodeConfig config;
  config.name = std::move(name);
  config.cluster = std::move(cluster);
  config.data_center = std::move(data_center);
  config.has_shard = config.has_meta = true;
  config.shard = 1;
  config.public_address = {"127.0.0.1", port};
  config.peer_address = {"127.0.0.1", static_cast<uint16_t>(port + 100)};
  config.agent_address = {"127.0.0.1", static_cast<uint16_t>(port + 400)};
  return config;
}

config::ClusterConfig cluster(std::string name, config::Mode mode, config::Environment environment) {
  return {std::move(name), environment, mode, 1};
}

// Two data centres, a testing cluster, a node without the meta role: only a1, a2 and the strict d1 are for balancer-1.
config::Topology topology() {
  config::Topology world;
  world.version = 3;
  world.data_centers = {"dc1", "dc2"};
  using enum config::Environment;
  world.clusters = {cluster("c1", config::Mode::kMesh, kProduction), cluster("c2", config::Mode::kMesh, kProduction),
                    cluster("c3", config::Mode::kStrict, kProduction), cluster("t1", config::Mode::kMesh, kTesting)};
  world.nodes = {node("a1", "c1", "dc1", 8081), node("a2", "c1", "dc1", 8082), node("a3", "c1", "dc1", 8083),
                 node("b1", "c2", "dc2", 8084), node("t1", "t1", "dc1", 8085), node("d1", "c3", "dc1", 8086)};
  world.nodes[2].has_meta = false;
  world.balancers = {{"balancer-1", "dc1", {"127.0.0.1", 8080}}, {"balancer-3", "dc3", {"127.0.0.1", 8090}}};
  return world;
}

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

TEST(RenderTest, MatchesTheGoldenFile) {
  const auto text = render(topology(), "balancer-1");
  ASSERT_TRUE(text);
  const std::string path = std::string(SOUK_GOLDEN_DIR) + "/haproxy.cfg";
  if (std::getenv("SOUK_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << *text;
  EXPECT_EQ(*text, read(path)) << "if the change is wanted, run this test with SOUK_UPDATE_GOLDEN=1";
}

TEST(RenderTest, RefusesWhatCannotBeRendered) {
  const auto unknown = render(topology(), "balancer-2");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(unknown.error().argument, "balancer-2");
  const auto empty = render(topology(), "balancer-3");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code, ErrorCode::kInvalidArgument);
}

TEST(RenderTest, AStrictClusterNeverAnswersInPart) {
  config::Topology world = topology();
  world.clusters[0].mode = config::Mode::kStrict;
  const auto text = render(world, "balancer-1");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->find("nodes_degraded"), std::string::npos);
  EXPECT_EQ(text->find("level=any"), std::string::npos);
  EXPECT_NE(text->find("\n    server a1 "), std::string::npos);
}

TEST(RenderTest, RefusesNodesWithoutAnAddressToConnectTo) {
  for (const char* wildcard : {"0.0.0.0", "::"}) {
    config::Topology world = topology();
    world.nodes[1].public_address.ip = wildcard;
    EXPECT_EQ(render(world, "balancer-1").error().argument, "a2");
    world = topology();
    world.nodes[1].agent_address.ip = wildcard;
    EXPECT_EQ(render(world, "balancer-1").error().argument, "a2");
    world = topology();
    world.nodes[3].public_address.ip = wildcard;  // another data centre's
    EXPECT_TRUE(render(world, "balancer-1"));
  }
}

TEST(RenderTest, HaproxyAcceptsIt) {
  if (std::system("command -v haproxy >/dev/null 2>&1") != 0) GTEST_SKIP() << "haproxy is not installed";
  const world::TemporaryFolder folder;
  const std::string file = (folder.path() / "haproxy.cfg").string();
  config::Topology world = topology();
  world.nodes[0].public_address.ip = world.nodes[0].agent_address.ip = "::1";
  const auto text = render(world, "balancer-1");
  ASSERT_TRUE(text);
  std::ofstream(file) << *text;
  const std::string command = "haproxy -c -f " + file + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string output;
  std::array<char, 512> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) output += buffer.data();
  EXPECT_EQ(pclose(pipe), 0) << output;
  EXPECT_EQ(output.find("WARNING"), std::string::npos) << output;
}

}  // namespace
}  // namespace souk::haproxy
