// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "indexer/match/identities.h"
#include "indexer/match/vendor_name.h"
#include "indexer/offers/offer_store.h"

namespace souk::match {

// That an offer bears an identity.
struct Mark {
  Identity identity;
  uint32_t offer = 0;  // its place in Evidence::offers
  uint8_t place = 0;   // of the barcode among the offer's
  bool trusted = true;
};

struct OfferMarks {
  DocKey key, model;
  uint64_t group = 0;    // hash of its group; 0 = none
  uint64_t id_hash = 0;  // of shop and id: an order that does not depend on keys
  uint32_t shop = 0;
  uint32_t vendor = 0;       // place in Evidence::vendors
  uint32_t facts_begin = 0;  // in Evidence::facts, up to the next offer's
};

// What the whole catalogue says of which offers are one product, without its texts.
class Evidence {
 public:
  static constexpr size_t kMaxBarcodes = 32;  // of an offer that count

  // bad_codes: barcodes, and codes with their vendor before them, that are no evidence.
  explicit Evidence(std::span<const std::string> bad_codes);

  void add(const offers::StoredOffer& offer);
  // By identity, and within one by an order that does not depend on the offers' keys. Behind the last add.
  void sort();

  std::span<Mark> marks() { return marks_; }
  std::span<const OfferMarks> offers() const { return offers_; }
  const VendorName& vendor(uint32_t place) const { return vendors_[place]; }
  std::span<const uint32_t> facts(uint32_t offer) const;

  // An identity of an offer, as a person reads it ("4006381333931", "норвик lx10").
  struct Found {
    Identity identity;
    uint8_t place = 0;  // a Mark's
    std::string text;
  };
  std::vector<Found> barcodes(const offers::StoredOffer& offer) const;
  std::optional<Found> code(const offers::StoredOffer& offer);
  static std::optional<Found> group(const offers::StoredOffer& offer);

 private:
  uint32_t vendor_place(const std::string& vendor);

  std::vector<Mark> marks_;
  std::vector<OfferMarks> offers_;
  std::vector<uint32_t> facts_;
  std::deque<VendorName> vendors_;
  std::unordered_map<std::string, uint32_t> places_;  // of vendors as written
  std::unordered_set<uint64_t> bad_gtins_;
  std::unordered_set<std::string> bad_pairs_;  // vendor and code in one
};

}  // namespace souk::match
