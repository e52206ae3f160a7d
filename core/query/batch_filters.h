// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/query/list_cursor.h"
#include "core/query/search.h"

namespace souk::query {

// A set of ordinals as bits, from the least to the greatest.
class OrdinalSet {
 public:
  explicit OrdinalSet(const wire::OrdinalFilter& filter);
  bool has(uint32_t ordinal) const {
    const uint64_t at = uint64_t{ordinal} - least_;  // wraps round below the least
    return at < size_ && (bits_[at / 64] >> (at % 64) & 1) != 0;
  }

 private:
  uint32_t least_ = 0;
  uint64_t size_ = 0;
  std::vector<uint64_t> bits_;
};

// The distinct values, ascending.
std::vector<uint32_t> distinct(const google::protobuf::RepeatedField<uint32_t>& values);

// A request's filters over batches of documents. A filter whose own facet is counted must not drop documents, since
// that facet counts them nevertheless: it marks them, by a bit of its own. All others drop: here by a column, unless
// the plan walks the lists of the filter's values (as it does for params always).
class BatchFilters {
 public:
  enum class Field : uint8_t { kCategory, kVendor, kShop, kPrice, kInStock };

  BatchFilters(const ShardView& view, const wire::ShardRequest& request, Scratch& scratch);

  // Drops what fails a dropping filter, in place.
  void keep(Batch& batch, bool with_masks) const;
  uint64_t dropping_bytes() const;  // of the columns that keep() reads

  // The marking filters that each document of the batch fails. Batches come in document order.
  bool marks() const { return !mark_.empty() || !mark_lists_.empty(); }
  void mark(const Batch& batch, const Kernels& kernels, Scratch& scratch);
  size_t marking_lists() const { return marking_lists_; }

  // The bit of the filter on a facet's own field; 0 when there is none.
  static uint64_t own_bit(const wire::Facet& facet);
  bool marks_param(int filter) const { return (marking_ >> (kFirstParam + filter) & 1) != 0; }
  bool drops_by(Field field) const { return std::ranges::find(drop_, field) != drop_.end(); }
  // Whoever walks the filter's lists instead says so.
  void leave_out(Field field) { std::erase(drop_, field); }

 private:
  static constexpr int kFirstParam = 5;
  struct ParamLists {
    uint64_t bit;
    std::vector<ListCursor> cursors;
  };
  struct Range {
    uint32_t begin, end;
  };

  // Calls visit(test), test(doc) = whether the document passes the filter on that field.
  template <typename Visit>
  void with_test(Field field, Visit visit) const;

  bool marks_field(Field field) const { return (marking_ >> static_cast<int>(field) & 1) != 0; }

  const index::ShardIndex& shard_;
  uint64_t marking_ = 0;
  std::vector<Field> drop_, mark_;
  std::vector<ParamLists> mark_lists_;
  std::vector<Range> categories_;
  OrdinalSet vendors_, shops_;
  uint64_t price_from_ = 0, price_to_ = 0;
  size_t marking_lists_ = 0;
  bool no_price_ = false;  // the range is empty
};

}  // namespace souk::query
