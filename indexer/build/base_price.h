// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "indexer/feed/offer.h"
#include "runtime/config/market.h"

namespace souk::build {

// An offer's prices in the market's base currency, hundredths.
struct BasePrice {
  int64_t price = 0;      // 1..10^15
  int64_t old_price = 0;  // 0 = none
  bool operator==(const BasePrice&) const = default;
};

// Nothing when the price is less than half a hundredth, or more than 10^15.
std::optional<BasePrice> base_price(const feed::Offer& offer, const config::ExchangeRate& rate);

}  // namespace souk::build
