// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/index/container.h"
#include "core/index/string_table.h"
#include "core/index/term_dictionary.h"

namespace souk::index {

struct DictionaryStats {
  uint64_t documents;  // offers of the whole generation
  uint64_t models;
  uint64_t terms;
};

struct TermStatistics {
  uint32_t main_df = 0;  // offers that have the term in a main field
  uint32_t any_df = 0;   // in any field
};

// What a whole generation shares: the lexicon with global document frequencies (so that a score does not depend on the
// shard), and the numbering (ordinals) of categories, vendors, shops, params. Immutable, thread-safe; the file's bytes
// must outlive it. Names are found in folded form (core/text/normalize.h).
class Dictionary {
 public:
  static Result<Dictionary> open(Bytes file);

  const DictionaryStats& stats() const { return stats_; }
  const TermDictionary& terms() const { return terms_; }
  std::optional<uint32_t> find_term(std::string_view term) const { return terms_.find(term); }
  TermStatistics term_statistics(uint32_t ordinal) const { return {main_df_[ordinal], any_df_[ordinal]}; }
  TermStatistics term(std::string_view term) const;  // zeros when unknown

  // Categories are numbered depth first: the subtree of c is [c, category_end(c)).
  uint32_t categories() const { return category_names_.size(); }
  DocKey category_key(uint32_t category) const { return DocKey(category_keys_[category]); }
  std::string_view category_name(uint32_t category) const { return category_names_[category]; }
  uint32_t category_parent(uint32_t category) const { return category_parents_[category]; }  // kNoOrdinal = root
  static constexpr size_t kMaxCategoryDepth = 64;
  uint32_t category_end(uint32_t category) const { return category_ends_[category]; }
  std::vector<uint32_t> category_path(uint32_t category) const;  // from the root
  std::optional<uint32_t> find_category(DocKey key) const;
  // By path, folded names from the root; one name alone finds every category so called.
  std::vector<uint32_t> find_categories(const std::vector<std::string>& folded_path) const;

  uint32_t vendors() const { return vendors_.size(); }
  std::string_view vendor_name(uint32_t vendor) const { return vendor_names_[vendor]; }
  std::optional<uint32_t> find_vendor(std::string_view folded) const { return vendors_.find(folded); }

  uint32_t shops() const { return shop_names_.size(); }
  DocKey shop_key(uint32_t shop) const { return DocKey(shop_keys_[shop]); }
  std::string_view shop_name(uint32_t shop) const { return shop_names_[shop]; }
  std::optional<uint32_t> find_shop(std::string_view folded) const;  // by registered or display name
  std::optional<uint32_t> find_shop(DocKey key) const;

  // Where buyers are; none when the market has no regions. Parents come before their children.
  uint32_t regions() const { return region_names_.size(); }
  std::string_view region_name(uint32_t region) const { return region_names_[region]; }
  uint32_t region_parent(uint32_t region) const { return region_parents_[region]; }  // kNoOrdinal = root
  std::optional<uint32_t> find_region(std::string_view folded) const;
  // The regions, with all below them, that a shop delivers to; ascending. kNoOrdinal alone = everywhere, and nobody
  // knows where the shop itself is. Only where the market has regions.
  std::span<const uint32_t> shop_regions(uint32_t shop) const {
    return shop_regions_.subspan(shop_region_begins_[shop], shop_region_begins_[shop + 1] - shop_region_begins_[shop]);
  }

  // Values of one param name are neighbours: [param_begin(p), param_begin(p + 1)).
  uint32_t params() const { return params_.size(); }
  std::string_view param_name(uint32_t param) const { return param_names_[param]; }
  uint32_t param_begin(uint32_t param) const { return param_begins_[param]; }
  std::optional<uint32_t> find_param(std::string_view folded) const { return params_.find(folded); }
  uint32_t param_values() const { return values_.size(); }
  std::string_view param_value(uint32_t value) const { return value_names_[value]; }
  std::optional<uint32_t> find_param_value(uint32_t param, std::string_view folded) const {
    return values_.find(folded, param_begins_[param], param_begins_[param + 1]);
  }

  std::string_view market_text() const { return market_; }  // market.toml as it was when this was built

 private:
  Status open_lexicon(const Container& file);
  Status open_categories(const Container& file);
  Status open_names(const Container& file);
  Status open_regions(const Container& file);
  Status open_params(const Container& file);

  DictionaryStats stats_{};
  TermDictionary terms_;
  StringTable category_names_, vendors_, vendor_names_, shops_folded_, shop_names_, params_, param_names_, values_,
      value_names_, region_names_;
  std::span<const uint32_t> main_df_, any_df_, category_parents_, category_ends_, param_begins_, region_parents_,
      shop_region_begins_, shop_regions_;
  std::span<const uint64_t> category_keys_, shop_keys_;
  std::vector<std::string> category_folded_, shop_names_folded_, regions_folded_;  // made at load, for find_*
  std::string_view market_;
};

}  // namespace souk::index
