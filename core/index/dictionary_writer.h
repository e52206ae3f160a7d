// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/ids.h"
#include "core/index/dictionary.h"
#include "core/index/term_counter.h"

namespace souk::index {

// Collects what a generation's offers use, numbers it, and writes the dictionary file. Order of calls: add_* for every
// offer, number(), then the ordinal lookups and write(). The same content gives the same bytes in whatever order it is
// added. Of several spellings of a name the most frequent one is shown, of equally frequent ones the first by bytes.
class DictionaryWriter {
 public:
  // Parents first; `parent` is how many regions were added before it. All before the first shop.
  void add_region(std::string_view name, std::optional<uint32_t> parent);
  // regions: the names of those that it delivers to, empty = everywhere; such as nobody added are left out.
  // Gives how many were.
  uint32_t add_shop(DocKey key, std::string_view registered_name, std::string_view display_name,
                    const std::vector<std::string>& regions = {});
  void add_category(DocKey key, const std::vector<std::string>& path);  // with its ancestors' names
  // As many offers as `times` says have the vendor (not empty).
  void add_vendor(std::string_view name, uint64_t times = 1);
  // A param's value as it is shown and filtered by: with its unit behind a blank.
  void add_param(std::string_view name, std::string_view value, uint64_t times = 1);
  // Once per offer: its distinct terms, and whether each is in a main field. The term's provisional id, for term().
  uint32_t add_term(std::string_view term, bool in_main) { return terms_.add(term, in_main); }
  void add_document() { ++documents_; }

  void number();

  uint32_t category(DocKey key) const { return category_ordinals_.at(key); }
  uint32_t vendor(std::string_view name) const;
  uint32_t shop(DocKey key) const { return shop_ordinals_.at(key); }
  uint32_t param_value(std::string_view name, std::string_view value) const;
  uint32_t term(uint32_t provisional) const { return terms_.ordinal(provisional); }
  uint32_t find_term(std::string_view term) const { return terms_.find(term); }  // kNoOrdinal when it was never added

  uint32_t categories() const { return static_cast<uint32_t>(category_order_.size()); }  // mere ancestors too
  uint32_t vendors() const { return static_cast<uint32_t>(vendors_.size()); }
  uint32_t shops() const { return static_cast<uint32_t>(shops_.size()); }
  uint32_t param_values() const { return param_values_; }
  uint32_t terms() const { return terms_.size(); }
  uint64_t documents() const { return documents_; }

  Status write(ContainerWriter& file, uint64_t models, std::string_view market_text) const;

 private:
  // The ways in which one folded name was written. Beyond kMost ways new ones are not counted.
  class Spellings {
   public:
    void add(std::string_view name, uint64_t times);
    const std::string& shown() const;

   private:
    static constexpr size_t kMost = 64;
    std::vector<std::pair<std::string, uint64_t>> seen_;
  };
  struct Named {
    Spellings names;
    uint32_t ordinal = kNo;
  };
  static constexpr uint32_t kNo = 0xFFFFFFFF;
  struct ShopName {
    std::string folded;
    std::string name;
    std::vector<uint32_t> regions;  // Dictionary::shop_regions
  };
  struct CategoryNode {
    std::string name;
    DocKey key;                              // empty: only an ancestor, no offer hangs here directly
    std::map<std::string, size_t> children;  // by folded name, to categories_
  };
  struct ParamName {
    Spellings names;
    std::map<std::string, Named> values;  // by folded value
  };

  Status write_terms(ContainerWriter& file) const;
  Status write_categories(ContainerWriter& file) const;
  Status write_params(ContainerWriter& file) const;
  Status write_regions(ContainerWriter& file) const;

  uint64_t documents_ = 0;
  std::vector<std::string> region_names_;
  std::vector<uint32_t> region_parents_;
  std::map<std::string, uint32_t> region_ordinals_;  // by folded name, the first that has it
  std::map<DocKey, ShopName> shops_;
  std::unordered_map<DocKey, uint32_t> shop_ordinals_;
  std::vector<CategoryNode> categories_{1};  // [0] is the root of roots
  std::vector<size_t> category_order_;       // depth first, without the root
  std::vector<uint32_t> category_parents_, category_ends_;
  std::unordered_map<DocKey, uint32_t> category_ordinals_;
  std::map<std::string, Named> vendors_;
  std::map<std::string, ParamName> params_;
  uint32_t param_values_ = 0;
  TermCounter terms_;
};

}  // namespace souk::index
