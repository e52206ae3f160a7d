// SPDX-License-Identifier: Apache-2.0
// Conversion against arithmetic on decimal digits, which knows no limits.
#include "runtime/config/exchange_rate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "runtime/config/market.h"

namespace souk::config {
namespace {

// Decimal digits, the lowest first.
using Digits = std::string;

Digits digits_of(uint64_t number) {
  Digits digits = std::to_string(number);
  std::ranges::reverse(digits);
  return digits;
}

Digits product(const Digits& a, const Digits& b) {
  Digits result(a.size() + b.size() + 1, '0');
  for (size_t i = 0; i < a.size(); ++i) {
    int carry = 0;
    for (size_t j = 0; j < b.size() || carry > 0; ++j) {
      const int digit = (result[i + j] - '0') + carry + (j < b.size() ? (a[i] - '0') * (b[j] - '0') : 0);
      result[i + j] = static_cast<char>('0' + digit % 10);
      carry = digit / 10;
    }
  }
  return result;
}

// Without its lowest nine digits; half of what they could be counts as one more.
std::string rounded(Digits digits) {
  digits += "0000000000";
  bool more = digits[8] >= '5';
  digits.erase(0, 9);
  for (size_t i = 0; more; ++i) {
    more = digits[i] == '9';
    digits[i] = more ? '0' : static_cast<char>(digits[i] + 1);
  }
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
  std::ranges::reverse(digits);
  return digits;
}

RC_GTEST_PROP(ExchangeRateProperty, RoundsHalfUpExactly, ()) {
  const auto any_below = [](uint64_t limit) {
    const auto bits = *rc::gen::inRange<uint32_t>(1, 64);
    return *rc::gen::arbitrary<uint64_t>() % std::min(limit, uint64_t{1} << bits);
  };
  const auto amount = static_cast<int64_t>(any_below(ExchangeRate::kMaxAmount + 1));
  const uint64_t billionths = 1 + any_below(ExchangeRate::kMost);
  const std::string expected = rounded(product(digits_of(static_cast<uint64_t>(amount)), digits_of(billionths)));
  const auto converted = ExchangeRate(billionths).convert(amount);
  if (converted) {
    RC_ASSERT(std::to_string(*converted) == expected);
  } else {
    RC_ASSERT(expected.size() >= 16U && expected > "1000000000000000");
  }
}

TEST(ExchangeRate, HalvesGoUpAndItselfIsTheSame) {
  EXPECT_EQ(ExchangeRate().convert(129'950), 129'950);
  EXPECT_EQ(ExchangeRate(ExchangeRate::kOne / 2).convert(1), 1);
  EXPECT_EQ(ExchangeRate(ExchangeRate::kOne / 2 - 1).convert(1), 0);
  EXPECT_EQ(ExchangeRate(92'500'000'000).convert(1999), 184'908) << "184907.5";
  EXPECT_EQ(ExchangeRate(1).convert(ExchangeRate::kMaxAmount), 1'000'000);
  EXPECT_EQ(ExchangeRate().convert(ExchangeRate::kMaxAmount), ExchangeRate::kMaxAmount);
  EXPECT_EQ(ExchangeRate(ExchangeRate::kOne + 1).convert(ExchangeRate::kMaxAmount), std::nullopt);
  EXPECT_EQ(ExchangeRate(ExchangeRate::kMost).convert(ExchangeRate::kMaxAmount), std::nullopt);
}

// What stands in the file is the rate, to the last digit.
RC_GTEST_PROP(ExchangeRateProperty, IsReadExactly, ()) {
  const auto whole = *rc::gen::inRange<uint64_t>(0, 1'000'000);
  const auto digits = *rc::gen::inRange<uint32_t>(1, 10);
  std::string fraction;
  for (uint32_t i = 0; i < digits; ++i) fraction += static_cast<char>('0' + *rc::gen::inRange(0, 10));
  const uint64_t billionths = whole * ExchangeRate::kOne + std::stoull(fraction + std::string(9 - digits, '0'));
  RC_PRE(billionths > 0);
  const std::string text = "[currencies]\nUSD = " + std::to_string(whole) + "." + fraction;
  const auto market = parse_market(text, "m.toml");
  RC_ASSERT(market.has_value());
  RC_ASSERT(market->rate_of("USD") == ExchangeRate(billionths));
}

}  // namespace
}  // namespace souk::config
