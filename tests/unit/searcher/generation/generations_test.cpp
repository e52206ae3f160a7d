// SPDX-License-Identifier: Apache-2.0
#include "searcher/generation/generations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace souk::generation {
namespace {

using ::testing::ElementsAre;

constexpr GenerationId kFirst{1, 0xaa};
constexpr GenerationId kSecond{2, 0xbb};
constexpr GenerationId kThird{3, 0xcc};

Generations::Pointer make(const GenerationId& id) {
  auto generation = std::make_shared<Generation>();
  generation->id = id;
  return generation;
}

TEST(GenerationsTest, BeginsWithNothing) {
  const Generations generations;
  EXPECT_FALSE(generations.active());
  EXPECT_FALSE(generations.find(kFirst));
  EXPECT_TRUE(generations.held().empty());
}

TEST(GenerationsTest, OnlyWhatIsHeldCanBeActive) {
  Generations generations;
  EXPECT_FALSE(generations.activate(kFirst));
  generations.add(make(kFirst));
  EXPECT_FALSE(generations.active()) << "held is not active yet";
  EXPECT_TRUE(generations.activate(kFirst));
  EXPECT_EQ(generations.active()->id, kFirst);
  EXPECT_FALSE(generations.activate(kSecond));
  EXPECT_FALSE(generations.activate({}));
  EXPECT_EQ(generations.active()->id, kFirst) << "a refused order changes nothing";
  EXPECT_FALSE(generations.find({2, 0xaa})) << "the number is part of the name";
}

TEST(GenerationsTest, KeepOnlyDropsTheOthersButNeverTheActiveOne) {
  Generations generations;
  for (const GenerationId& id : {kFirst, kSecond, kThird}) generations.add(make(id));
  generations.activate(kSecond);
  generations.keep_only({kThird, {9, 9}});
  EXPECT_THAT(generations.held(), ElementsAre(kSecond, kThird));
  generations.keep_only({});
  EXPECT_THAT(generations.held(), ElementsAre(kSecond));
  EXPECT_EQ(generations.active()->id, kSecond);
}

TEST(GenerationsTest, AQueryKeepsWhatItUsesAlive) {
  Generations generations;
  generations.add(make(kFirst));
  generations.activate(kFirst);
  Generations::Pointer in_flight = generations.active();
  const std::weak_ptr<const Generation> watched = in_flight;
  generations.add(make(kSecond));
  generations.activate(kSecond);
  generations.keep_only({kSecond});
  EXPECT_FALSE(generations.find(kFirst));
  ASSERT_FALSE(watched.expired());
  EXPECT_EQ(in_flight->id, kFirst);
  in_flight.reset();
  EXPECT_TRUE(watched.expired()) << "it goes with its last query";
}

}  // namespace
}  // namespace souk::generation
