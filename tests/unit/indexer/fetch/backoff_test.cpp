// SPDX-License-Identifier: Apache-2.0
#include "indexer/fetch/backoff.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace souk::fetch {
namespace {

using std::chrono::seconds;

constexpr int64_t kNow = 1'770'000'000;
constexpr int64_t kDay = 86'400;

seconds any_period() {
  return seconds(*rc::gen::inRange<int64_t>(60, 7 * kDay));
}

RC_GTEST_PROP(Backoff, GoodFetchesComeOnceInAPeriodAtTheShopsPlace, (const std::string& shop)) {
  const seconds period = any_period();
  const int64_t now = kNow + *rc::gen::inRange<int64_t>(0, 2 * kDay);
  const int64_t next = next_fetch_time(shop, period, {}, now, *rc::gen::arbitrary<uint64_t>());
  RC_ASSERT(next - now >= period.count() / 2);
  RC_ASSERT(next - now < period.count() + (period.count() + 1) / 2);
  // A fetch that is late by less than half a period does not move the ones after it.
  const int64_t late = next + *rc::gen::inRange<int64_t>(0, period.count() / 2);
  RC_ASSERT(next_fetch_time(shop, period, {}, late, 0) == next + period.count());
}

RC_GTEST_PROP(Backoff, FailuresWaitLongerAndLongerButADayAtMost, (const std::string& shop, uint64_t random)) {
  const seconds period = any_period();
  const auto failures = *rc::gen::oneOf(rc::gen::inRange<uint32_t>(1, 15), rc::gen::just(UINT32_MAX));
  const int64_t wait = next_fetch_time(shop, period, {failures, {}}, kNow, random) - kNow;
  RC_ASSERT(wait >= 60);
  RC_ASSERT(wait <= std::min<int64_t>(kDay, failures < 20 ? int64_t{60} << failures : kDay));
}

RC_GTEST_PROP(Backoff, TheServersWishIsHeededUpToADay, (const std::string& shop, uint64_t random)) {
  const seconds period = any_period();
  const seconds wish(*rc::gen::inRange<int64_t>(-10, 10 * kDay));
  const auto failures = *rc::gen::inRange<uint32_t>(0, 5);
  const int64_t with = next_fetch_time(shop, period, {failures, wish}, kNow, random);
  const int64_t without = next_fetch_time(shop, period, {failures, {}}, kNow, random);
  RC_ASSERT(with == std::max(without, kNow + std::clamp<int64_t>(wish.count(), 0, kDay)));
}

TEST(Backoff, ShopsAreSpreadOut) {
  constexpr int kShops = 10'000;
  std::array<int, 10> tenths{};
  for (int i = 0; i < kShops; ++i) {
    const std::string shop = "shop" + std::to_string(i);
    // All of them were fetched in the same second, as after a long outage of ours.
    ++tenths.at(static_cast<size_t>((next_fetch_time(shop, seconds(3600), {}, kNow, 0) - kNow - 1800) / 360));
  }
  EXPECT_GT(*std::ranges::min_element(tenths), kShops / 10 * 8 / 10);
  EXPECT_LT(*std::ranges::max_element(tenths), kShops / 10 * 12 / 10);
}

TEST(Backoff, RetriesAreSpreadOverTheirWholeSpan) {
  int64_t least = std::numeric_limits<int64_t>::max();
  int64_t most = 0;
  for (uint64_t random = 0; random < 1000; ++random) {
    const int64_t wait = next_fetch_time("shop", seconds(3600), {3, {}}, kNow, random * 0x9E3779B97F4A7C15) - kNow;
    least = std::min(least, wait);
    most = std::max(most, wait);
  }
  EXPECT_LT(least, 70);
  EXPECT_GT(most, 470);
}

TEST(Backoff, ValidatorsAreTrustedForAWeek) {
  EXPECT_FALSE(is_time_to_send_anew(0, seconds(60)));
  EXPECT_FALSE(is_time_to_send_anew(7 * 24 - 1, seconds(3600)));
  EXPECT_TRUE(is_time_to_send_anew(7 * 24, seconds(3600)));
  EXPECT_FALSE(is_time_to_send_anew(6, seconds(kDay)));
  EXPECT_TRUE(is_time_to_send_anew(7, seconds(kDay)));
  EXPECT_FALSE(is_time_to_send_anew(0, seconds(30 * kDay)));
  EXPECT_TRUE(is_time_to_send_anew(1, seconds(30 * kDay)));
}

}  // namespace
}  // namespace souk::fetch
