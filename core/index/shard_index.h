// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/ids.h"
#include "core/index/column.h"
#include "core/index/container.h"
#include "core/index/fields.h"
#include "core/index/forward_index.h"
#include "core/index/group_runs.h"
#include "core/index/posting_lists.h"

namespace souk::index {

// How many of everything a shard file counts on; the first section. The dictionary of the same generation must have as
// many terms, categories, vendors, shops and param values.
struct ShardStats {
  uint64_t shard;  // from 1
  uint64_t shards;
  uint64_t documents;
  uint64_t groups;
  uint64_t categories;
  uint64_t vendors;
  uint64_t shops;
  uint64_t param_values;
  uint64_t terms;
};

// One shard file, read in place. open() checks everything (checksums, bounds, orders), so that queries can trust it.
// Immutable and thread-safe afterwards; the file's bytes must outlive it. Documents are numbered as document_order.h
// says.
class ShardIndex {
 public:
  static Result<ShardIndex> open(Bytes file);

  const ShardStats& stats() const { return stats_; }
  uint32_t documents() const { return static_cast<uint32_t>(stats_.documents); }
  uint32_t groups() const { return static_cast<uint32_t>(stats_.groups); }

  // Lists by ordinal of the generation's lexicon, param values, categories or vendors.
  const PostingLists& main() const { return main_; }
  const PostingLists& description() const { return description_; }
  const PostingLists& param_lists() const { return param_lists_; }
  const PostingLists& category_lists() const { return category_lists_; }  // by the offer's own category
  const PostingLists& vendor_lists() const { return vendor_lists_; }
  const ForwardIndex& forward() const { return forward_; }

  // Columns by document. Ordinals are the dictionary's, kNoOrdinal = none.
  std::span<const uint64_t> keys() const { return keys_; }
  std::span<const uint64_t> versions() const { return versions_; }
  const OrdinalColumn& categories() const { return categories_; }
  const OrdinalColumn& vendors() const { return vendors_; }
  const OrdinalColumn& shops() const { return shops_; }
  const Column& prices() const { return prices_; }          // minor units, > 0, at most 10^15
  const Column& old_prices() const { return old_prices_; }  // 0 = none
  const Column& first_seen() const { return first_seen_; }  // unix seconds
  const Column& in_stock() const { return in_stock_; }      // 0 or 1
  uint8_t flags(uint32_t doc) const { return has_flags_ ? static_cast<uint8_t>(flags_[doc]) : kDefaultFlags; }
  uint64_t flags_bytes() const { return has_flags_ ? flags_.bytes() : 0; }
  // What an offer's own shop asks for, where that is not in the base currency.
  struct OwnPrice {
    uint32_t currency;  // currency_code.h
    int64_t price;      // hundredths of it, > 0, at most 10^15
    int64_t old_price;  // 0 = none
    bool operator==(const OwnPrice&) const = default;
  };
  std::optional<OwnPrice> own_price(uint32_t doc) const;
  uint64_t params_begin(uint32_t doc) const { return param_offsets_[doc]; }  // into param_values
  uint64_t params_end(uint32_t doc) const { return param_offsets_[doc + 1]; }
  const OrdinalColumn& param_values() const { return param_values_; }  // ascending within a document
  uint32_t level(uint32_t doc) const;                                  // static quality, 0..15; never ascends with doc
  // [i] = first document of level 15 - i; [kLevels] = documents.
  std::span<const uint32_t> level_begins() const { return level_begins_; }

  std::optional<uint32_t> find_document(DocKey offer) const;

  // Groups are the models of the shard, and the offers without one, in document order: the documents of group g are
  // [group_begin(g), group_begin(g + 1)).
  std::span<const uint64_t> group_keys() const { return group_keys_; }
  std::optional<uint32_t> find_group(DocKey key) const;
  uint32_t group_begin(uint32_t group) const { return group_begins_[group]; }
  uint32_t group_of(uint32_t doc) const { return group_runs_.group_of(doc); }

  // Bytes of each section of the file, in its order.
  const std::vector<std::pair<SectionId, uint64_t>>& section_bytes() const { return section_bytes_; }

 private:
  Status open_columns(const Container& file);
  Status open_flags(const Container& file);
  Status open_foreign_prices(const Container& file);
  Status open_params(const Container& file);
  Status open_groups(const Container& file);
  Status open_order(const Container& file);

  ShardStats stats_{};
  PostingLists main_, description_, param_lists_, category_lists_, vendor_lists_;
  ForwardIndex forward_;
  std::span<const uint64_t> keys_, versions_, group_keys_;
  std::span<const uint32_t> key_order_, level_begins_, group_begins_, foreign_docs_;
  std::array<uint32_t, kLevels + 1> group_level_begins_{};  // as level_begins_, but groups
  GroupRuns group_runs_;
  Column prices_, old_prices_, first_seen_, in_stock_, param_offsets_, flags_, foreign_currencies_, foreign_prices_,
      foreign_old_prices_;
  bool has_flags_ = false;
  OrdinalColumn categories_, vendors_, shops_, param_values_;
  std::vector<std::pair<SectionId, uint64_t>> section_bytes_;
};

}  // namespace souk::index
