// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "indexer/feed/categories.h"
#include "indexer/feed/offer.h"
#include "indexer/feed/raw_offer.h"
#include "indexer/feed/read_options.h"
#include "indexer/feed/report.h"

namespace souk::feed {

// What is listed in a YML feed before its offers.
struct YmlLists {
  const CategoryTree* categories = nullptr;           // linked before the first offer
  const std::set<std::string>* currencies = nullptr;  // ISO codes
  const std::string* main_currency = nullptr;         // empty = none is marked
};

// Validates offers one by one. What makes an offer unusable is written to the report as its error; what can be left out
// is left out with a warning. Lenient: FEEDS.md section 5 says what is repaired; some repairs are warnings (what they
// take may not be what the shop meant), the others are counted (Report::repairs).
class OfferValidator {
 public:
  enum class Rules : uint8_t { kYml, kGoogle, kJson };

  // The lists (of kYml only) and the report must outlive the validator.
  OfferValidator(Rules rules, const ReadOptions& options, Report& report, YmlLists lists = {});

  // Takes what it needs out of raw. Nothing when the offer is rejected.
  std::optional<Offer> validate(RawOffer& raw);

 private:
  using IdHash = std::array<uint64_t, 2>;
  struct HashOfId {
    using is_avalanching = void;
    size_t operator()(const IdHash& id) const { return id[0]; }
  };

  bool take_id(RawOffer& raw, Offer& offer);
  bool take_name(RawOffer& raw, Offer& offer);
  bool take_vendor_model_name(RawOffer& raw, Offer& offer);
  bool repair_name(RawOffer& raw, Offer& offer);
  bool take_description(RawOffer& raw, Offer& offer);

  bool take_price(RawOffer& raw, Offer& offer);
  bool take_google_price(RawOffer& raw, Offer& offer);
  void take_sale_price(RawOffer& raw, Offer& offer);
  bool take_currency(RawOffer& raw, Offer& offer);
  void take_old_price(RawOffer& raw, Offer& offer);
  std::optional<int64_t> read_price(std::string_view text);

  bool take_category(RawOffer& raw, Offer& offer);
  bool take_category_names(RawOffer& raw, Offer& offer);

  bool take_availability(RawOffer& raw, Offer& offer);
  void take_available(RawOffer& raw, Offer& offer);

  bool take_links(RawOffer& raw, Offer& offer);
  void take_pictures(RawOffer& raw, Offer& offer);
  void take_picture(std::string picture, Offer& offer);
  void take_group(RawOffer& raw, Offer& offer);
  void take_barcodes(RawOffer& raw, Offer& offer);
  void take_params(RawOffer& raw, Offer& offer);
  void take_extras(RawOffer& raw, Offer& offer);
  void take_condition(RawOffer& raw, Offer& offer);
  void take_delivery(RawOffer& raw, Offer& offer);
  void take_options(const std::vector<RawDeliveryOption>& raw, std::vector<DeliveryOption>& options);
  std::optional<bool> take_flag(RawOffer& raw, Field field, const char* name);
  std::string take_text(std::string& raw, size_t characters, const char* what);

  bool lenient() const { return mode_ == Mode::kLenient; }
  bool reject(const char* kind, std::string message);
  void warn(const char* kind, std::string message);
  // A fault that a lenient reading passes over with a warning. true = passed over.
  bool excuse(const char* kind, std::string message);

  const Rules rules_;
  const Mode mode_;
  const int64_t now_;
  Report& report_;
  const YmlLists lists_;
  boost::unordered_flat_set<IdHash, HashOfId> ids_;  // of accepted offers
  std::string id_;                                   // of the offer in work
  uint64_t line_ = 0;
};

}  // namespace souk::feed
