// SPDX-License-Identifier: Apache-2.0
#include "core/query/search.h"

#include <gtest/gtest.h>

#include "tests/unit/core/world.h"

namespace souk::query {
namespace {

using test::TestOffer;
using test::World;

// Time goes on by a second at each look.
class SteppingClock final : public Clock {
 public:
  SteadyTime now() const override { return SteadyTime(std::chrono::seconds(++looks_)); }
  int64_t unix_seconds() const override { return 0; }
  int looks() const { return looks_; }

 private:
  mutable int looks_ = 0;
};

std::vector<TestOffer> many(uint64_t count) {
  std::vector<TestOffer> offers;
  for (uint64_t id = 1; id <= count; ++id) offers.push_back({.id = id, .title = "кот", .description = "мышь"});
  return offers;
}

TEST(Search, ADeadlineThatHasPassedStopsIt) {
  const World world(many(5), 1);
  const test::FixedClock clock;
  const Stop stop{clock, Deadline(clock.now())};
  wire::ShardRequest request = world.request();
  const auto browsed = search({world.shards()[0], world.dictionary()}, request, stop);
  ASSERT_FALSE(browsed.has_value());
  EXPECT_EQ(browsed.error().code, ErrorCode::kDeadlineExceeded);
  world.add_text(request, "кот");
  EXPECT_EQ(search({world.shards()[0], world.dictionary()}, request, stop).error().code, ErrorCode::kDeadlineExceeded);
}

TEST(Search, ADeadlineThatPassesOnTheWayStopsIt) {
  const World world(many(5000), 1);
  wire::ShardRequest request = world.request();
  request.set_with_description(true);
  world.add_text(request, "кот мышь");
  SteppingClock counting;
  ASSERT_TRUE(search({world.shards()[0], world.dictionary()}, request, {counting, Deadline::never()}));
  const int looks = counting.looks();
  EXPECT_GE(looks, 3 * 5);  // two lists and the matches, each 1,024
  for (int seconds = 1; seconds <= looks; ++seconds) {
    SteppingClock clock;
    const Stop stop{clock, Deadline(SteadyTime(std::chrono::seconds(seconds)))};
    ASSERT_EQ(search({world.shards()[0], world.dictionary()}, request, stop).error().code, ErrorCode::kDeadlineExceeded)
        << seconds;
    EXPECT_EQ(clock.looks(), seconds);  // gives up at once
  }
  SteppingClock clock;
  EXPECT_TRUE(search({world.shards()[0], world.dictionary()}, request,
                     {clock, Deadline(SteadyTime(std::chrono::seconds(looks + 1)))}));
}

TEST(Search, AReplyIsStampedWithItsGenerationAndShard) {
  const World world(many(20), 3);
  const auto replies = world.replies(world.request()).value();
  ASSERT_EQ(replies.size(), 3U);
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(replies[i].shard(), i + 1);
    EXPECT_EQ(replies[i].generation_number(), world.request().generation_number());
    EXPECT_EQ(replies[i].generation_hash(), world.request().generation_hash());
  }
}

TEST(Search, WordsOfTheDescriptionCountOnlyWhenAsked) {
  const World world(many(1), 1);
  wire::ShardRequest request = world.request();
  world.add_text(request, "кот мышь");
  EXPECT_EQ(world.ask(request)->total_offers, 0U);
  request.set_with_description(true);
  EXPECT_EQ(world.ask(request)->total_offers, 1U);
}

TEST(Search, AllWordsMayComeFromDifferentFields) {
  const World world(
      {{.id = 1, .title = "Мышь", .category = {"Игрушки"}, .vendor = "Lynx", .params = {{"Цвет", "Белый"}}},
       {.id = 2, .title = "Мышь", .vendor = "Lynx"}},
      2);
  wire::ShardRequest request = world.request();
  world.add_text(request, "белая мышь lynx игрушка");
  request.set_explain(true);
  const auto merged = world.ask(request).value();
  ASSERT_EQ(merged.hits.size(), 1U);
  EXPECT_EQ(merged.hits[0].key, world.offers()[0].key());
  const auto bit = [](index::Field field) { return 1U << static_cast<unsigned>(field); };
  EXPECT_EQ(merged.hits[0].field_masks,
            (std::vector<uint32_t>{bit(index::Field::kParams), bit(index::Field::kTitle), bit(index::Field::kVendor),
                                   bit(index::Field::kCategory)}));
}

TEST(Search, OneOfferAndOneModel) {
  const World world({{.id = 1, .model = 1}, {.id = 2, .model = 1}, {.id = 3}, {.id = 4, .model = 2}}, 8);
  wire::ShardRequest request = world.request();
  request.set_group(wire::GROUP_OFFER);
  request.mutable_filters()->set_model(world.offers()[0].group().value());
  EXPECT_EQ(world.ask(request)->total_offers, 2U);
  request.mutable_filters()->set_offer(world.offers()[1].key().value());
  EXPECT_EQ(world.ask(request)->hits.at(0).key, world.offers()[1].key());
  request.mutable_filters()->set_offer(world.offers()[3].key().value());  // of another model
  EXPECT_EQ(world.ask(request)->total_offers, 0U);
  request.mutable_filters()->set_model(world.offers()[2].key().value());  // an offer without a model is its own group
  request.mutable_filters()->set_offer(0);
  EXPECT_EQ(world.ask(request)->total_offers, 1U);
  request.mutable_filters()->set_model(1);
  EXPECT_EQ(world.ask(request)->total_offers, 0U);
}

TEST(Search, ScoresDoNotOverflow) {
  // The largest request within bounds: 32 terms of the largest weight, in the title and in the description.
  const World world({{.id = 1, .title = std::string(100'000, ' ') + "кот", .description = "кот", .level = 15}}, 1);
  wire::ShardRequest request = world.request();
  request.set_with_description(true);
  request.set_quality_weight(1'000'000);
  for (size_t i = 0; i < kMaxTerms; ++i) {
    request.add_terms()->set_text("кот");
    request.mutable_terms(static_cast<int>(i))->set_weight(65535);
  }
  const auto merged = world.ask(request).value();
  const test::TermWeights weights = world.terms()[0].at("кот");
  const uint64_t expected = uint64_t{32} * 65535 * (weights.main_impact + weights.description_impact);
  EXPECT_EQ(merged.hits.at(0).score, expected);
  EXPECT_EQ(merged.hits.at(0).order, static_cast<int64_t>(expected) + 15'000'000);
  EXPECT_LT(uint64_t{32} * 65535 * (255 + 255), uint64_t{1} << 32);
}

}  // namespace
}  // namespace souk::query
