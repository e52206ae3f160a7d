// SPDX-License-Identifier: Apache-2.0
#include "control/serve/control_server.h"

#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cstdlib>
#include <filesystem>

#include "control/client/control_client.h"
#include "control/client/replica_json.h"
#include "runtime/testing/fake_clock.h"
#include "runtime/testing/in_process_transport.h"
#include "tests/unit/control/run.h"
#include "tests/world/temporary_folder.h"

namespace souk::control {
namespace {

namespace json = boost::json;
using testing::run;

config::Topology two_shards() {
  config::Topology world;
  world.version = 1;
  world.data_centers = {"dc1"};
  config::ClusterConfig& cluster = world.clusters.emplace_back();
  cluster.name = "c1";
  cluster.shards = 2;
  for (uint32_t shard = 1; shard <= 2; ++shard) {
    config::NodeConfig node;
    node.name = "node-" + std::to_string(shard);
    node.cluster = "c1";
    node.data_center = "dc1";
    node.has_shard = node.has_meta = true;
    node.shard = shard;
    world.nodes.push_back(node);
  }
  world.snippets = {{"snippet-1", "dc1", config::Environment::kProduction, {"127.0.0.1", 3}}};
  world.control = {"control", {"127.0.0.1", 1}};
  return world;
}

class ControlServerTest : public ::testing::Test {
 protected:
  ControlServerTest() { restart(); }

  // A new process over the same metastore.
  void restart() {
    server_.reset();
    auto store = open_sqlite_metastore((folder_.path() / "metastore.sqlite").string());
    ASSERT_TRUE(store) << to_string(store.error());
    auto server = ControlServer::make(two_shards(), std::move(*store), clock_, obs::Log::null());
    ASSERT_TRUE(server) << to_string(server.error());
    server_ = std::move(*server);
    transport_.serve(kControl, server_->handler());
  }

  net::Response call(std::string method, std::string path, std::string body = {}) {
    net::Request request;
    request.method = std::move(method);
    request.path = std::move(path);
    request.body = std::move(body);
    return run(io_, server_->handler()(std::move(request)));
  }
  json::object answer(const net::Response& response) { return json::parse(response.body).as_object(); }
  json::object status() { return answer(call("GET", "/status")); }

  std::string publish(const std::string& hash) {
    const auto response = call("POST", "/generations", R"({"hash":")" + hash + R"(","shards":2})");
    EXPECT_EQ(response.status, 200) << response.body;
    return std::string(answer(response).at("generation").as_string());
  }
  Result<Orders> report(std::string name, uint32_t shard, std::vector<GenerationId> ready, std::string problem = {}) {
    ControlClient client(transport_, kControl, clock_);
    return run(io_, client.report({std::move(name), shard == 0 ? "" : "c1", shard, std::move(ready), problem}));
  }

  const net::Endpoint kControl{"127.0.0.1", 1};
  boost::asio::io_context io_;
  testing::FakeClock clock_;
  testing::InProcessTransport transport_{clock_};
  world::TemporaryFolder folder_;
  std::unique_ptr<ControlServer> server_;
};

const GenerationId kFirst{1, 0xaa};
const GenerationId kSecond{2, 0xbb};
constexpr const char* kFirstHash = "00000000000000aa";
constexpr const char* kSecondHash = "00000000000000bb";

TEST_F(ControlServerTest, AGenerationBecomesActiveWhenEverybodyHasIt) {
  EXPECT_EQ(publish(kFirstHash), to_string(kFirst));
  EXPECT_EQ(status().at("active").as_string(), "");
  ASSERT_TRUE(report("node-1", 1, {kFirst}));
  ASSERT_TRUE(report("node-2", 2, {kFirst}));
  const auto waiting = report("node-1", 1, {kFirst});
  ASSERT_TRUE(waiting);
  EXPECT_FALSE(waiting->active);
  EXPECT_EQ(waiting->target, kFirst);
  const auto done = report("snippet-1", 0, {kFirst});
  ASSERT_TRUE(done) << to_string(done.error());
  EXPECT_EQ(done->active, kFirst);
  EXPECT_GT(done->epoch, waiting->epoch);
  EXPECT_EQ(status().at("active").as_string(), to_string(kFirst));
  EXPECT_TRUE(status().at("problems").as_array().empty());
}

TEST_F(ControlServerTest, AProblemKeepsTheOldGenerationAndIsShown) {
  publish(kFirstHash);
  ASSERT_TRUE(report("node-1", 1, {kFirst}));
  ASSERT_TRUE(report("node-2", 2, {kFirst}));
  ASSERT_TRUE(report("snippet-1", 0, {kFirst}));
  publish(kSecondHash);
  ASSERT_TRUE(report("node-1", 1, {kFirst, kSecond}));
  ASSERT_TRUE(report("snippet-1", 0, {kFirst, kSecond}));
  const auto orders = report("node-2", 2, {kFirst}, "shard-2.souk: bad checksum");
  ASSERT_TRUE(orders);
  EXPECT_EQ(orders->active, kFirst);
  EXPECT_EQ(orders->target, kSecond);
  const json::array problems = status().at("problems").as_array();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].as_string(), "cluster c1 shard 2: node-2: shard-2.souk: bad checksum");
  EXPECT_EQ(status().at("replicas").as_array()[1].at("problem").as_string(), "shard-2.souk: bad checksum");
}

TEST_F(ControlServerTest, OldReportsDoNotActivate) {
  publish(kFirstHash);
  ASSERT_TRUE(report("node-1", 1, {kFirst}));
  clock_.advance(std::chrono::seconds(6));
  ASSERT_TRUE(report("node-2", 2, {kFirst}));
  const auto orders = report("snippet-1", 0, {kFirst});
  ASSERT_TRUE(orders);
  EXPECT_FALSE(orders->active);
  EXPECT_EQ(status().at("problems").as_array()[0].as_string(), "cluster c1 shard 1: no replica reports");
}

TEST_F(ControlServerTest, TheSameContentHasTheSameIdForEver) {
  EXPECT_EQ(publish(kFirstHash), to_string(kFirst));
  EXPECT_EQ(publish(kSecondHash), to_string(kSecond));
  restart();
  EXPECT_EQ(publish(kFirstHash), to_string(kFirst));
  EXPECT_EQ(status().at("target").as_string(), to_string(kFirst)) << "going back is publishing again";
  EXPECT_EQ(publish("00000000000000cc"), "3-00000000000000cc");
}

TEST_F(ControlServerTest, ARestartForgetsNothingButWhoIsAlive) {
  publish(kFirstHash);
  ASSERT_TRUE(report("node-1", 1, {kFirst}));
  ASSERT_TRUE(report("node-2", 2, {kFirst}));
  const auto before = report("snippet-1", 0, {kFirst});
  ASSERT_TRUE(before);
  restart();
  const json::object after = status();
  EXPECT_EQ(after.at("active").as_string(), to_string(kFirst));
  EXPECT_EQ(after.at("epoch").to_number<uint64_t>(), before->epoch);
  ASSERT_EQ(after.at("replicas").as_array().size(), 3U);
  EXPECT_TRUE(after.at("replicas").as_array()[0].at("age_ms").is_null());
  publish(kSecondHash);
  ASSERT_TRUE(report("node-1", 1, {kFirst, kSecond}));
  ASSERT_TRUE(report("node-2", 2, {kFirst, kSecond}));
  EXPECT_EQ(report("node-1", 1, {kFirst, kSecond})->active, kFirst) << "the stored snippet-1 is not known to live";
}

TEST_F(ControlServerTest, ShopsGetNumbersOnce) {
  const auto number = [this](const std::string& name) {
    return answer(call("POST", "/shops", R"({"name":")" + name + "\"}")).at("number").to_number<uint64_t>();
  };
  EXPECT_EQ(number("Кот и Ко"), 1U);
  EXPECT_EQ(number("b"), 2U);
  EXPECT_EQ(number("Кот и Ко"), 1U);
  restart();
  EXPECT_EQ(number("b"), 2U);
  EXPECT_EQ(number("c"), 3U);
  const json::array shops = status().at("shops").as_array();
  ASSERT_EQ(shops.size(), 3U);
  EXPECT_EQ(shops[0].at("name").as_string(), "Кот и Ко");
  EXPECT_EQ(shops[0].at("number").to_number<uint64_t>(), 1U);
}

TEST_F(ControlServerTest, RefusesReplicasThatAreNotInTheTopology) {
  for (const auto& [name, shard] : std::vector<std::pair<std::string, uint32_t>>{
           {"node-3", 1}, {"node-1", 2}, {"snippet-1", 1}, {"snippet-2", 0}, {"control", 0}}) {
    EXPECT_FALSE(report(name, shard, {kFirst})) << name;
  }
  EXPECT_TRUE(status().at("replicas").as_array().empty());
}

TEST_F(ControlServerTest, BadRequestsAreRefusedByName) {
  struct Case {
    const char* path;
    const char* body;
    const char* argument;
  };
  for (const Case& test : {
           Case{"/generations", R"({"hash":"00000000000000AA","shards":2})", "hash"},
           Case{"/generations", R"({"hash":"aa","shards":2})", "hash"},
           Case{"/generations", R"({"shards":2})", "hash"},
           Case{"/generations", R"({"hash":"00000000000000aa","shards":3})", "shards"},
           Case{"/generations", R"({"hash":"00000000000000aa","shards":-1})", "shards"},
           Case{"/generations", R"({"hash":"00000000000000aa","shards":2.5})", "shards"},
           Case{"/generations", R"({"hash":"00000000000000aa"})", "shards"},
           Case{"/shops", R"({"name":""})", "name"},
           Case{"/shops", R"({"name":7})", "name"},
           Case{"/shops", "{\"name\":\"a\\u0001\"}", "name"},
           Case{"/replicas", R"({"name":"node-1","cluster":"c1","shard":1,"ready":["x"],"problem":""})", "ready"},
           Case{"/replicas", R"({"name":"node-1","cluster":"c1","shard":1,"ready":"","problem":""})", "ready"},
           Case{"/replicas", R"({"name":"node-1","cluster":"c1","shard":"1","ready":[],"problem":""})", "shard"},
       }) {
    const auto response = call("POST", test.path, test.body);
    EXPECT_EQ(response.status, 400) << test.body;
    EXPECT_EQ(answer(response).at("error").at("argument").as_string(), test.argument) << test.body;
  }
  for (const char* body : {"", "[]", "{", "\"x\"", "{\"name\":\"\xff\"}", "[[[[[[[[[[[[]]]]]]]]]]]]"}) {
    EXPECT_EQ(call("POST", "/shops", body).status, 400) << body;
  }
  EXPECT_EQ(call("POST", "/shops", R"({"name":")" + std::string(101, 'x') + "\"}").status, 400);
}

TEST_F(ControlServerTest, RoutesAndMethods) {
  EXPECT_EQ(call("GET", "/ping").status, 200);
  EXPECT_EQ(call("GET", "/nothing").status, 404);
  EXPECT_EQ(call("GET", "/shops").status, 405);
  EXPECT_EQ(call("POST", "/status").status, 405);
}

TEST_F(ControlServerTest, TheClientTellsWhyThereIsNoAnswer) {
  transport_.set_fault(kControl, testing::Fault::kRefuse);
  const auto refused = report("node-1", 1, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
}

TEST(ReplicaJsonTest, RoundTrips) {
  const ReplicaState state{"node-1", "c1", 7, {kFirst, kSecond}, "bad checksum"};
  const auto parsed = replica_from_json(json::serialize(to_json(state)));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->name, state.name);
  EXPECT_EQ(parsed->cluster, state.cluster);
  EXPECT_EQ(parsed->shard, state.shard);
  EXPECT_EQ(parsed->ready, state.ready);
  EXPECT_EQ(parsed->problem, state.problem);
  const auto orders = orders_from_json(json::serialize(to_json(Orders{kFirst, {}, 9})));
  ASSERT_TRUE(orders);
  EXPECT_EQ(orders->active, kFirst);
  EXPECT_FALSE(orders->target);
  EXPECT_EQ(orders->epoch, 9U);
}

TEST(ReplicaJsonTest, AProblemIsCutToOneReadableLine) {
  const auto object = to_json(ReplicaState{"n", "", 0, {}, "a\nb\xff" + std::string(5000, 'x')});
  const std::string problem(object.at("problem").as_string());
  EXPECT_EQ(problem.size(), 1000U);
  EXPECT_EQ(problem.substr(0, 5), "a?b?x");
}

}  // namespace
}  // namespace souk::control
