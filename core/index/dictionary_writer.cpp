// SPDX-License-Identifier: Apache-2.0
#include "core/index/dictionary_writer.h"

#include <algorithm>
#include <tuple>

#include "core/index/fields.h"
#include "core/text/normalize.h"

namespace souk::index {

void DictionaryWriter::add_region(std::string_view name, std::optional<uint32_t> parent) {
  region_ordinals_.emplace(text::fold(name), static_cast<uint32_t>(region_names_.size()));
  region_names_.emplace_back(name);
  region_parents_.push_back(parent.value_or(kNo));
}

uint32_t DictionaryWriter::add_shop(DocKey key, std::string_view registered_name, std::string_view display_name,
                                    const std::vector<std::string>& regions) {
  ShopName shop{text::fold(registered_name), std::string(display_name), {}};
  uint32_t unknown = 0;
  for (const std::string& name : regions) {
    const auto known = region_ordinals_.find(text::fold(name));
    known == region_ordinals_.end() ? void(++unknown) : shop.regions.push_back(known->second);
  }
  std::ranges::sort(shop.regions);
  shop.regions.erase(std::ranges::unique(shop.regions).begin(), shop.regions.end());
  if (regions.empty()) shop.regions = {kNo};
  shops_.emplace(key, std::move(shop));
  return unknown;
}

void DictionaryWriter::add_category(DocKey key, const std::vector<std::string>& path) {
  size_t at = 0;
  for (const std::string& name : path) {
    const auto [child, is_new] = categories_[at].children.emplace(text::fold(name), categories_.size());
    at = child->second;
    if (is_new) categories_.push_back({name, DocKey(), {}});
  }
  categories_[at].key = key;
}

void DictionaryWriter::Spellings::add(std::string_view name, uint64_t times) {
  for (auto& [spelling, count] : seen_) {
    if (spelling == name) {
      count += times;
      return;
    }
  }
  if (seen_.size() < kMost) seen_.emplace_back(name, times);
}

const std::string& DictionaryWriter::Spellings::shown() const {
  const auto rank = [](const auto& spelling) {
    return std::tuple(-static_cast<int64_t>(spelling.second), std::string_view(spelling.first));
  };
  return std::ranges::min_element(seen_, {}, rank)->first;
}

void DictionaryWriter::add_vendor(std::string_view name, uint64_t times) {
  vendors_[text::fold(name)].names.add(name, times);
}

void DictionaryWriter::add_param(std::string_view name, std::string_view value, uint64_t times) {
  ParamName& param = params_[text::fold(name)];
  param.names.add(name, times);
  param.values[text::fold(value)].names.add(value, times);
}

void DictionaryWriter::number() {
  terms_.sort();
  uint32_t next = 0;
  for (const auto& [key, name] : shops_) shop_ordinals_[key] = next++;
  next = 0;
  for (auto& [folded, vendor] : vendors_) vendor.ordinal = next++;
  for (auto& [folded, param] : params_) {
    for (auto& [folded_value, value] : param.values) value.ordinal = param_values_++;
  }

  // Depth first with a stack of our own: paths are as deep as shops make them.
  struct Open {
    size_t node;
    uint32_t ordinal;
    std::map<std::string, size_t>::const_iterator next;
  };
  std::vector<Open> stack{{0, kNo, categories_[0].children.begin()}};
  while (!stack.empty()) {
    Open& top = stack.back();
    if (top.next == categories_[top.node].children.end()) {
      if (top.ordinal != kNo) category_ends_[top.ordinal] = static_cast<uint32_t>(category_order_.size());
      stack.pop_back();
      continue;
    }
    const size_t child = (top.next++)->second;
    const auto ordinal = static_cast<uint32_t>(category_order_.size());
    category_order_.push_back(child);
    category_parents_.push_back(top.ordinal);
    category_ends_.push_back(0);
    if (categories_[child].key) category_ordinals_[categories_[child].key] = ordinal;
    stack.push_back({child, ordinal, categories_[child].children.begin()});
  }
}

uint32_t DictionaryWriter::vendor(std::string_view name) const {
  return vendors_.at(text::fold(name)).ordinal;
}

uint32_t DictionaryWriter::param_value(std::string_view name, std::string_view value) const {
  return params_.at(text::fold(name)).values.at(text::fold(value)).ordinal;
}

Status DictionaryWriter::write(ContainerWriter& file, uint64_t models, std::string_view market_text) const {
  Status done = file.add(SectionId::kStats, std::vector<DictionaryStats>{{documents_, models, terms()}});
  if (done) done = write_terms(file);
  if (done) done = write_categories(file);

  StringTableWriter vendor_folded, vendor_names;
  for (const auto& [folded, vendor] : vendors_) {
    vendor_folded.add(folded);
    vendor_names.add(vendor.names.shown());
  }
  if (done) done = vendor_folded.write(file, SectionId::kVendorFoldedOffsets, SectionId::kVendorFoldedBytes);
  if (done) done = vendor_names.write(file, SectionId::kVendorNameOffsets, SectionId::kVendorNameBytes);

  StringTableWriter shop_folded, shop_names;
  std::vector<uint64_t> shop_keys;
  for (const auto& [key, shop] : shops_) {
    shop_keys.push_back(key.value());
    shop_folded.add(shop.folded);
    shop_names.add(shop.name);
  }
  if (done) done = file.add(SectionId::kShopKeys, shop_keys);
  if (done) done = shop_folded.write(file, SectionId::kShopFoldedOffsets, SectionId::kShopFoldedBytes);
  if (done) done = shop_names.write(file, SectionId::kShopNameOffsets, SectionId::kShopNameBytes);
  if (done && !region_names_.empty()) done = write_regions(file);
  if (done) done = write_params(file);
  if (done) done = file.add(SectionId::kMarket, Coding::kPlain, std::as_bytes(std::span(market_text)));
  return done;
}

Status DictionaryWriter::write_terms(ContainerWriter& file) const {
  TermDictionaryWriter lexicon;
  std::vector<uint32_t> main_df, any_df;
  main_df.reserve(terms());
  any_df.reserve(terms());
  for (uint32_t ordinal = 0; ordinal < terms(); ++ordinal) {
    const TermCounter::Counted counted = terms_[ordinal];
    lexicon.add(counted.term);
    main_df.push_back(counted.main_df);
    any_df.push_back(counted.any_df);
  }
  Status done = lexicon.write(file, SectionId::kLexiconBlocks, SectionId::kLexiconBytes);
  if (done) done = file.add(SectionId::kLexiconMainDf, main_df);
  if (done) done = file.add(SectionId::kLexiconAnyDf, any_df);
  return done;
}

Status DictionaryWriter::write_categories(ContainerWriter& file) const {
  StringTableWriter names;
  std::vector<uint64_t> keys;
  for (const size_t node : category_order_) {
    names.add(categories_[node].name);
    keys.push_back(categories_[node].key.value());
  }
  Status done = names.write(file, SectionId::kCategoryNameOffsets, SectionId::kCategoryNameBytes);
  if (done) done = file.add(SectionId::kCategoryKeys, keys);
  if (done) done = file.add(SectionId::kCategoryParents, category_parents_);
  if (done) done = file.add(SectionId::kCategoryEnds, category_ends_);
  return done;
}

Status DictionaryWriter::write_regions(ContainerWriter& file) const {
  StringTableWriter names;
  for (const std::string& name : region_names_) names.add(name);
  std::vector<uint32_t> begins{0}, regions;
  for (const auto& [key, shop] : shops_) {
    regions.insert(regions.end(), shop.regions.begin(), shop.regions.end());
    begins.push_back(static_cast<uint32_t>(regions.size()));
  }
  Status done = names.write(file, SectionId::kRegionNameOffsets, SectionId::kRegionNameBytes);
  if (done) done = file.add(SectionId::kRegionParents, region_parents_);
  if (done) done = file.add(SectionId::kShopRegionBegins, begins);
  if (done) done = file.add(SectionId::kShopRegions, regions);
  return done;
}

Status DictionaryWriter::write_params(ContainerWriter& file) const {
  StringTableWriter folded_names, names, folded_values, values;
  std::vector<uint32_t> begins{0};
  for (const auto& [folded, param] : params_) {
    folded_names.add(folded);
    names.add(param.names.shown());
    for (const auto& [folded_value, value] : param.values) {
      folded_values.add(folded_value);
      values.add(value.names.shown());
    }
    begins.push_back(begins.back() + static_cast<uint32_t>(param.values.size()));
  }
  Status done = folded_names.write(file, SectionId::kParamNameFoldedOffsets, SectionId::kParamNameFoldedBytes);
  if (done) done = names.write(file, SectionId::kParamNameOffsets, SectionId::kParamNameBytes);
  if (done) done = file.add(SectionId::kParamNameBegins, begins);
  if (done) done = folded_values.write(file, SectionId::kParamValueFoldedOffsets, SectionId::kParamValueFoldedBytes);
  if (done) done = values.write(file, SectionId::kParamValueOffsets, SectionId::kParamValueBytes);
  return done;
}

}  // namespace souk::index
