// SPDX-License-Identifier: Apache-2.0
#include "indexer/match/evidence.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/hash.h"
#include "indexer/match/title_facts.h"
#include "indexer/match/words.h"

namespace souk::match {
namespace {

// As it is mostly printed: EAN-8 and EAN-13 in their length.
std::string shown_gtin(uint64_t gtin) {
  constexpr uint64_t kEan8End = 100'000'000;
  return gtin < kEan8End ? fmt::format("{:08}", gtin) : fmt::format("{:013}", gtin);
}

}  // namespace

Evidence::Evidence(std::span<const std::string> bad_codes) {
  for (const std::string& code : bad_codes) {
    if (const auto gtin = normalize_gtin(code)) {
      bad_gtins_.insert(*gtin);
    } else {
      bad_pairs_.insert(compact(words_of(code)));
    }
  }
}

uint32_t Evidence::vendor_place(const std::string& vendor) {
  const auto [known, is_new] = places_.try_emplace(vendor, static_cast<uint32_t>(vendors_.size()));
  if (is_new) vendors_.push_back(vendor_name(vendor));
  return known->second;
}

std::vector<Evidence::Found> Evidence::barcodes(const offers::StoredOffer& stored) const {
  std::vector<Found> found;
  for (const std::string& barcode : stored.offer.barcodes) {
    const auto gtin = normalize_gtin(barcode);
    if (!gtin || bad_gtins_.contains(*gtin)) continue;
    const Identity identity = barcode_identity(*gtin, stored.shop);
    if (std::ranges::find(found, identity, &Found::identity) != found.end()) continue;
    found.push_back({identity, static_cast<uint8_t>(found.size()), shown_gtin(*gtin)});
    if (found.size() == kMaxBarcodes) break;
  }
  return found;
}

std::optional<Evidence::Found> Evidence::code(const offers::StoredOffer& stored) {
  const feed::Offer& offer = stored.offer;
  if (offer.vendor.empty() || offer.vendor_code.empty()) return std::nullopt;
  const VendorName& vendor = vendors_[vendor_place(offer.vendor)];
  if (vendor.words.empty()) return std::nullopt;
  const std::string code = normalize_code(offer.vendor_code);
  if (code.empty() || bad_pairs_.contains(vendor.joined + code)) return std::nullopt;
  return Found{code_identity(vendor, code), 0, vendor.joined + " " + code};
}

std::optional<Evidence::Found> Evidence::group(const offers::StoredOffer& stored) {
  const std::string& group = stored.offer.group_id;
  if (group.empty()) return std::nullopt;
  return Found{group_identity(group, stored.shop), 0, group};
}

void Evidence::add(const offers::StoredOffer& stored) {
  OfferMarks offer;
  offer.key = stored.key;
  offer.model = stored.model;
  offer.shop = stored.shop;
  offer.id_hash = xxh3(fmt::format("{}:{}", stored.shop, stored.offer.id));
  offer.vendor = vendor_place(stored.offer.vendor);
  offer.facts_begin = static_cast<uint32_t>(facts_.size());
  const auto place = static_cast<uint32_t>(offers_.size());
  for (const Found& barcode : barcodes(stored)) {
    marks_.push_back({.identity = barcode.identity, .offer = place, .place = barcode.place});
  }
  if (const auto found = code(stored)) {
    marks_.push_back({.identity = found->identity, .offer = place});
    const std::vector<uint32_t> facts = title_facts(stored.offer.name);
    facts_.insert(facts_.end(), facts.begin(), facts.end());
  }
  if (const auto found = group(stored)) {
    marks_.push_back({.identity = found->identity, .offer = place});
    offer.group = found->identity.low | 1U;
  }
  offers_.push_back(offer);
}

void Evidence::sort() {
  std::ranges::sort(marks_, [&](const Mark& a, const Mark& b) {
    if (a.identity != b.identity) return a.identity < b.identity;
    const OfferMarks& x = offers_[a.offer];
    const OfferMarks& y = offers_[b.offer];
    return x.id_hash != y.id_hash ? x.id_hash < y.id_hash : a.offer < b.offer;
  });
}

std::span<const uint32_t> Evidence::facts(uint32_t offer) const {
  const size_t begin = offers_[offer].facts_begin;
  const size_t end = offer + 1 < offers_.size() ? offers_[offer + 1].facts_begin : facts_.size();
  return std::span(facts_).subspan(begin, end - begin);
}

}  // namespace souk::match
