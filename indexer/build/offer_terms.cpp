// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/offer_terms.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "core/index/fields.h"

namespace souk::build {

namespace {

using Options = std::vector<feed::DeliveryOption>;

bool decide(std::optional<bool> own, std::optional<bool> of_shop, bool otherwise) {
  return own.value_or(of_shop.value_or(otherwise));
}

OfferTerms::Options choose(const Options& own, const Options& of_shop, const feed::Offer& offer,
                           const offers::Shop& shop) {
  if (!own.empty()) return {own, offer.currency};
  return {of_shop, shop.currency.empty() ? offer.currency : shop.currency};
}

}  // namespace

OfferTerms terms_of(const feed::Offer& offer, const offers::Shop& shop) {
  const feed::DeliveryTerms& own = offer.delivery;
  const feed::DeliveryTerms& of_shop = shop.delivery;
  OfferTerms terms;
  terms.delivered = decide(own.delivery, of_shop.delivery, true);
  terms.pickup = decide(own.pickup, of_shop.pickup, false);
  terms.store = decide(own.store, of_shop.store, false);
  if (terms.delivered) terms.delivery_options = choose(own.delivery_options, of_shop.delivery_options, offer, shop);
  if (terms.pickup) terms.pickup_options = choose(own.pickup_options, of_shop.pickup_options, offer, shop);
  return terms;
}

const feed::DeliveryOption* cheapest(const Options& options) {
  const auto rank = [](const feed::DeliveryOption& option) {
    return std::tuple(option.cost, option.days_to, option.days_from, -int{option.order_before});
  };
  return options.empty() ? nullptr : &*std::ranges::min_element(options, {}, rank);
}

uint8_t flags_of(const OfferTerms& terms, bool adult) {
  uint32_t flags = 0;
  if (terms.delivered) flags |= index::kDelivered;
  if (terms.pickup) flags |= index::kPickup;
  if (terms.store) flags |= index::kStore;
  const feed::DeliveryOption* least = cheapest(terms.delivery_options.options);
  if (least != nullptr && least->cost == 0) flags |= index::kFreeDelivery;
  if (adult) flags |= index::kAdult;
  return static_cast<uint8_t>(flags);
}

}  // namespace souk::build
