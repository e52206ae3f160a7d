// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/analyze.h"

#include <algorithm>

#include "core/index/fields.h"

namespace souk::build {

using index::Field;

AnalyzedText analyze(text::Analyzer& analyzer, const offers::StoredOffer& stored) {
  AnalyzedText result;
  const auto add = [&](Field field, std::string_view text) {
    const auto f = static_cast<size_t>(field);
    for (text::Token& token : analyzer.analyze(text)) {
      ++result.terms[std::move(token.term)][f];
      ++result.lengths[f];
    }
  };
  const feed::Offer& offer = stored.offer;
  add(Field::kTitle, offer.name);
  add(Field::kVendor, offer.vendor);
  add(Field::kModel, offer.model);
  add(Field::kCodes, offer.vendor_code);
  for (const std::string& barcode : offer.barcodes) add(Field::kCodes, barcode);
  for (const std::string& name : offer.category_path) add(Field::kCategory, name);
  for (const feed::Param& param : offer.params) add(Field::kParams, shown_value(param));
  add(Field::kDescription, offer.description);
  return result;
}

std::string shown_value(const feed::Param& param) {
  return param.unit.empty() ? param.value : param.value + " " + param.unit;
}

uint32_t quality_level(const offers::StoredOffer& stored) {
  const feed::Offer& offer = stored.offer;
  uint32_t level = 0;
  if (offer.available) level += 3;
  if (!offer.pictures.empty()) level += 3;
  if (offer.description.size() >= 80) level += 3;
  if (!offer.vendor.empty()) level += 2;
  if (stored.model) level += 2;
  if (offer.params.size() >= 3) level += 2;
  static_assert(3 + 3 + 3 + 2 + 2 + 2 == index::kLevels - 1);
  return level;
}

}  // namespace souk::build
