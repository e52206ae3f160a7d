// SPDX-License-Identifier: Apache-2.0
#include "indexer/ingest/brakes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace souk::ingest {
namespace {

offers::Difference removing(uint64_t removed, uint64_t live) {
  offers::Difference difference;
  difference.removed = removed;
  difference.live_before = live;
  return difference;
}

std::string reason(const offers::Difference& difference, const RunTally& tally = {1'000'000, 0}) {
  const auto hold = find_reason_to_hold(difference, tally);
  return hold ? hold->reason : "";
}

TEST(Brakes, AThirdOfAShop) {
  EXPECT_EQ(reason(removing(30, 100)), "");
  EXPECT_EQ(reason(removing(31, 100)), "shop_shrinks");
  EXPECT_EQ(reason(removing(1, 3)), "shop_shrinks");
  EXPECT_EQ(reason(removing(0, 0)), "");
}

TEST(Brakes, ATwentiethOfTheCatalogueInARun) {
  EXPECT_EQ(reason(removing(50, 1000), {1000, 0}), "");
  EXPECT_EQ(reason(removing(51, 1000), {1000, 0}), "catalogue_shrinks");
  EXPECT_EQ(reason(removing(1, 1000), {1000, 50}), "catalogue_shrinks");
  // A feed that removes nothing is not held for what others removed.
  EXPECT_EQ(reason(removing(0, 1000), {1000, 500}), "");
}

TEST(Brakes, MostPricesTenfold) {
  offers::Difference difference;
  difference.live_before = difference.priced = 100;
  difference.price_jumps = 50;
  EXPECT_EQ(reason(difference), "");
  difference.price_jumps = 51;
  EXPECT_EQ(reason(difference), "prices_jump");
}

TEST(Brakes, SayTheFigures) {
  const auto hold = find_reason_to_hold(removing(40, 100), {10'000, 3});
  ASSERT_TRUE(hold);
  EXPECT_EQ(hold->message, "it would remove 40 of the shop's 100 offers, more than 30 %");
  EXPECT_FALSE(hold->released);
}

RC_GTEST_PROP(BrakesProperty, ABiggerLossIsNeverTreatedBetter, ()) {
  const auto live = *rc::gen::inRange<uint64_t>(1, 2000);
  const auto removed = *rc::gen::inRange<uint64_t>(0, live);
  const RunTally tally{*rc::gen::inRange<uint64_t>(live, 100'000), *rc::gen::inRange<uint64_t>(0, 5000)};
  const bool held = find_reason_to_hold(removing(removed, live), tally).has_value();
  if (held) RC_ASSERT(find_reason_to_hold(removing(removed + 1, live), tally).has_value());
  const bool shop = removed * 100 > live * 30;
  const bool catalogue = removed > 0 && (removed + tally.removed) * 100 > tally.catalogue * 5;
  RC_ASSERT(held == (shop || catalogue));
}

}  // namespace
}  // namespace souk::ingest
