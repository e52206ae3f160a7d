// SPDX-License-Identifier: Apache-2.0
#include "meta/health/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "tests/world/stage.h"

namespace souk::health {
namespace {

namespace json = boost::json;
using testing::Fault;
using ::testing::HasSubstr;

const GenerationId kActive{7, 0xBB};

// One node's view of two peers, whose /status the test writes.
class HealthTest : public ::testing::Test {
 protected:
  HealthTest() {
    for (size_t i = 0; i < 2; ++i) {
      statuses_[i] = whole(i);
      stage_.transport.serve(address(i), [this, i](net::Request request) { return answer(i, std::move(request)); });
    }
  }

  static net::Endpoint address(size_t i) { return {"127.0.0.1", static_cast<uint16_t>(4002 + i)}; }
  static std::string name(size_t i) { return "node-" + std::to_string(2 + i); }
  static json::object whole(size_t i) {
    return {{"name", name(i)},
            {"shard", 2 + i},
            {"engine", "1.0"},
            {"state", "serving"},
            {"ready", json::array{to_string(kActive)}},
            {"load", json::object{{"full", false}}}};
  }

  boost::asio::awaitable<net::Response> answer(size_t i, net::Request request) {
    EXPECT_EQ(request.method + request.path, "GET/status");
    net::Response response = net::json_response(raw_.empty() ? json::serialize(statuses_[i]) : raw_);
    response.status = http_status_;
    co_return response;
  }

  Health::Settings settings(Mode mode) const {
    return {.mode = mode,
            .shards = 3,
            .engine = "1.0",
            .shard = 1,
            .peers = {{name(0), address(0)}, {name(1), address(1)}},
            .seed = 1};
  }
  Health::Probes probes() {
    return {.active = [this] { return active_; },
            .stale = [this] { return stale_; },
            .cpu_seconds = [this] { return cpu_; },
            .queue_wait_ms = [this] { return wait_ms_; },
            .threads = 2};
  }

  void poll(Health& health) {
    for (size_t i = 0; i < health.peer_count(); ++i) stage_.run(health.poll(i));
  }

  world::Stage stage_;
  json::object statuses_[2];
  std::string raw_;  // instead of the statuses
  int http_status_ = 200;
  GenerationId active_ = kActive;
  std::string stale_;
  double cpu_ = 0;
  double wait_ms_ = 0;
};

TEST_F(HealthTest, BeforeTheFirstPollNobodyIsThere) {
  const Health health(settings(Mode::kMesh), probes(), stage_.transport, stage_.clock);
  EXPECT_FALSE(health.verdict()->available);
  EXPECT_TRUE(health.verdict()->any) << "its own shard";
  EXPECT_EQ(health.peers()->size(), 2U);
  EXPECT_TRUE(health.all_peers_full()) << "nobody to send a query to";
}

TEST_F(HealthTest, OnePollMakesAWholeCluster) {
  Health health(settings(Mode::kStrict), probes(), stage_.transport, stage_.clock);
  poll(health);
  EXPECT_TRUE(health.verdict()->available) << health.verdict()->reason;
  const auto peers = health.peers();
  EXPECT_EQ(peers->at(1).shard, 3U);
  EXPECT_EQ(peers->at(1).ready, std::vector{kActive});
  EXPECT_FALSE(health.all_peers_full());
}

TEST_F(HealthTest, TwoMissedPollsAreGoneAndOneIsNot) {
  for (const Mode mode : {Mode::kStrict, Mode::kMesh}) {
    Health health(settings(mode), probes(), stage_.transport, stage_.clock);
    poll(health);
    stage_.transport.set_fault(address(0), Fault::kRefuse);
    poll(health);
    EXPECT_TRUE(health.verdict()->available) << "one may be lost";
    poll(health);
    EXPECT_FALSE(health.verdict()->available);
    EXPECT_THAT(health.verdict()->reason, HasSubstr(mode == Mode::kStrict ? "node-2 is gone" : "shard 2"));
    EXPECT_EQ(health.verdict()->any, mode == Mode::kMesh);
    for (int i = 0; i < 5; ++i) poll(health);
    stage_.transport.set_fault(address(0), Fault::kNone);
    poll(health);
    EXPECT_TRUE(health.verdict()->available) << "one answer heals";
    stage_.transport.set_fault(address(0), Fault::kRefuse);
    poll(health);
    EXPECT_TRUE(health.verdict()->available) << "and the count begins anew";
    stage_.transport.set_fault(address(0), Fault::kNone);
  }
}

TEST_F(HealthTest, AHungPeerCosts300Milliseconds) {
  Health health(settings(Mode::kStrict), probes(), stage_.transport, stage_.clock);
  poll(health);
  stage_.transport.set_fault(address(1), Fault::kHang);
  const SteadyTime begin = stage_.clock.now();
  stage_.run(health.poll(1));
  EXPECT_EQ(stage_.clock.now() - begin, std::chrono::milliseconds(300));
  EXPECT_TRUE(health.verdict()->available);
  stage_.run(health.poll(1));
  EXPECT_EQ(health.verdict()->reason, "node-3 is gone");
}

TEST_F(HealthTest, WhatIsNoStatusIsAMissedPoll) {
  const auto changed = [](const char* member, json::value value) {
    json::object status = whole(0);
    status[member] = std::move(value);
    return json::serialize(status);
  };
  std::vector<std::string> bad = {"garbage",
                                  "[]",
                                  "{}",
                                  "7",
                                  "null",
                                  "{\"name\":\"node-2\"",
                                  std::string(5000, '['),
                                  changed("name", "node-9"),
                                  changed("name", 2),
                                  changed("shard", "2"),
                                  changed("shard", -1),
                                  changed("shard", 1e20),
                                  changed("engine", nullptr),
                                  changed("engine", json::string(65, 'x')),
                                  changed("engine", "1\n0"),
                                  changed("state", 1),
                                  changed("ready", "7-00000000000000bb"),
                                  changed("ready", json::array{7}),
                                  changed("load", true),
                                  changed("load", json::object{{"full", 1}}),
                                  "\xff\xfe"};
  for (const std::string& body : bad) {
    raw_.clear();
    Health health(settings(Mode::kStrict), probes(), stage_.transport, stage_.clock);
    poll(health);
    ASSERT_TRUE(health.verdict()->available);
    raw_ = body;
    stage_.run(health.poll(0));
    EXPECT_TRUE(health.verdict()->available) << body;
    EXPECT_EQ(health.peers()->at(0).engine, "1.0") << "what was known stands: " << body;
    stage_.run(health.poll(0));
    EXPECT_EQ(health.verdict()->reason, "node-2 is gone") << body;
  }
  raw_.clear();
  http_status_ = 500;
  Health health(settings(Mode::kStrict), probes(), stage_.transport, stage_.clock);
  poll(health);
  EXPECT_EQ(health.verdict()->reason, "node-2 is gone");
}

TEST_F(HealthTest, ALongListOfGenerationsIsCut) {
  json::array many{to_string(kActive)};
  for (uint64_t number = 100; number < 1100; ++number) many.emplace_back(to_string(GenerationId{number, 1}));
  many.emplace_back("no generation");
  statuses_[0]["ready"] = std::move(many);
  Health health(settings(Mode::kStrict), probes(), stage_.transport, stage_.clock);
  poll(health);
  EXPECT_EQ(health.peers()->at(0).ready.size(), 16U);
  EXPECT_TRUE(health.verdict()->available);
}

TEST_F(HealthTest, WhatAPeerSaysDecides) {
  Health health(settings(Mode::kStrict), probes(), stage_.transport, stage_.clock);
  statuses_[1]["engine"] = "1.1";
  poll(health);
  EXPECT_THAT(health.verdict()->reason, HasSubstr("node-3 runs engine 1.1"));
  statuses_[1] = whole(1);
  statuses_[1]["ready"] = json::array{"6-00000000000000bb"};
  poll(health);
  EXPECT_THAT(health.verdict()->reason, HasSubstr("node-3 does not hold generation"));
  statuses_[1] = whole(1);
  statuses_[1]["state"] = "stopping";
  poll(health);
  EXPECT_EQ(health.verdict()->reason, "node-3 is stopping");
  statuses_[1] = whole(1);
  poll(health);
  EXPECT_TRUE(health.verdict()->available);
}

TEST_F(HealthTest, AnotherGenerationHereIsSeenWithTheNextSample) {
  Health health(settings(Mode::kStrict), probes(), stage_.transport, stage_.clock);
  poll(health);
  active_ = {8, 0xCC};
  health.sample();
  EXPECT_THAT(health.verdict()->reason, HasSubstr("does not hold generation 8-"));
  active_ = {};
  health.sample();
  EXPECT_EQ(health.verdict()->reason, "no generation is active here yet");
  active_ = kActive;
  stale_ = "the search pool";
  health.sample();
  EXPECT_EQ(health.verdict()->reason, "the search pool does not move");
  stale_.clear();
  health.sample();
  EXPECT_TRUE(health.verdict()->available);
}

TEST_F(HealthTest, AllPeersAreFullWhenNobodyElseCanTakeAQuery) {
  Health health(settings(Mode::kMesh), probes(), stage_.transport, stage_.clock);
  poll(health);
  statuses_[0]["load"].as_object()["full"] = true;
  poll(health);
  EXPECT_FALSE(health.all_peers_full());
  EXPECT_TRUE(health.verdict()->available) << "overload never fails /ping";
  stage_.transport.set_fault(address(1), Fault::kRefuse);
  poll(health);
  EXPECT_FALSE(health.all_peers_full());
  poll(health);
  EXPECT_TRUE(health.all_peers_full()) << "one is full, the other gone";
}

TEST_F(HealthTest, TheWeightFollowsCpuAndQueue) {
  Health health(settings(Mode::kMesh), probes(), stage_.transport, stage_.clock);
  const auto second = [&](double cpu_seconds, double wait_ms) {
    stage_.clock.advance(std::chrono::seconds(1));
    cpu_ += cpu_seconds;
    wait_ms_ = wait_ms;
    health.sample();
    return health.weight();
  };
  EXPECT_EQ(health.weight(), 100U);
  EXPECT_EQ(second(0, 0), 100U);
  EXPECT_EQ(second(2, 0), 91U) << "both threads were busy all the second";
  EXPECT_EQ(second(0, 20), 74U) << "no CPU used, but queries wait";
  health.sample();
  EXPECT_EQ(health.weight(), 74U) << "no time has passed";
  for (int i = 0; i < 50; ++i) second(0, 0);
  EXPECT_EQ(health.weight(), 100U);
}

TEST_F(HealthTest, FollowingAPeerEndsWhenCancelled) {
  Health health(settings(Mode::kStrict), probes(), stage_.transport, stage_.clock);
  boost::asio::cancellation_signal stop;
  bool ended = false;
  boost::asio::co_spawn(stage_.io, health.follow(0),
                        boost::asio::bind_cancellation_slot(stop.slot(), [&](std::exception_ptr) { ended = true; }));
  stage_.io.restart();
  while (health.peers()->at(0).gone()) stage_.io.run_one();
  EXPECT_FALSE(ended);
  stop.emit(boost::asio::cancellation_type::terminal);
  stage_.drive();
  EXPECT_TRUE(ended);
  EXPECT_EQ(stage_.transport.requests(address(0)), 1U);
}

}  // namespace
}  // namespace souk::health
