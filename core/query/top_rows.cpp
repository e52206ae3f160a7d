// SPDX-License-Identifier: Apache-2.0
#include "core/query/top_rows.h"

#include <algorithm>
#include <tuple>

namespace souk::query {

TopRows::TopRows(const index::ShardIndex& shard, uint32_t limit, const wire::After* after, bool by_offer)
    : shard_(shard), limit_(limit), after_(after), by_offer_(by_offer) {
  heap_.reserve(std::min(limit_, size_t{shard.documents()}));
}

bool TopRows::before(const Row& a, const Row& b) const {
  if (a.order != b.order) return a.order > b.order;
  if (shard_.level(a.doc) == shard_.level(b.doc)) return a.doc < b.doc;
  const auto keys = [this](const Row& row) {
    return std::tuple(shard_.group_keys()[row.group], shard_.keys()[row.doc]);
  };
  return keys(a) < keys(b);
}

bool TopRows::is_after(const Row& row) const {
  if (after_ == nullptr) return true;
  if (row.order != after_->order()) return row.order < after_->order();
  const uint64_t group = shard_.group_keys()[row.group];
  if (group != after_->group()) return group > after_->group();
  return by_offer_ && shard_.keys()[row.doc] > after_->key();
}

void TopRows::add(const Row& row) {
  if (limit_ == 0 || !is_after(row)) return;
  const auto better = [this](const Row& a, const Row& b) { return before(a, b); };
  if (heap_.size() < limit_) {
    heap_.push_back(row);
    std::ranges::push_heap(heap_, better);
  } else {
    if (!before(row, heap_.front())) return;
    std::ranges::pop_heap(heap_, better);
    heap_.back() = row;
    std::ranges::push_heap(heap_, better);
  }
  const uint32_t level = shard_.level(heap_.front().doc);
  worst_level_end_ = shard_.level_begins()[index::kLevels - level];
}

std::vector<Row> TopRows::take() {
  std::ranges::sort(heap_, [this](const Row& a, const Row& b) { return before(a, b); });
  return std::move(heap_);
}

}  // namespace souk::query
