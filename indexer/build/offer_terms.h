// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "indexer/offers/offer_store.h"

namespace souk::build {

// How an offer can be had.
struct OfferTerms {
  struct Options {
    std::vector<feed::DeliveryOption> options;
    std::string currency;  // of their costs
  };
  bool delivered = true, pickup = false, store = false;
  Options delivery_options, pickup_options;  // none where that way is not offered
};

// The offer's own terms where it has some, else its shop's.
OfferTerms terms_of(const feed::Offer& offer, const offers::Shop& shop);

// The cheapest, of equally cheap ones the soonest; null when there are none.
const feed::DeliveryOption* cheapest(const std::vector<feed::DeliveryOption>& options);

// As core/index/fields.h has them. Delivery is free when its cheapest option costs nothing.
uint8_t flags_of(const OfferTerms& terms, bool adult);

}  // namespace souk::build
