// SPDX-License-Identifier: Apache-2.0
#include "core/rank/bm25f.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace souk::rank {
namespace {

using index::Field;

constexpr auto kTitle = static_cast<size_t>(Field::kTitle);
constexpr auto kParams = static_cast<size_t>(Field::kParams);
constexpr auto kDescription = static_cast<size_t>(Field::kDescription);

Bm25f four_words() {
  Bm25f model;
  for (FieldParameters& field : model.fields) field.average_length = 4;
  return model;
}

FieldCounts only(size_t field, uint32_t value) {
  FieldCounts counts{};
  counts[field] = value;
  return counts;
}

TEST(Bm25f, ValuesByHand) {
  const Bm25f model = four_words();
  // tf 1, length as the average: 255 * 1 / (1.2 + 1) = 115.9
  EXPECT_EQ(main_impact(model, only(kTitle, 1), only(kTitle, 4)), 116);
  // twice as long: x = 1 / (0.25 + 0.75 * 2) = 0.571, 255 * 0.571 / 1.771 = 82.3
  EXPECT_EQ(main_impact(model, only(kTitle, 1), only(kTitle, 8)), 82);
  // tf 2: 255 * 2 / 3.2 = 159.4
  EXPECT_EQ(main_impact(model, only(kTitle, 2), only(kTitle, 4)), 159);
  EXPECT_EQ(description_impact(model, only(kDescription, 1), only(kDescription, 4)), 116);
}

TEST(Bm25f, FieldsAddUpBeforeTheSaturation) {
  Bm25f model = four_words();
  model.fields[kTitle] = {.weight = 3, .b = 0.5, .average_length = 4};
  model.fields[kParams] = {.weight = 1, .b = 0.75, .average_length = 10};
  FieldCounts counts{}, lengths{};
  counts[kTitle] = 1;
  lengths[kTitle] = 2;
  counts[kParams] = 2;
  lengths[kParams] = 20;
  // 3 / 0.75 + 2 / 1.75 = 5.143; 255 * 5.143 / 6.343 = 206.8
  EXPECT_EQ(main_impact(model, counts, lengths), 207);
}

TEST(Bm25f, DescriptionAndMainFieldsAreApart) {
  const Bm25f model = four_words();
  EXPECT_EQ(main_impact(model, only(kDescription, 5), only(kDescription, 5)), 0);
  EXPECT_EQ(description_impact(model, only(kTitle, 5), only(kTitle, 5)), 0);
  EXPECT_EQ(main_impact(model, {}, only(kTitle, 5)), 0);
}

TEST(Bm25f, WhatOccursHasAnImpact) {
  Bm25f model = four_words();
  EXPECT_EQ(main_impact(model, only(kTitle, 1), only(kTitle, 4'000'000'000)), 1);
  EXPECT_EQ(main_impact(model, only(kTitle, 4'000'000'000), only(kTitle, 1)), 255);
  model.fields[kTitle].weight = 0;
  EXPECT_EQ(main_impact(model, only(kTitle, 1), only(kTitle, 4)), 1);
}

RC_GTEST_PROP(Bm25f, MoreOccurrencesNeverLowerTheImpact, ()) {
  Bm25f model;
  FieldCounts counts{}, lengths{};
  for (size_t f = 0; f < index::kMainFields; ++f) {
    model.fields[f] = {.weight = *rc::gen::inRange(0, 100) / 10.0,
                       .b = *rc::gen::inRange(0, 101) / 100.0,
                       .average_length = *rc::gen::inRange(1, 1000) / 10.0};
    counts[f] = *rc::gen::inRange<uint32_t>(0, 20);
    lengths[f] = counts[f] + *rc::gen::inRange<uint32_t>(0, 50);
  }
  const auto f = *rc::gen::inRange<size_t>(0, index::kMainFields);
  FieldCounts more = counts;
  ++more[f];
  ++lengths[f];  // of both, so that the field has room
  RC_ASSERT(main_impact(model, more, lengths) >= main_impact(model, counts, lengths));
  FieldCounts longer = lengths;
  ++longer[f];
  RC_ASSERT(main_impact(model, counts, longer) <= main_impact(model, counts, lengths));
}

TEST(Idf, ValuesByHand) {
  EXPECT_EQ(idf_weight(1000, 1), 13319U);   // 2048 * ln(1 + 999.5 / 1.5)
  EXPECT_EQ(idf_weight(1000, 500), 1420U);  // 2048 * ln 2
  EXPECT_EQ(idf_weight(1'000'000, 10), 23479U);
  EXPECT_EQ(idf_weight(1, 0), 2839U);  // 2048 * ln 4
}

TEST(Idf, StaysWithin16Bits) {
  EXPECT_EQ(idf_weight(1'000'000'000, 1), 41611U);
  EXPECT_EQ(idf_weight(uint64_t{1} << 62, 0), 65535U);
  EXPECT_EQ(idf_weight(1000, 1000), 1U);
  EXPECT_EQ(idf_weight(1'000'000'000, 1'000'000'000), 1U);
  EXPECT_GE(idf_weight(0, 0), 1U);
}

RC_GTEST_PROP(Idf, RarerWordsWeighNoLess, ()) {
  const auto documents = *rc::gen::inRange<uint64_t>(1, 1'000'000'000);
  const auto df = *rc::gen::inRange<uint64_t>(0, documents);
  RC_ASSERT(idf_weight(documents, df) >= idf_weight(documents, df + 1));
}

}  // namespace
}  // namespace souk::rank
