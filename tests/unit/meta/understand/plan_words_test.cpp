// SPDX-License-Identifier: Apache-2.0
#include "meta/understand/plan_words.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/rank/bm25f.h"
#include "tests/unit/core/world.h"

namespace souk::understand {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// w100 to w249 stand in 1 to 5 titles each, more often the greater the last digit is; some cats and cities.
std::vector<test::TestOffer> offers() {
  std::vector<test::TestOffer> all;
  for (int i = 100; i < 250; ++i) {
    for (int copy = 0; copy <= i % 10 / 2; ++copy) {
      test::TestOffer offer;
      offer.id = all.size() + 1;
      offer.title = fmt::format("w{}", i);
      all.push_back(offer);
    }
  }
  for (const char* title : {"кот злой", "котик", "котик котофей", "cities", "citizen"}) {
    test::TestOffer offer;
    offer.id = all.size() + 1;
    offer.title = title;
    offer.description = "котлован";
    all.push_back(offer);
  }
  return all;
}

const index::Dictionary& word_dictionary() {
  static const test::World world(offers(), 1);
  return world.dictionary();
}

Plan plan_of_words(std::string_view text, uint32_t min_match = 0) {
  text::Analyzer analyzer;
  Plan plan;
  plan.text = read_query_text(analyzer, text).value();
  plan_words(plan.text, min_match, word_dictionary(), plan);
  EXPECT_EQ(plan.request.slots_size(), static_cast<int>(plan.text.words.size()));
  EXPECT_TRUE(query::check_request(plan.request, word_dictionary())) << "a plan is within a shard's bounds";
  return plan;
}

std::vector<std::string> terms_of(const Plan& plan, int slot) {
  std::vector<std::string> out;
  for (const uint32_t term : plan.request.slots(slot).terms()) {
    EXPECT_EQ(plan.request.terms(static_cast<int>(term)).text(), plan.terms[term]);
    out.push_back(plan.terms[term]);
  }
  return out;
}

TEST(PlanWordsTest, EveryWordIsASlot) {
  const Plan plan = plan_of_words("кот \"злой кот\" nobody");
  EXPECT_THAT(plan.terms, ElementsAre("кот", "зл", "nobodi"));
  EXPECT_THAT(terms_of(plan, 0), ElementsAre("кот"));
  EXPECT_THAT(terms_of(plan, 1), ElementsAre("зл"));
  ASSERT_EQ(plan.request.phrases_size(), 1);
  EXPECT_THAT(plan.request.phrases(0).terms(), ElementsAre(1, 0));
  EXPECT_EQ(plan.request.min_match(), 0U);
  EXPECT_THAT(plan.warnings, IsEmpty());
  EXPECT_EQ(plan_of_words("").request.slots_size(), 0);
}

TEST(PlanWordsTest, APrefixIsTheTermsThatBeginSo) {
  const Plan plan = plan_of_words("кот* кот");
  EXPECT_THAT(terms_of(plan, 0), ElementsAre("котик", "кот", "котоф", "котлова")) << "the most frequent first";
  EXPECT_THAT(terms_of(plan, 1), ElementsAre("кот"));
  EXPECT_EQ(plan.terms.size(), 4U) << "each term is sent once";
  for (size_t i = 0; i < plan.terms.size(); ++i) {
    const index::TermStatistics df = word_dictionary().term(plan.terms[i]);
    EXPECT_EQ(plan.main_df[i], df.main_df);
    EXPECT_EQ(plan.request.terms(static_cast<int>(i)).weight(),
              rank::idf_weight(word_dictionary().stats().documents, df.main_df))
        << "each has its own weight";
  }
  EXPECT_THAT(plan.warnings, IsEmpty());
}

TEST(PlanWordsTest, WhereNoTermBeginsSoTheWordItselfIsMeant) {
  EXPECT_THAT(terms_of(plan_of_words("cities*"), 0), ElementsAre("citi")) << "which does not begin with cities";
  EXPECT_THAT(terms_of(plan_of_words("citi*"), 0), UnorderedElementsAre("citi", "citizen"));
  EXPECT_THAT(terms_of(plan_of_words("котики*"), 0), ElementsAre("котик"));
  EXPECT_THAT(terms_of(plan_of_words("коти*"), 0), ElementsAre("котик")) << "whose own stem is кот";
}

TEST(PlanWordsTest, APrefixOfNothingMatchesNothing) {
  const Plan plan = plan_of_words("zz*");
  EXPECT_THAT(terms_of(plan, 0), ElementsAre("zz"));
  EXPECT_THAT(plan.any_df, ElementsAre(0));
  EXPECT_THAT(plan.warnings, IsEmpty());
}

TEST(PlanWordsTest, TheMostFrequentHundredAndAWarning) {
  const Plan plan = plan_of_words("w1* w2*");
  const std::vector<std::string> first = terms_of(plan, 0);
  ASSERT_EQ(first.size(), 100U) << "there are just as many";
  EXPECT_EQ(first[0], "w108");
  EXPECT_EQ(first[20], "w106") << "of equals the first";
  EXPECT_EQ(terms_of(plan, 1).size(), 50U);
  EXPECT_THAT(plan.warnings, IsEmpty());

  const Plan more = plan_of_words("w1* wx");
  EXPECT_THAT(more.warnings, IsEmpty());
  text::Analyzer analyzer;
  test::TestOffer offer;
  offer.id = 100'000;
  offer.title = "w1999 w1999a";
  std::vector<test::TestOffer> all = offers();
  all.push_back(offer);
  const test::World world(all, 1);
  Plan cut;
  cut.text = read_query_text(analyzer, "w1*").value();
  plan_words(cut.text, 0, world.dictionary(), cut);
  EXPECT_EQ(cut.request.slots(0).terms_size(), 100);
  EXPECT_THAT(cut.warnings, ElementsAre("only the 100 most frequent of 102 words that begin so are searched: w1*"));
}

TEST(PlanWordsTest, PrefixesShareTheTermsOfARequest) {
  std::string text;
  for (int i = 0; i < 10; ++i) text += fmt::format("w1{}* ", i);  // 10 terms each
  EXPECT_THAT(plan_of_words(text).warnings, IsEmpty());
  const Plan many = plan_of_words("w1* w10* w11* w12* w13* w2* w20* кот");
  size_t in_slots = 0;
  std::set<std::string> warned;
  for (int i = 0; i < many.request.slots_size(); ++i) {
    EXPECT_GE(many.request.slots(i).terms_size(), 1);
    in_slots += static_cast<size_t>(many.request.slots(i).terms_size());
  }
  EXPECT_LE(in_slots, query::kMaxTerms);
  EXPECT_THAT(many.warnings, ElementsAre("only the 36 most frequent of 100 words that begin so are searched: w1*"))
      << "what the next do not need is left to those behind them";
}

TEST(PlanWordsTest, SoManyOfTheWordsMustBeThere) {
  EXPECT_EQ(plan_of_words("a b c", 0).request.min_match(), 0U);
  EXPECT_EQ(plan_of_words("a b c", 1).request.min_match(), 1U);
  EXPECT_EQ(plan_of_words("a b c", 2).request.min_match(), 2U);
  EXPECT_EQ(plan_of_words("a b c", 3).request.min_match(), 0U) << "all";
  EXPECT_EQ(plan_of_words("a b c", 32).request.min_match(), 0U) << "not more than there are";
  EXPECT_EQ(plan_of_words("a a a", 2).request.min_match(), 0U) << "different words";
  EXPECT_EQ(plan_of_words("", 5).request.min_match(), 0U);
}

}  // namespace
}  // namespace souk::understand
