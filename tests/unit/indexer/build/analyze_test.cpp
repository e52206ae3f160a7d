// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/analyze.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/indexer/offers/store_fixture.h"

namespace souk::build {
namespace {

using index::Field;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> words_of(const AnalyzedText& text) {
  std::vector<std::string> words;
  for (const uint32_t place : text.forward) {
    words.push_back(place == index::ForwardIndex::kBreak ? "|" : text.terms.at(place));
  }
  return words;
}

uint32_t count_of(const AnalyzedText& text, std::string_view term, Field field) {
  const auto found = std::ranges::find(text.terms, term);
  return found == text.terms.end()
             ? 0
             : text.counts.at(static_cast<size_t>(found - text.terms.begin())).at(static_cast<size_t>(field));
}

class AnalyzeTest : public ::testing::Test {
 protected:
  AnalyzedText analyze_offer(feed::Offer offer) {
    offers::StoredOffer stored;
    stored.offer = std::move(offer);
    return analyze(analyzer_, stored);
  }
  text::Analyzer analyzer_;
};

TEST_F(AnalyzeTest, EveryTermOnceWithItsCountsByField) {
  feed::Offer offer = offers::make_offer("1", "Red cat red");
  offer.vendor = "Red";
  offer.params = {{"Colour", "red", ""}};
  offer.description = "A red dog";
  const AnalyzedText text = analyze_offer(offer);
  EXPECT_THAT(text.terms, ElementsAre("red", "cat", "дом", "ламп", "a", "dog"));
  ASSERT_EQ(text.counts.size(), text.terms.size());
  EXPECT_EQ(count_of(text, "red", Field::kTitle), 2U);
  EXPECT_EQ(count_of(text, "red", Field::kVendor), 1U);
  EXPECT_EQ(count_of(text, "red", Field::kParams), 1U);
  EXPECT_EQ(count_of(text, "red", Field::kDescription), 1U);
  EXPECT_EQ(count_of(text, "cat", Field::kDescription), 0U);
  EXPECT_THAT(text.lengths, ElementsAre(3, 1, 0, 0, 2, 1, 3));
}

TEST_F(AnalyzeTest, TitleAndParamsInOrderWithBreaks) {
  feed::Offer offer = offers::make_offer("1", "Desk lamp red");
  offer.params = {{"Colour", "red", ""}, {"Note", "!!!", ""}, {"Weight", "5", "kg"}};
  offer.description = "not in it";
  EXPECT_THAT(words_of(analyze_offer(offer)), ElementsAre("desk", "lamp", "red", "|", "red", "|", "5", "kg"));
}

TEST_F(AnalyzeTest, NoBreakWithoutWordsOnBothSides) {
  feed::Offer offer = offers::make_offer("1", "!!!");
  EXPECT_THAT(words_of(analyze_offer(offer)), IsEmpty());
  offer.params = {{"Note", "...", ""}, {"Weight", "5", ""}, {"Other", "?", ""}};
  EXPECT_THAT(words_of(analyze_offer(offer)), ElementsAre("5"));
}

TEST_F(AnalyzeTest, QualityCountsWhatMakesAnOfferComplete) {
  offers::StoredOffer stored;
  stored.offer.available = false;
  EXPECT_EQ(quality_level(stored), 0U);
  stored.offer.available = true;
  stored.offer.pictures = {"p"};
  stored.offer.description = std::string(80, 'x');
  stored.offer.vendor = "v";
  stored.model = DocKey(7);
  stored.offer.params.resize(3);
  EXPECT_EQ(quality_level(stored), 15U);
}

}  // namespace
}  // namespace souk::build
