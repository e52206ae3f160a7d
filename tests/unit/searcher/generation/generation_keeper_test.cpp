// SPDX-License-Identifier: Apache-2.0
#include "searcher/generation/generation_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "control/client/replica_json.h"
#include "tests/unit/searcher/generation/built_generations.h"

namespace souk::generation {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

BuiltGenerations& built() {
  static BuiltGenerations generations;
  return generations;
}

class GenerationKeeperTest : public ::testing::Test {
 protected:
  GenerationKeeperTest() {
    world_.transport().serve(kControl, [this](net::Request request) { return answer(std::move(request)); });
    world_.transport().set_fault(kControl, testing::Fault::kNone);
    restart();
  }

  boost::asio::awaitable<net::Response> answer(net::Request request) {
    reports_.push_back(control::replica_from_json(request.body).value());
    co_return net::json_response(boost::json::serialize(control::to_json(orders_)));
  }

  // A new process over the same disk.
  void restart() {
    keeper_.reset();
    generations_ = std::make_unique<Generations>();
    const GenerationKeeper::Place place{"node-2", "c1", 2, built().generations(), orders_file()};
    keeper_ = std::make_unique<GenerationKeeper>(place, *generations_, client_, loader_, world_.clock(), log_);
  }
  std::string orders_file() const { return folder_.path() / "last_orders.json"; }

  // A second passes.
  void step() {
    world_.clock().advance(std::chrono::seconds(1));
    world_.run(keeper_->step());
  }
  void step(const control::Orders& orders) {
    orders_ = orders;
    step();
  }
  GenerationId active() const {
    const auto generation = generations_->active();
    return generation ? generation->id : GenerationId{};
  }

  const net::Endpoint kControl{"127.0.0.1", 9};
  world::World& world_ = built().world;
  const GenerationId first_ = built().first, second_ = built().second, third_ = built().third;
  const GenerationId absent_{7, 0xdead};  // has no files
  control::Orders orders_;
  std::vector<control::ReplicaState> reports_;
  world::TemporaryFolder folder_;
  const obs::Log log_ = obs::Log::null();
  control::ControlClient client_{world_.transport(), kControl, world_.clock()};
  exec::WorkerPool loader_{"loader", 1, 4, world_.clock()};
  std::unique_ptr<Generations> generations_;
  std::unique_ptr<GenerationKeeper> keeper_;
};

TEST_F(GenerationKeeperTest, LoadsTheTargetAndActivatesItWhenOrdered) {
  step({{}, first_, 1});
  ASSERT_EQ(reports_.size(), 1U);
  EXPECT_EQ(reports_[0].name, "node-2");
  EXPECT_EQ(reports_[0].cluster, "c1");
  EXPECT_EQ(reports_[0].shard, 2U);
  EXPECT_THAT(reports_[0].ready, IsEmpty());
  EXPECT_THAT(generations_->held(), ElementsAre(first_));
  EXPECT_EQ(active(), GenerationId{}) << "loaded is not ordered";
  step({first_, first_, 2});
  EXPECT_THAT(reports_[1].ready, ElementsAre(first_));
  EXPECT_EQ(reports_[1].problem, "");
  EXPECT_EQ(active(), first_);
  EXPECT_EQ(generations_->active()->shard->stats().shard, 2U);
}

TEST_F(GenerationKeeperTest, TheOneBeforeStaysForQueriesOnTheirWayAndThenGoes) {
  step({first_, first_, 1});
  step({first_, second_, 2});
  EXPECT_THAT(generations_->held(), ElementsAre(first_, second_));
  step({second_, second_, 3});
  EXPECT_EQ(active(), second_);
  EXPECT_THAT(generations_->held(), ElementsAre(first_, second_));
  step({second_, third_, 4});
  EXPECT_THAT(generations_->held(), ::testing::Contains(third_));
  step({third_, third_, 5});
  EXPECT_THAT(generations_->held(), ElementsAre(second_, third_));
  step({second_, second_, 6});
  EXPECT_EQ(active(), second_) << "back to the one before";
}

TEST_F(GenerationKeeperTest, NothingIsLoadedTwice) {
  step({first_, second_, 1});
  const auto held = generations_->find(second_);
  for (int i = 0; i < 40; ++i) step();
  EXPECT_EQ(generations_->find(second_), held);
  EXPECT_EQ(generations_->held().size(), 2U);
}

TEST_F(GenerationKeeperTest, AnOlderEpochIsNotObeyed) {
  step({first_, first_, 5});
  step({second_, second_, 4});
  EXPECT_EQ(active(), first_);
  EXPECT_THAT(generations_->held(), ElementsAre(first_));
  step({first_, second_, 6});
  step({first_, third_, 5});
  EXPECT_FALSE(generations_->find(third_)) << "every obeyed epoch counts, not only those that made something active";
  ASSERT_TRUE(keeper_);
  restart();
  ASSERT_TRUE(keeper_->restore());
  step({second_, second_, 5});
  EXPECT_EQ(active(), first_) << "the disk remembers the epoch";
  step({second_, second_, 6});
  EXPECT_EQ(active(), second_);
}

TEST_F(GenerationKeeperTest, RestoresFromDiskWithoutControl) {
  step({second_, second_, 3});
  world_.transport().set_fault(kControl, testing::Fault::kRefuse);
  restart();
  ASSERT_TRUE(keeper_->restore());
  EXPECT_EQ(active(), second_);
  step();
  EXPECT_EQ(active(), second_) << "an absent control changes nothing";
  world_.transport().set_fault(kControl, testing::Fault::kHang);
  step();
  EXPECT_EQ(active(), second_);
}

TEST_F(GenerationKeeperTest, WithoutOrdersOnDiskThereIsNothingToRestore) {
  ASSERT_TRUE(keeper_->restore());
  EXPECT_EQ(active(), GenerationId{});
}

TEST_F(GenerationKeeperTest, DamagedOrdersOnDiskAreReported) {
  for (const char* text : {"", "[]", "{\"active\":", "\xff"}) {
    write(orders_file(), text);
    restart();
    const Status restored = keeper_->restore();
    ASSERT_FALSE(restored) << text;
    EXPECT_EQ(restored.error().argument, orders_file());
  }
  for (const char* text : {"{}", R"({"active":7,"epoch":"x"})", R"({"active":"nonsense","epoch":-1})"}) {
    write(orders_file(), text);
    restart();
    ASSERT_TRUE(keeper_->restore()) << text;
    EXPECT_EQ(active(), GenerationId{});
  }
  step({first_, first_, 1});
  EXPECT_EQ(active(), first_) << "control's next order decides";
}

TEST_F(GenerationKeeperTest, ABadTargetIsReportedWhileTheOldOneServes) {
  step({first_, first_, 1});
  step({first_, absent_, 2});
  step();
  EXPECT_THAT(reports_.back().problem, HasSubstr("000000000000dead/manifest.json"));
  EXPECT_THAT(reports_.back().ready, ElementsAre(first_));
  EXPECT_EQ(active(), first_);
  step({first_, second_, 3});
  step();
  EXPECT_EQ(reports_.back().problem, "") << "a good target settles it";
  EXPECT_THAT(reports_.back().ready, ElementsAre(first_, second_));
}

TEST_F(GenerationKeeperTest, TheProblemGoesWithTheTargetThatHadIt) {
  step({first_, first_, 1});
  step({first_, absent_, 2});
  step({first_, first_, 3});
  step();
  EXPECT_EQ(reports_.back().problem, "");
}

TEST_F(GenerationKeeperTest, ABadTargetIsTriedAgainButNotEachSecond) {
  // Files that come late: the folder of a generation that is copied here while the keeper looks for it.
  const std::filesystem::path late = folder_.path() / "late";
  const GenerationKeeper::Place place{"node-2", "c1", 2, late, orders_file()};
  keeper_ = std::make_unique<GenerationKeeper>(place, *generations_, client_, loader_, world_.clock(), log_);
  step({{}, first_, 1});
  std::filesystem::copy(built().generations(), late, std::filesystem::copy_options::recursive);
  for (int i = 0; i < 25; ++i) step();
  EXPECT_THAT(generations_->held(), IsEmpty()) << "tried again within 30 seconds";
  for (int i = 0; i < 10; ++i) step();
  EXPECT_THAT(generations_->held(), ElementsAre(first_));
  step();
  EXPECT_EQ(reports_.back().problem, "");
}

TEST_F(GenerationKeeperTest, TwoBadOnesDoNotMakeALoop) {
  // Both wanted, neither there: each has its own time to be tried again.
  const std::filesystem::path late = folder_.path() / "late";
  const GenerationKeeper::Place place{"node-2", "c1", 2, late, orders_file()};
  keeper_ = std::make_unique<GenerationKeeper>(place, *generations_, client_, loader_, world_.clock(), log_);
  step({first_, second_, 1});
  std::filesystem::copy(built().generations(), late, std::filesystem::copy_options::recursive);
  step();
  step();
  EXPECT_THAT(generations_->held(), IsEmpty());
  for (int i = 0; i < 30; ++i) step();
  EXPECT_EQ(active(), first_);
  EXPECT_THAT(generations_->held(), ElementsAre(first_, second_));
}

TEST_F(GenerationKeeperTest, WhatCouldNotBeRestoredIsActiveOnceItsFilesAreThere) {
  step({first_, first_, 4});
  const std::filesystem::path late = folder_.path() / "late";
  generations_ = std::make_unique<Generations>();
  const GenerationKeeper::Place place{"node-2", "c1", 2, late, orders_file()};
  keeper_ = std::make_unique<GenerationKeeper>(place, *generations_, client_, loader_, world_.clock(), log_);
  const Status restored = keeper_->restore();
  ASSERT_FALSE(restored);
  EXPECT_THAT(to_string(restored.error()), HasSubstr("manifest.json"));
  std::filesystem::copy(built().generations(), late, std::filesystem::copy_options::recursive);
  step();
  EXPECT_EQ(active(), first_) << "control's order has not changed and is obeyed all the same";
}

TEST_F(GenerationKeeperTest, OrdersThatCannotBeRememberedAreObeyed) {
  std::filesystem::create_directories(orders_file() + "/in the way");
  step({first_, first_, 1});
  EXPECT_EQ(active(), first_);
}

}  // namespace
}  // namespace souk::generation
