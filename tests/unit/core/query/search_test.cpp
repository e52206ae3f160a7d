// SPDX-License-Identifier: Apache-2.0
#include "core/query/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/unit/core/query/evaluators.h"

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

class Search : public testing::TestWithParam<test::NamedEvaluator> {
 protected:
  const test::Evaluator& evaluate() const { return GetParam().evaluate; }
  Result<merge::Merged> ask(const World& world, const wire::ShardRequest& request) const {
    return world.ask(request, evaluate());
  }
};
INSTANTIATE_TEST_SUITE_P(Evaluators, Search, testing::ValuesIn(test::evaluators()), test::EvaluatorName());

std::vector<TestOffer> many(uint64_t count) {
  std::vector<TestOffer> offers;
  for (uint64_t id = 1; id <= count; ++id) offers.push_back({.id = id, .title = "кот", .description = "мышь"});
  return offers;
}

void add_term(wire::ShardRequest& request, const std::string& text, uint32_t weight) {
  request.add_terms()->set_text(text);
  request.mutable_terms()->rbegin()->set_weight(weight);
}

void add_slot(wire::ShardRequest& request, const std::vector<uint32_t>& terms) {
  request.add_slots()->mutable_terms()->Add(terms.begin(), terms.end());
}

TEST_P(Search, ADeadlineThatHasPassedStopsIt) {
  const World world(many(5), 1);
  const test::FixedClock clock;
  const Stop stop{clock, Deadline(clock.now())};
  wire::ShardRequest request = world.request();
  const auto browsed = evaluate()({world.shards()[0], world.dictionary()}, request, stop);
  ASSERT_FALSE(browsed.has_value());
  EXPECT_EQ(browsed.error().code, ErrorCode::kDeadlineExceeded);
  world.add_text(request, "кот");
  const auto searched = evaluate()({world.shards()[0], world.dictionary()}, request, stop);
  ASSERT_FALSE(searched.has_value());
  EXPECT_EQ(searched.error().code, ErrorCode::kDeadlineExceeded);
}

TEST_P(Search, ADeadlineThatPassesOnTheWayStopsIt) {
  const World world(many(5000), 1);
  wire::ShardRequest request = world.request();
  request.set_with_description(true);
  request.add_variants(1);
  world.add_text(request, "кот мышь");
  SteppingClock counting;
  ASSERT_TRUE(evaluate()({world.shards()[0], world.dictionary()}, request, {counting, Deadline::never()}));
  const int looks = counting.looks();
  EXPECT_GE(looks, 1);
  for (int seconds = 1; seconds <= looks; ++seconds) {
    SteppingClock clock;
    const Stop stop{clock, Deadline(SteadyTime(std::chrono::seconds(seconds)))};
    const auto late = evaluate()({world.shards()[0], world.dictionary()}, request, stop);
    ASSERT_FALSE(late.has_value()) << seconds;
    ASSERT_EQ(late.error().code, ErrorCode::kDeadlineExceeded) << seconds;
    EXPECT_LE(clock.looks(), seconds + 1) << "gives up at once";  // how long is left may be asked for too
  }
  SteppingClock clock;
  EXPECT_TRUE(evaluate()({world.shards()[0], world.dictionary()}, request,
                         {clock, Deadline(SteadyTime(std::chrono::seconds(looks + 1000)))}));
}

TEST_P(Search, AReplyIsStampedWithItsGenerationAndShard) {
  const World world(many(20), 3);
  const auto replies = world.replies(world.request(), evaluate()).value();
  ASSERT_EQ(replies.size(), 3U);
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(replies[i].shard(), i + 1);
    EXPECT_EQ(replies[i].generation_number(), world.request().generation_number());
    EXPECT_EQ(replies[i].generation_hash(), world.request().generation_hash());
  }
}

TEST_P(Search, WordsOfTheDescriptionCountOnlyWhenAsked) {
  const World world(many(1), 1);
  wire::ShardRequest request = world.request();
  world.add_text(request, "кот мышь");
  EXPECT_EQ(ask(world, request)->total_offers, 0U);
  request.set_with_description(true);
  EXPECT_EQ(ask(world, request)->total_offers, 1U);
}

TEST_P(Search, AllWordsMayComeFromDifferentFields) {
  const World world(
      {{.id = 1, .title = "Мышь", .category = {"Игрушки"}, .vendor = "Lynx", .params = {{"Цвет", "Белый"}}},
       {.id = 2, .title = "Мышь", .vendor = "Lynx"}},
      2);
  wire::ShardRequest request = world.request();
  world.add_text(request, "белая мышь lynx игрушка");
  request.set_explain(true);
  const auto merged = ask(world, request).value();
  ASSERT_EQ(merged.hits.size(), 1U);
  EXPECT_EQ(merged.hits[0].key, world.offers()[0].key());
  const auto bit = [](index::Field field) { return 1U << static_cast<unsigned>(field); };
  EXPECT_EQ(merged.hits[0].field_masks,
            (std::vector<uint32_t>{bit(index::Field::kParams), bit(index::Field::kTitle), bit(index::Field::kVendor),
                                   bit(index::Field::kCategory)}));
}

TEST_P(Search, OneOfferAndOneModel) {
  const World world({{.id = 1, .model = 1}, {.id = 2, .model = 1}, {.id = 3}, {.id = 4, .model = 2}}, 8);
  wire::ShardRequest request = world.request();
  request.set_group(wire::GROUP_OFFER);
  request.mutable_filters()->set_model(world.offers()[0].group().value());
  EXPECT_EQ(ask(world, request)->total_offers, 2U);
  request.mutable_filters()->set_offer(world.offers()[1].key().value());
  EXPECT_EQ(ask(world, request)->hits.at(0).key, world.offers()[1].key());
  request.mutable_filters()->set_offer(world.offers()[3].key().value());  // of another model
  EXPECT_EQ(ask(world, request)->total_offers, 0U);
  request.mutable_filters()->set_model(world.offers()[2].key().value());  // an offer without a model is its own group
  request.mutable_filters()->set_offer(0);
  EXPECT_EQ(ask(world, request)->total_offers, 1U);
  request.mutable_filters()->set_model(1);
  EXPECT_EQ(ask(world, request)->total_offers, 0U);
}

TEST_P(Search, ScoresDoNotOverflow) {
  // The largest request within bounds: 32 terms of the largest weight, in the title and in the description.
  const World world({{.id = 1, .title = std::string(100'000, ' ') + "кот", .description = "кот", .level = 15}}, 1);
  wire::ShardRequest request = world.request();
  request.set_with_description(true);
  request.set_quality_weight(1'000'000);
  for (size_t i = 0; i < kMaxSlots; ++i) add_term(request, "кот", 65535);
  const auto merged = ask(world, request).value();
  const test::TermWeights weights = world.terms()[0].at("кот");
  const uint64_t expected = uint64_t{32} * 65535 * std::max(weights.main_impact, weights.description_impact);
  EXPECT_EQ(merged.hits.at(0).score, expected);
  EXPECT_EQ(merged.hits.at(0).order, static_cast<int64_t>(expected) + 15'000'000);
  EXPECT_LT(uint64_t{32} * 65535 * 255, uint64_t{1} << 32);
}

TEST_P(Search, TheBestSynonymScoresAndOnlyOnce) {
  const World world({{.id = 1, .title = "кот"}, {.id = 2, .title = "кот кошка"}, {.id = 3, .title = "кошка мышь"}}, 2);
  wire::ShardRequest request = world.request();
  request.set_explain(true);
  add_term(request, "кот", 10);
  add_term(request, "кошк", 100);
  add_slot(request, {0, 1});
  const auto merged = ask(world, request).value();
  ASSERT_EQ(merged.total_offers, 3U);
  for (const merge::Hit& hit : merged.hits) {
    ASSERT_EQ(hit.impacts.size(), 2U);  // by term
    EXPECT_EQ(hit.score, std::max(hit.impacts[0] * 10, hit.impacts[1] * 100));
  }
  EXPECT_EQ(merged.hits[2].key, world.offers()[0].key()) << "only the weaker word";
}

TEST_P(Search, AWordScoresByItsBetterField) {
  const World world({{.id = 1, .title = "кот", .description = "кот кот кот"}, {.id = 2, .description = "кот"}}, 1);
  wire::ShardRequest request = world.request();
  request.set_explain(true);
  add_term(request, "кот", 1);
  request.set_with_description(true);
  const auto merged = ask(world, request).value();
  ASSERT_EQ(merged.hits.size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    const test::TermWeights weights = world.terms()[merged.hits[i].key == world.offers()[0].key() ? 0 : 1].at("кот");
    EXPECT_EQ(merged.hits[i].impacts[0], std::max(weights.main_impact, weights.description_impact));
    EXPECT_EQ(merged.hits[i].score, merged.hits[i].impacts[0]);
  }
}

TEST_P(Search, MinMatchCountsSlots) {
  const World world({{.id = 1, .title = "кот"},
                     {.id = 2, .title = "кот мышь"},
                     {.id = 3, .title = "кот мышь дом"},
                     {.id = 4, .title = "слон"}},
                    2);
  wire::ShardRequest request = world.request();
  world.add_text(request, "кот мышь дом");
  const std::vector<uint64_t> expected = {1, 3, 2, 1};  // 0 = all
  for (uint32_t least = 0; least < expected.size(); ++least) {
    request.set_min_match(least);
    EXPECT_EQ(ask(world, request)->total_offers, expected[least]) << least;
  }
}

TEST_P(Search, APhraseStaysInTheTitleOrInOneValue) {
  const World world({{.id = 1, .title = "злой кот дома"},
                     {.id = 2, .title = "кот злой"},
                     {.id = 3, .title = "очень злой", .params = {{"Вид", "кот"}}},
                     {.id = 4, .title = "игрушка", .params = {{"Вид", "злой кот"}}},
                     {.id = 5, .title = "злой", .params = {{"Вид", "злой"}, {"Имя", "кот"}}},
                     {.id = 6, .title = "злой и кот", .description = "злой кот"}},
                    2);
  wire::ShardRequest request = world.request();
  world.add_text(request, "злой кот");
  EXPECT_EQ(ask(world, request)->total_offers, 6U);
  wire::Phrase& phrase = *request.add_phrases();
  phrase.add_terms(0);
  phrase.add_terms(1);
  const auto merged = ask(world, request).value();
  std::set<DocKey> found;
  for (const merge::Hit& hit : merged.hits) found.insert(hit.key);
  EXPECT_EQ(found, (std::set<DocKey>{world.offers()[0].key(), world.offers()[3].key()}));
}

TEST_P(Search, APhraseWithAnUnknownWordMatchesNothing) {
  const World world({{.id = 1, .title = "злой кот"}}, 1);
  wire::ShardRequest request = world.request();
  world.add_text(request, "злой кот");
  add_term(request, "единорог", 1);
  add_slot(request, {0});
  EXPECT_EQ(ask(world, request)->total_offers, 1U);
  request.add_phrases()->add_terms(2);
  request.add_variants(1);
  const auto merged = ask(world, request).value();
  EXPECT_EQ(merged.total_offers, 0U);
  EXPECT_EQ(merged.variants.at(0).offers, 0U);
}

TEST_P(Search, VariantsCountWhateverMinMatchSays) {
  const World world({{.id = 1, .model = 1, .title = "кот"},
                     {.id = 2, .model = 1, .title = "кот мышь"},
                     {.id = 3, .model = 1, .title = "кот мышь", .in_stock = false},
                     {.id = 4, .title = "мышь дом"},
                     {.id = 5, .model = 2, .title = "кот мышь дом"}},
                    8);
  wire::ShardRequest request = world.request();
  world.add_text(request, "кот мышь дом");
  for (const uint32_t set : {0b001U, 0b011U, 0b110U, 0b111U}) request.add_variants(set);
  request.mutable_filters()->set_in_stock(true);
  const auto merged = ask(world, request).value();
  EXPECT_EQ(merged.total_offers, 1U);
  std::vector<std::pair<uint64_t, uint64_t>> counts;
  for (const merge::VariantTotals& totals : merged.variants) counts.emplace_back(totals.offers, totals.models);
  EXPECT_EQ(counts, (std::vector<std::pair<uint64_t, uint64_t>>{{3, 2}, {2, 2}, {2, 2}, {1, 1}}));
}

TEST_P(Search, OfEqualOffersOneInStockStandsForItsModel) {
  const World world({{.id = 1, .model = 1, .price = 5, .in_stock = false},
                     {.id = 2, .model = 1, .price = 5},
                     {.id = 3, .model = 1, .price = 5},
                     {.id = 4, .model = 1, .price = 4, .in_stock = false}},
                    1);
  wire::ShardRequest request = world.request();
  EXPECT_TRUE(ask(world, request)->hits.at(0).in_stock);
  request.set_sort(wire::SORT_PRICE_DESC);
  const DocKey expected = std::min(world.offers()[1].key(), world.offers()[2].key());
  EXPECT_EQ(ask(world, request)->hits.at(0).key, expected);
  request.set_sort(wire::SORT_PRICE);
  EXPECT_EQ(ask(world, request)->hits.at(0).key, world.offers()[3].key()) << "the order comes first";
}

TEST_P(Search, OffersOfEqualOrderStandByTheirModels) {
  std::vector<TestOffer> offers;
  for (uint64_t id = 1; id <= 40; ++id) offers.push_back({.id = id, .model = id % 5});
  for (const uint32_t shards : {1U, 8U}) {
    const World world(offers, shards);
    wire::ShardRequest request = world.request();
    request.set_group(wire::GROUP_OFFER);
    request.set_limit(40);
    const auto merged = ask(world, request).value();
    ASSERT_EQ(merged.hits.size(), 40U);
    const auto place = [](const merge::Hit& hit) { return std::pair(hit.group, hit.key); };
    EXPECT_TRUE(std::ranges::is_sorted(merged.hits, {}, place));
    EXPECT_EQ(std::ranges::count_if(merged.hits, [](const merge::Hit& hit) { return hit.group == hit.key; }), 8);
  }
}

TEST_P(Search, AModelHasTheLevelOfItsBestOffer) {
  const World world({{.id = 1, .model = 1, .price = 1, .level = 2}, {.id = 2, .model = 1, .price = 2, .level = 9}}, 1);
  wire::ShardRequest request = world.request();
  request.set_sort(wire::SORT_PRICE);
  request.mutable_filters()->set_price_to(1);  // the better one does not even pass
  EXPECT_EQ(ask(world, request)->hits.at(0).level, 9U);
}

TEST_P(Search, ScoresAreShownWhereTheyDecideOrAreExplained) {
  const World world(many(1), 1);
  wire::ShardRequest request = world.request();
  world.add_text(request, "кот");
  EXPECT_GT(ask(world, request)->hits.at(0).score, 0U);
  request.set_sort(wire::SORT_PRICE);
  EXPECT_EQ(ask(world, request)->hits.at(0).score, 0U);
  request.set_explain(true);
  EXPECT_GT(ask(world, request)->hits.at(0).score, 0U);
}

}  // namespace
}  // namespace souk::query
