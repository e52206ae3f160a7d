// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/query/column_filters.h"
#include "core/query/list_cursor.h"
#include "core/query/search.h"

namespace souk::query {

// The distinct values, ascending.
std::vector<uint32_t> distinct(const google::protobuf::RepeatedField<uint32_t>& values);

// A request's filters over batches of documents. A filter whose own facet is counted must not drop documents, since
// that facet counts them nevertheless: it marks them, by a bit of its own. All others drop: here by a column, unless
// the plan walks the lists of the filter's values (as it does for params always). Fixed filters drop always.
class BatchFilters {
 public:
  using Field = ColumnFilters::Field;

  BatchFilters(const BatchFilters&) = delete;
  BatchFilters& operator=(const BatchFilters&) = delete;
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
  const ColumnFilters& asked() const { return asked_; }
  const ColumnFilters& fixed() const { return fixed_; }
  bool drops_by(const ColumnFilters& filters, Field field) const {
    return std::ranges::find(drop_, Drop{&filters, field}) != drop_.end();
  }
  // Whoever walks the filter's lists instead says so.
  void leave_out(const ColumnFilters& filters, Field field) { std::erase(drop_, Drop{&filters, field}); }

 private:
  static constexpr int kFirstParam = ColumnFilters::kFields;
  struct ParamLists {
    uint64_t bit;
    std::vector<ListCursor> cursors;
  };
  struct Drop {
    const ColumnFilters* filters;
    Field field;
    bool operator==(const Drop&) const = default;
  };

  bool marks_field(Field field) const { return (marking_ >> static_cast<int>(field) & 1) != 0; }

  const index::ShardIndex& shard_;
  uint64_t marking_ = 0;
  ColumnFilters asked_, fixed_;
  std::vector<Drop> drop_;
  std::vector<Field> mark_;  // of the asked ones
  std::vector<ParamLists> mark_lists_;
  size_t marking_lists_ = 0;
};

}  // namespace souk::query
