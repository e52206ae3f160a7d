// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_set>

#include "indexer/feed/categories.h"
#include "indexer/feed/offer.h"
#include "indexer/feed/raw_offer.h"
#include "indexer/feed/report.h"

namespace souk::feed {

// Validates offers one by one by the strict rules. What makes an offer unusable is written to the report as its error;
// what can be left out is left out with a warning.
class OfferValidator {
 public:
  // currencies: ISO codes that the feed lists. The references must outlive the validator; the tree must be linked.
  OfferValidator(const CategoryTree& categories, const std::set<std::string>& currencies, Report& report)
      : categories_(categories), currencies_(currencies), report_(report) {}

  // Takes what it needs out of raw. Nothing when the offer is rejected.
  std::optional<Offer> validate(RawOffer& raw);

 private:
  bool take_id(RawOffer& raw, Offer& offer);
  bool take_name(RawOffer& raw, Offer& offer);
  bool take_vendor_model_name(RawOffer& raw, Offer& offer);
  bool take_price(RawOffer& raw, Offer& offer);
  bool take_currency(RawOffer& raw, Offer& offer);
  bool take_category(RawOffer& raw, Offer& offer);
  void take_old_price(RawOffer& raw, Offer& offer);
  void take_available(RawOffer& raw, Offer& offer);
  void take_links(RawOffer& raw, Offer& offer);
  void take_barcodes(RawOffer& raw, Offer& offer);
  void take_params(RawOffer& raw, Offer& offer);
  void take_description(RawOffer& raw, Offer& offer);
  std::string take_text(std::string& raw, size_t characters, const char* what);

  bool reject(const char* kind, std::string message);
  void warn(const char* kind, std::string message);

  const CategoryTree& categories_;
  const std::set<std::string>& currencies_;
  Report& report_;
  std::unordered_set<std::string> ids_;  // of accepted offers
  std::string id_;                       // of the offer in work
  uint64_t line_ = 0;
};

}  // namespace souk::feed
