// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/base_price.h"

namespace souk::build {

std::optional<BasePrice> base_price(const feed::Offer& offer, const config::ExchangeRate& rate) {
  const std::optional<int64_t> price = rate.convert(offer.price);
  if (!price || *price == 0) return std::nullopt;
  return BasePrice{*price, rate.convert(offer.old_price).value_or(0)};
}

}  // namespace souk::build
