// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/base/ids.h"
#include "core/index/container.h"
#include "core/index/fields.h"
#include "core/index/string_table.h"

namespace souk::index {

// How many of everything a shard file counts on; the first section. The dictionary of the same generation must have as
// many categories, vendors, shops and param values.
struct ShardStats {
  uint64_t shard;  // from 1
  uint64_t shards;
  uint64_t documents;
  uint64_t groups;
  uint64_t categories;
  uint64_t vendors;
  uint64_t shops;
  uint64_t param_values;
};

// One term's documents: parallel arrays by ascending document.
struct PostingList {
  std::span<const uint32_t> docs;
  std::span<const uint8_t> impacts;  // 8-bit BM25F, core/rank/bm25f.h
  std::span<const uint8_t> masks;    // fields.h
};

// Term -> posting list, by binary search.
class PostingLists {
 public:
  // base is kMainTermOffsets or kDescriptionTermOffsets; the five sections behind it follow in their fixed order.
  static Result<PostingLists> open(const Container& file, SectionId base, uint64_t documents, uint8_t allowed_mask);

  PostingList find(std::string_view term) const;  // empty when the term does not occur
  uint32_t terms() const { return terms_.size(); }
  uint64_t postings() const { return docs_.size(); }
  std::string_view term(uint32_t ordinal) const { return terms_[ordinal]; }
  PostingList list(uint32_t ordinal) const;

 private:
  StringTable terms_;
  std::span<const uint64_t> offsets_;
  std::span<const uint32_t> docs_;
  std::span<const uint8_t> impacts_;
  std::span<const uint8_t> masks_;
};

// One shard file, read in place. open() checks everything (checksums, bounds, orders), so that queries can trust it.
// Immutable and thread-safe afterwards; the file's bytes must outlive it.
// Documents are numbered by (quality level descending, key ascending).
class ShardIndex {
 public:
  static Result<ShardIndex> open(Bytes file);

  const ShardStats& stats() const { return stats_; }
  uint32_t documents() const { return static_cast<uint32_t>(stats_.documents); }
  uint32_t groups() const { return static_cast<uint32_t>(stats_.groups); }

  const PostingLists& main() const { return main_; }
  const PostingLists& description() const { return description_; }

  // Columns by document. Ordinals are the dictionary's, kNoOrdinal = none.
  std::span<const uint64_t> keys() const { return keys_; }
  std::span<const uint64_t> versions() const { return versions_; }
  std::span<const uint32_t> group_of() const { return group_of_; }
  std::span<const uint32_t> categories() const { return categories_; }
  std::span<const uint32_t> vendors() const { return vendors_; }
  std::span<const uint32_t> shops() const { return shops_; }
  std::span<const int64_t> prices() const { return prices_; }          // minor units, > 0
  std::span<const int64_t> old_prices() const { return old_prices_; }  // 0 = none
  std::span<const int64_t> first_seen() const { return first_seen_; }  // unix seconds
  std::span<const uint8_t> in_stock() const { return in_stock_; }      // 0 or 1
  std::span<const uint32_t> params(uint32_t doc) const {               // ascending value ordinals
    return param_values_.subspan(param_offsets_[doc], param_offsets_[doc + 1] - param_offsets_[doc]);
  }
  uint32_t level(uint32_t doc) const;  // static quality, 0..15

  std::optional<uint32_t> find_document(DocKey offer) const;

  // Groups are the models of the shard, and the offers without one, by ascending key.
  std::span<const uint64_t> group_keys() const { return group_keys_; }
  std::optional<uint32_t> find_group(DocKey key) const;
  std::span<const uint32_t> group_documents(uint32_t group) const {  // ascending, never empty
    return group_docs_.subspan(group_offsets_[group], group_offsets_[group + 1] - group_offsets_[group]);
  }

 private:
  Status open_columns(const Container& file);
  Status open_params(const Container& file);
  Status open_groups(const Container& file);
  Status open_order(const Container& file);

  ShardStats stats_{};
  PostingLists main_;
  PostingLists description_;
  std::span<const uint64_t> keys_, versions_, group_keys_, param_offsets_, group_offsets_;
  std::span<const uint32_t> group_of_, categories_, vendors_, shops_, param_values_, key_order_, group_docs_,
      level_begins_;
  std::span<const int64_t> prices_, old_prices_, first_seen_;
  std::span<const uint8_t> in_stock_;
};

}  // namespace souk::index
