// SPDX-License-Identifier: Apache-2.0
#include "control/cli/world_status.h"

#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "control/cli/process_table.h"
#include "control/cli/readiness.h"
#include "control/cli/topology_init.h"
#include "runtime/testing/fake_clock.h"
#include "tests/world/temporary_folder.h"

namespace souk::control {
namespace {

class WorldStatusTest : public ::testing::Test {
 protected:
  WorldStatusTest() {
    std::filesystem::create_directories(folder_ / "run");
    const auto text = initial_topology(8000, 2, config::Mode::kMesh);
    const auto topology = config::parse_topology(text.value(), "topology.toml");
    EXPECT_TRUE(topology) << to_string(topology.error());
    topology_ = topology.value();
  }

  void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  // A pid file, and a process of that pid in our own /proc.
  void start(const std::string& name, int pid, const std::string& command) {
    write(folder_ / "run" / (name + ".pid"), std::to_string(pid) + "\n");
    write(folder_ / "proc" / std::to_string(pid) / "cmdline", command + std::string("\0--name\0", 8) + name);
    write(folder_ / "proc" / std::to_string(pid) / "status", "Name:\tx\nVmPeak:\t 9 kB\nVmRSS:\t    2048 kB\n");
  }
  std::string proc() const { return (folder_ / "proc").string(); }
  Fetch fetch() {
    return [this](const net::Endpoint& endpoint, const net::Request& request) -> Result<net::Response> {
      const auto found = pages_.find(std::to_string(endpoint.port) + request.path);
      if (found == pages_.end()) return fail(ErrorCode::kUnavailable, "connection refused");
      return found->second;
    };
  }
  void page(const std::string& address, std::string body, int status = 200) {
    net::Response response;
    response.status = status;
    response.body = std::move(body);
    pages_[address] = response;
  }
  ProcessStatus find(const std::string& name) {
    for (const ProcessStatus& process : world_status(topology_, folder_.string(), fetch(), proc())) {
      if (process.name == name) return process;
    }
    return {};
  }

  const world::TemporaryFolder temporary_;
  const std::filesystem::path& folder_ = temporary_.path();
  config::Topology topology_;
  std::map<std::string, net::Response> pages_;
};

TEST_F(WorldStatusTest, ListsEveryProcessOfTheTopology) {
  std::string names;
  for (const auto& process : world_status(topology_, folder_.string(), fetch(), proc())) {
    names += process.role + ":" + process.name + ":" + process.state + " ";
  }
  EXPECT_EQ(names,
            "control:control:stopped snippet:snippet-1:stopped node:node-1:stopped node:node-2:stopped "
            "haproxy:balancer-1:stopped ");
}

TEST_F(WorldStatusTest, TellsWhatANodeSaysOfItself) {
  start("node-2", 42, "/opt/souk-node");
  page("8302/status", R"({"role":"node","generation":"7-00000000000000aa","documents":123,"memory_bytes":456,)"
                      R"("state":"serving"})");
  const ProcessStatus node = find("node-2");
  EXPECT_EQ(node.pid, 42);
  EXPECT_EQ(node.shard, 2U);
  EXPECT_EQ(node.generation, "7-00000000000000aa");
  EXPECT_EQ(node.documents, 123U);
  EXPECT_EQ(node.memory_bytes, 456U);
  EXPECT_EQ(node.state, "serving");
  EXPECT_EQ(node.address, "127.0.0.1:8002");
}

TEST_F(WorldStatusTest, ResidentMemoryServesWhereAProcessSaysNone) {
  start("control", 43, "souk-control");
  page("8202/status", R"({"role":"control","active":"7-00000000000000aa"})");
  const ProcessStatus process = find("control");
  EXPECT_EQ(process.memory_bytes, 2048U * 1024);
  EXPECT_EQ(process.generation, "7-00000000000000aa");
  EXPECT_EQ(process.state, "serving");
}

TEST_F(WorldStatusTest, TheNewestGenerationOfASnippetServer) {
  start("snippet-1", 44, "souk-snippet");
  page("8201/status", R"({"generations":["6-00000000000000aa","7-00000000000000bb"],"state":"serving"})");
  EXPECT_EQ(find("snippet-1").generation, "7-00000000000000bb");
}

TEST_F(WorldStatusTest, DeadSilentAndReusedPids) {
  write(folder_ / "run" / "node-1.pid", "77\n");  // no such process
  EXPECT_EQ(find("node-1").state, "dead");
  start("node-1", 78, "/bin/bash");  // the pid belongs to somebody else now
  EXPECT_EQ(find("node-1").state, "dead");
  start("node-1", 79, "/opt/souk-node");
  EXPECT_EQ(find("node-1").state, "silent");
  page("8301/status", "nonsense");
  EXPECT_EQ(find("node-1").state, "silent");
  for (const char* pid : {"", "x", "-1", "0", "12 34", "99999999999999999999"}) {
    write(folder_ / "run" / "node-1.pid", pid);
    EXPECT_EQ(find("node-1").state, "dead") << pid;
    EXPECT_FALSE(find("node-1").pid) << pid;
  }
}

TEST_F(WorldStatusTest, TheBalancerServesWhenANodeBehindItDoes) {
  start("balancer-1", 45, "haproxy");
  EXPECT_EQ(find("balancer-1").state, "silent");
  page("8000/ping", "", 503);
  EXPECT_EQ(find("balancer-1").state, "no node answers");
  page("8000/ping", "ok");
  EXPECT_EQ(find("balancer-1").state, "serving");
}

TEST_F(WorldStatusTest, JsonHasAllMembersAndTheTableAllRows) {
  start("node-1", 79, "/opt/souk-node");
  const auto processes = world_status(topology_, folder_.string(), fetch(), proc());
  const auto object = status_json(processes);
  ASSERT_EQ(object.at("processes").as_array().size(), 5U);
  EXPECT_EQ(boost::json::serialize(object.at("processes").as_array()[2]),
            R"({"role":"node","name":"node-1","pid":79,"shard":1,"generation":"","documents":null,)"
            R"("memory_bytes":2097152,"state":"silent","address":"127.0.0.1:8001"})");
  const std::string table = status_table(processes);
  EXPECT_EQ(std::ranges::count(table, '\n'), 6);
  EXPECT_NE(table.find("node     node-1       79      1  -"), std::string::npos) << table;
}

TEST_F(WorldStatusTest, OurOwnProcessIsFoundInProc) {
  write(folder_ / "run" / "me.pid", std::to_string(getpid()));
  const auto info = look_up_process((folder_ / "run" / "me.pid").string(), "unit_control_cli");
  ASSERT_TRUE(info);
  EXPECT_TRUE(info->alive);
  EXPECT_GT(info->resident_bytes, 100'000U);
}

TEST_F(WorldStatusTest, ReadyMeansACompleteAnswer) {
  page("8000/search", R"({"complete":true,"items":[]})");
  EXPECT_TRUE(not_ready(topology_, fetch()).empty());
  page("8000/search", R"({"complete":false,"coverage":{"missing":[2]}})");
  page("8202/status", R"({"problems":["cluster c1 shard 2: no replica reports"]})");
  EXPECT_EQ(not_ready(topology_, fetch()), (std::vector<std::string>{"cluster c1 shard 2: no replica reports",
                                                                     "/search is incomplete, missing shards: 2"}));
}

TEST_F(WorldStatusTest, WaitingNamesWhatIsMissingWhenTimeIsOver) {
  testing::FakeClock clock;
  page("8202/status", R"({"problems":["no generation is published"]})");
  std::vector<std::string> lines;
  Waiting waiting;
  waiting.timeout = std::chrono::seconds(3);
  waiting.progress = [&lines](const std::string& line) { lines.push_back(line); };
  waiting.pause = [&clock](std::chrono::milliseconds time) { clock.advance(time); };
  const Status waited = wait_until_ready(topology_, fetch(), clock, waiting);
  ASSERT_FALSE(waited);
  EXPECT_EQ(waited.error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(waited.error().message,
            "not ready after 3 s: no generation is published; the balancer does not answer: connection refused");
  EXPECT_EQ(lines, std::vector<std::string>{"no generation is published (and 1 more)"}) << "each reason once";
}

TEST_F(WorldStatusTest, WaitingEndsWithTheFirstCompleteAnswer) {
  testing::FakeClock clock;
  Waiting waiting;
  waiting.progress = [](const std::string&) {};
  waiting.pause = [&](std::chrono::milliseconds time) {
    clock.advance(time);
    page("8000/search", R"({"complete":true})");
  };
  EXPECT_TRUE(wait_until_ready(topology_, fetch(), clock, waiting));
}

TEST(ReachableTest, AWildcardIsReachedOverLoopback) {
  EXPECT_EQ(reachable({"0.0.0.0", 80}), (net::Endpoint{"127.0.0.1", 80}));
  EXPECT_EQ(reachable({"::", 80}), (net::Endpoint{"::1", 80}));
  EXPECT_EQ(reachable({"10.1.2.3", 80}), (net::Endpoint{"10.1.2.3", 80}));
}

}  // namespace
}  // namespace souk::control
