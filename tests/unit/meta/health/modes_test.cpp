// SPDX-License-Identifier: Apache-2.0
// strict and mesh: what all nodes of a cluster answer when one of them is missing or different.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "tests/world/world.h"

namespace souk::health {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

constexpr uint32_t kNodes = 4;

class ModesTest : public ::testing::Test {
 protected:
  explicit ModesTest(config::Mode mode) : world_({.shards = kNodes, .mode = mode}) {
    std::vector<feed::Offer> offers;
    for (int i = 1; i <= 40; ++i) offers.push_back(world::make_offer(std::to_string(i), "Лампа " + std::to_string(i)));
    world_.put_offers("shop", std::move(offers));
    active_ = world_.activate();
    // That the others serve it too is known with the next poll.
    world_.advance();
    for (size_t i = 0; i < kNodes; ++i) EXPECT_EQ(world_.get("/ping", i).status, 200) << reason(i);
  }

  std::string reason(size_t node) {
    const world::Answer answer = world_.get("/ping", node);
    return answer.status == 200 ? "" : std::string(answer.body.at("error").at("message").as_string());
  }

  // The node's /status, changed, is what its peers see; an empty change restores it.
  void change_status(size_t node, std::function<void(json::object&)> change) {
    world_.transport().serve(world_.topology().nodes[node].admin_address,
                             [this, node, change = std::move(change)](net::Request request) {
                               return changed(world_.node(node), std::move(request), change);
                             });
  }
  static boost::asio::awaitable<net::Response> changed(node::Node& node, net::Request request,
                                                       std::function<void(json::object&)> change) {
    net::Response response = co_await node.handle_admin(std::move(request));
    json::object status = json::parse(response.body).as_object();
    if (change) change(status);
    response.body = json::serialize(status);
    co_return response;
  }

  std::string shard_file(size_t node) const {
    return world_.folder() + "/generations/" + hex16(active_.content_hash) + "/shard-" + std::to_string(node + 1) +
           ".souk";
  }

  world::World world_;
  GenerationId active_;
};

class StrictTest : public ModesTest {
 protected:
  StrictTest() : ModesTest(config::Mode::kStrict) {}

  // All but `away` say why they do not answer; level=any makes no difference.
  void expect_all_away(size_t away, const std::string& why) {
    for (size_t i = 0; i < kNodes; ++i) {
      if (i == away) continue;
      EXPECT_THAT(reason(i), HasSubstr(why)) << "node-" << i + 1;
      EXPECT_EQ(world_.get("/ping?level=any", i).status, 503);
      EXPECT_EQ(world_.status(i).at("state"), json::value("not available"));
      EXPECT_THAT(std::string(world_.status(i).at("reason").as_string()), HasSubstr(why));
    }
  }
  void expect_all_back() {
    for (size_t i = 0; i < kNodes; ++i) {
      EXPECT_EQ(reason(i), "") << "node-" << i + 1;
      const world::Answer answer = world_.get("/search", i);
      EXPECT_EQ(answer.status, 200);
      EXPECT_EQ(answer.body.at("complete"), json::value(true));
    }
  }
};

TEST_F(StrictTest, ADeadNodeTakesAllOutWithinTwoPolls) {
  world_.kill(2);
  for (size_t i = 0; i < kNodes; ++i) {
    if (i == 2) continue;
    const world::Answer answer = world_.get("/search", i);
    EXPECT_EQ(answer.status, 503) << "at once: never a partial answer";
    EXPECT_THAT(std::string(answer.body.at("error").at("message").as_string()), HasSubstr("shard 3 is missing"));
    EXPECT_EQ(reason(i), "") << "no poll has missed it yet";
  }
  world_.advance();
  EXPECT_EQ(reason(0), "") << "one missed poll is none";
  world_.advance();
  expect_all_away(2, "node-3 is gone");

  world_.revive(2);
  world_.advance(2);  // it must hear of its peers, and they of it
  expect_all_back();
}

TEST_F(StrictTest, AHungNodeTakesAllOutWithinTwoPolls) {
  world_.hang(1);
  EXPECT_EQ(world_.get("/search", 0).status, 504) << "refused when the time is over";
  world_.advance(2);
  expect_all_away(1, "node-2 is gone");
  world_.revive(1);
  world_.advance(2);
  expect_all_back();
}

TEST_F(StrictTest, AnotherEngineTakesAllOut) {
  change_status(3, [](json::object& status) { status["engine"] = "99.0.0"; });
  world_.advance();
  expect_all_away(3, "node-4 runs engine 99.0.0");
  change_status(3, {});
  world_.advance();
  expect_all_back();
}

TEST_F(StrictTest, ANodeWithoutTheActiveGenerationTakesAllOut) {
  // It comes back with a shard file that it refuses.
  world_.kill(0);
  const std::string file = shard_file(0);
  std::filesystem::rename(file, file + ".kept");
  std::ofstream(file) << "not a shard";
  world_.revive(0);
  world_.advance(2);
  expect_all_away(0, "node-1 does not hold generation " + to_string(active_));
  EXPECT_EQ(reason(0), "no generation is active here yet");
  EXPECT_EQ(world_.get("/search", 0).status, 503);
  for (size_t i = 1; i < kNodes; ++i) EXPECT_EQ(world_.get("/search", i).status, 503) << "never a partial answer";

  std::filesystem::rename(file + ".kept", file);
  constexpr int kMostSeconds = 120;  // a load that failed is tried again, later each time
  for (int i = 0; i < kMostSeconds && !reason(0).empty(); ++i) world_.advance();
  world_.advance(2);
  expect_all_back();
}

class MeshTest : public ModesTest {
 protected:
  MeshTest() : ModesTest(config::Mode::kMesh) {}
};

TEST_F(MeshTest, ADeadNodeCostsItsShardAndIsNamed) {
  const json::object whole = world_.get("/search").body;
  world_.kill(2);
  world_.advance(2);
  for (size_t i = 0; i < kNodes; ++i) {
    if (i == 2) continue;
    EXPECT_THAT(reason(i), HasSubstr("nobody serves shard 3 of generation " + to_string(active_)));
    EXPECT_EQ(world_.get("/ping?level=any", i).status, 200);
    EXPECT_EQ(world_.status(i).at("state"), json::value("partial"));
    const world::Answer answer = world_.get("/search", i);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body.at("complete"), json::value(false));
    EXPECT_EQ(answer.body.at("coverage"), (json::object{{"asked", 4}, {"answered", 3}, {"missing", {3}}}));
  }
  world_.revive(2);
  world_.advance(2);
  for (size_t i = 0; i < kNodes; ++i) {
    EXPECT_EQ(reason(i), "");
    const world::Answer answer = world_.get("/search", i);
    EXPECT_EQ(answer.body.at("complete"), json::value(true));
    EXPECT_EQ(answer.body.at("result_digest"), whole.at("result_digest"));
  }
}

TEST_F(MeshTest, AStrangersEngineDoesNotCoverItsShard) {
  change_status(1, [](json::object& status) { status["engine"] = "99.0.0"; });
  world_.advance();
  EXPECT_THAT(reason(0), HasSubstr("nobody serves shard 2"));
  EXPECT_EQ(world_.get("/ping?level=any").status, 200);
}

TEST_F(MeshTest, NothingActiveHereIsNoAnswerAtAll) {
  world::World empty({.shards = 1});
  empty.advance(2);
  for (const char* target : {"/ping", "/ping?level=any", "/search"}) EXPECT_EQ(empty.get(target).status, 503) << target;
}

TEST_F(MeshTest, OnlyTheOneLevelIsKnown) {
  world_.kill(2);
  world_.advance(2);
  for (const char* target : {"/ping?level=all", "/ping?level=", "/ping?level=any&x=1", "/ping?any"}) {
    EXPECT_EQ(world_.get(target).status, 503) << target;
  }
}

}  // namespace
}  // namespace souk::health
