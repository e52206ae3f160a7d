// SPDX-License-Identifier: Apache-2.0
#include "core/index/dictionary.h"

#include <algorithm>
#include <functional>

#include "core/index/fields.h"
#include "core/text/normalize.h"

namespace souk::index {

namespace {

Status read(const Container& file, SectionId offsets, SectionId bytes, StringTable::Order order, StringTable& out) {
  auto table = StringTable::open(file, offsets, bytes, order);
  if (!table) return std::unexpected(table.error());
  if (table->size() >= kNoOrdinal) return corrupt("too many strings", offsets);
  out = *table;
  return {};
}

using Order = StringTable::Order;

}  // namespace

Result<Dictionary> Dictionary::open(Bytes bytes) {
  auto file = Container::open(bytes, FileKind::kDictionary);
  if (!file) return std::unexpected(file.error());
  Dictionary dictionary;
  std::span<const DictionaryStats> stats;
  Status done = file->read(SectionId::kStats, 1, stats);
  if (done) dictionary.stats_ = stats[0];
  if (done) done = dictionary.open_lexicon(*file);
  if (done) done = dictionary.open_categories(*file);
  if (done) done = dictionary.open_names(*file);
  if (done) done = dictionary.open_regions(*file);
  if (done) done = dictionary.open_params(*file);
  if (!done) return std::unexpected(done.error());
  auto market = file->section(SectionId::kMarket);
  if (!market) return std::unexpected(market.error());
  dictionary.market_ = {reinterpret_cast<const char*>(market->data()), market->size()};
  return dictionary;
}

Status Dictionary::open_lexicon(const Container& file) {
  auto terms = TermDictionary::open(file, SectionId::kLexiconBlocks, SectionId::kLexiconBytes, stats_.terms);
  if (!terms) return std::unexpected(terms.error());
  terms_ = std::move(*terms);
  Status done = file.read(SectionId::kLexiconMainDf, terms_.size(), main_df_);
  if (done) done = file.read(SectionId::kLexiconAnyDf, terms_.size(), any_df_);
  if (!done) return done;
  for (uint32_t i = 0; i < terms_.size(); ++i) {
    if (main_df_[i] > any_df_[i] || any_df_[i] > stats_.documents || any_df_[i] == 0) {
      return corrupt("a document frequency is out of its bounds", SectionId::kLexiconAnyDf);
    }
  }
  return {};
}

Status Dictionary::open_categories(const Container& file) {
  Status done =
      read(file, SectionId::kCategoryNameOffsets, SectionId::kCategoryNameBytes, Order::kAny, category_names_);
  if (done) done = file.read(SectionId::kCategoryKeys, categories(), category_keys_);
  if (done) done = file.read(SectionId::kCategoryParents, categories(), category_parents_);
  if (done) done = file.read(SectionId::kCategoryEnds, categories(), category_ends_);
  if (!done) return done;
  size_t depth = 0;
  uint32_t open = kNoOrdinal;  // the innermost category whose subtree has not ended: the parent of what comes next
  for (uint32_t c = 0; c < categories(); ++c) {
    while (open != kNoOrdinal && category_ends_[open] <= c) {
      open = category_parents_[open];
      --depth;
    }
    const uint32_t limit = open == kNoOrdinal ? categories() : category_ends_[open];
    const uint32_t end = category_ends_[c];
    if (category_parents_[c] != open || end <= c || end > limit) {
      return corrupt("the category tree is not in depth-first order", SectionId::kCategoryEnds);
    }
    if (++depth > kMaxCategoryDepth) return corrupt("categories nest too deep", SectionId::kCategoryEnds);
    open = c;
    category_folded_.push_back(text::fold(category_names_[c]));
  }
  return {};
}

Status Dictionary::open_names(const Container& file) {
  Status done = read(file, SectionId::kVendorFoldedOffsets, SectionId::kVendorFoldedBytes, Order::kAscending, vendors_);
  if (done) done = read(file, SectionId::kVendorNameOffsets, SectionId::kVendorNameBytes, Order::kAny, vendor_names_);
  if (done) done = read(file, SectionId::kShopFoldedOffsets, SectionId::kShopFoldedBytes, Order::kAny, shops_folded_);
  if (done) done = read(file, SectionId::kShopNameOffsets, SectionId::kShopNameBytes, Order::kAny, shop_names_);
  if (done) done = file.read(SectionId::kShopKeys, shop_names_.size(), shop_keys_);
  if (!done) return done;
  if (vendor_names_.size() != vendors_.size()) return corrupt("vendors without a name", SectionId::kVendorNameOffsets);
  if (shops_folded_.size() != shop_names_.size()) return corrupt("shops without a name", SectionId::kShopNameOffsets);
  for (uint32_t shop = 0; shop < shops(); ++shop) shop_names_folded_.push_back(text::fold(shop_names_[shop]));
  return {};
}

Status Dictionary::open_regions(const Container& file) {
  if (!file.has(SectionId::kRegionParents)) return {};
  Status done = read(file, SectionId::kRegionNameOffsets, SectionId::kRegionNameBytes, Order::kAny, region_names_);
  if (done) done = file.read(SectionId::kRegionParents, regions(), region_parents_);
  if (done) done = file.read(SectionId::kShopRegionBegins, uint64_t{shops()} + 1, shop_region_begins_);
  if (!done) return done;
  if (regions() == 0) return corrupt("there are none", SectionId::kRegionNameOffsets);
  for (uint32_t region = 0; region < regions(); ++region) {
    const uint32_t parent = region_parents_[region];
    if (parent != kNoOrdinal && parent >= region) return corrupt("a parent is not before", SectionId::kRegionParents);
    regions_folded_.push_back(text::fold(region_names_[region]));
  }
  auto listed = file.array<uint32_t>(SectionId::kShopRegions);
  if (!listed) return std::unexpected(listed.error());
  shop_regions_ = *listed;
  if (shop_region_begins_.front() != 0 || shop_region_begins_.back() != shop_regions_.size() ||
      !std::ranges::is_sorted(shop_region_begins_)) {
    return corrupt("the regions are not divided among the shops", SectionId::kShopRegionBegins);
  }
  for (uint32_t shop = 0; shop < shops(); ++shop) {
    const auto own = shop_regions(shop);
    if (own.size() == 1 && own[0] == kNoOrdinal) continue;
    if (std::ranges::adjacent_find(own, std::greater_equal()) != own.end() ||
        (!own.empty() && own.back() >= regions())) {
      return corrupt("a shop's regions are out of order or bounds", SectionId::kShopRegions);
    }
  }
  return {};
}

Status Dictionary::open_params(const Container& file) {
  Status done =
      read(file, SectionId::kParamNameFoldedOffsets, SectionId::kParamNameFoldedBytes, Order::kAscending, params_);
  if (done) done = read(file, SectionId::kParamNameOffsets, SectionId::kParamNameBytes, Order::kAny, param_names_);
  if (done) done = file.read(SectionId::kParamNameBegins, uint64_t{params_.size()} + 1, param_begins_);
  if (done)
    done = read(file, SectionId::kParamValueFoldedOffsets, SectionId::kParamValueFoldedBytes, Order::kAny, values_);
  if (done) done = read(file, SectionId::kParamValueOffsets, SectionId::kParamValueBytes, Order::kAny, value_names_);
  if (!done) return done;
  if (param_names_.size() != params_.size()) return corrupt("params without a name", SectionId::kParamNameOffsets);
  if (value_names_.size() != values_.size()) return corrupt("values without a name", SectionId::kParamValueOffsets);
  if (param_begins_.front() != 0 || param_begins_.back() != values_.size() || !std::ranges::is_sorted(param_begins_)) {
    return corrupt("the values are not divided among the names", SectionId::kParamNameBegins);
  }
  for (uint32_t param = 0; param < params(); ++param) {
    for (uint32_t value = param_begins_[param] + 1; value < param_begins_[param + 1]; ++value) {
      if (values_[value] <= values_[value - 1])
        return corrupt("the values of a name are out of order", SectionId::kParamValueFoldedOffsets);
    }
  }
  return {};
}

TermStatistics Dictionary::term(std::string_view term) const {
  const auto ordinal = find_term(term);
  return ordinal ? term_statistics(*ordinal) : TermStatistics{};
}

std::vector<uint32_t> Dictionary::category_path(uint32_t category) const {
  std::vector<uint32_t> path;
  for (uint32_t c = category; c != kNoOrdinal; c = category_parents_[c]) path.push_back(c);  // parents are smaller
  std::ranges::reverse(path);
  return path;
}

std::optional<uint32_t> Dictionary::find_category(DocKey key) const {
  const auto at = std::ranges::find(category_keys_, key.value());
  if (at == category_keys_.end()) return std::nullopt;
  return static_cast<uint32_t>(at - category_keys_.begin());
}

std::vector<uint32_t> Dictionary::find_categories(const std::vector<std::string>& folded_path) const {
  std::vector<uint32_t> found;
  for (uint32_t c = 0; c < categories(); ++c) {
    if (folded_path.empty() || category_folded_[c] != folded_path.back()) continue;
    if (folded_path.size() == 1) {
      found.push_back(c);
      continue;
    }
    uint32_t at = c;
    size_t names = folded_path.size();
    while (names > 0 && at != kNoOrdinal && category_folded_[at] == folded_path[names - 1]) {
      at = category_parents_[at];
      --names;
    }
    if (names == 0 && at == kNoOrdinal) found.push_back(c);
  }
  return found;
}

std::optional<uint32_t> Dictionary::find_shop(std::string_view folded) const {
  for (uint32_t shop = 0; shop < shops(); ++shop) {
    if (shops_folded_[shop] == folded) return shop;
  }
  for (uint32_t shop = 0; shop < shops(); ++shop) {
    if (shop_names_folded_[shop] == folded) return shop;
  }
  return std::nullopt;
}

std::optional<uint32_t> Dictionary::find_region(std::string_view folded) const {
  for (uint32_t region = 0; region < regions(); ++region) {
    if (regions_folded_[region] == folded) return region;
  }
  return std::nullopt;
}

std::optional<uint32_t> Dictionary::find_shop(DocKey key) const {
  const auto at = std::ranges::find(shop_keys_, key.value());
  if (at == shop_keys_.end()) return std::nullopt;
  return static_cast<uint32_t>(at - shop_keys_.begin());
}

}  // namespace souk::index
