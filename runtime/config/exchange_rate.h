// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

namespace souk::config {

// Units of the base currency for one unit of another: an exact decimal, so that the same prices come out everywhere.
class ExchangeRate {
 public:
  static constexpr uint64_t kOne = 1'000'000'000;               // billionths
  static constexpr uint64_t kMost = 1'000'000'000 * kOne;       // a billion units
  static constexpr int64_t kMaxAmount = 1'000'000'000'000'000;  // hundredths, as everywhere

  constexpr ExchangeRate() = default;  // of a currency to itself
  // 1..kMost
  constexpr explicit ExchangeRate(uint64_t billionths) : billionths_(billionths) {}

  uint64_t billionths() const { return billionths_; }
  // Hundredths (0..kMaxAmount) in the base currency, rounded half up; nothing when they are more than kMaxAmount.
  std::optional<int64_t> convert(int64_t hundredths) const;

  auto operator<=>(const ExchangeRate&) const = default;

 private:
  uint64_t billionths_ = kOne;
};

}  // namespace souk::config
