// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/analyze.h"

#include <unordered_map>
#include <utility>

#include "core/index/fields.h"

namespace souk::build {

using index::Field;
using index::ForwardIndex;

namespace {

class TextCollector {
 public:
  explicit TextCollector(text::Analyzer& analyzer) : analyzer_(analyzer) {}

  void add(Field field, std::string_view text) {
    for (text::Token& token : analyzer_.analyze(text)) count(field, std::move(token.term));
  }
  // The same for a text whose order of words is kept.
  void add_in_order(Field field, std::string_view text) {
    std::vector<text::Token> tokens = analyzer_.analyze(text);
    if (!tokens.empty() && !result_.forward.empty()) result_.forward.push_back(ForwardIndex::kBreak);
    for (text::Token& token : tokens) result_.forward.push_back(count(field, std::move(token.term)));
  }
  AnalyzedText take() { return std::move(result_); }

 private:
  uint32_t count(Field field, std::string term) {
    const auto [known, is_new] = places_.try_emplace(std::move(term), static_cast<uint32_t>(result_.terms.size()));
    if (is_new) {
      result_.terms.push_back(known->first);
      result_.counts.emplace_back();
    }
    ++result_.counts[known->second][static_cast<size_t>(field)];
    ++result_.lengths[static_cast<size_t>(field)];
    return known->second;
  }

  text::Analyzer& analyzer_;
  AnalyzedText result_;
  std::unordered_map<std::string, uint32_t> places_;  // in result_.terms
};

}  // namespace

AnalyzedText analyze(text::Analyzer& analyzer, const offers::StoredOffer& stored) {
  TextCollector collector(analyzer);
  const feed::Offer& offer = stored.offer;
  collector.add_in_order(Field::kTitle, offer.name);
  collector.add(Field::kVendor, offer.vendor);
  collector.add(Field::kModel, offer.model);
  collector.add(Field::kCodes, offer.vendor_code);
  for (const std::string& barcode : offer.barcodes) collector.add(Field::kCodes, barcode);
  for (const std::string& name : offer.category_path) collector.add(Field::kCategory, name);
  for (const feed::Param& param : offer.params) collector.add_in_order(Field::kParams, shown_value(param));
  collector.add(Field::kDescription, offer.description);
  return collector.take();
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
