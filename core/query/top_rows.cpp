// SPDX-License-Identifier: Apache-2.0
#include "core/query/top_rows.h"

#include <algorithm>
#include <tuple>

#include "core/query/search.h"

namespace souk::query {

static_assert(kMaxLimit <= std::numeric_limits<uint16_t>::max());

TopRows::TopRows(const index::ShardIndex& shard, uint32_t limit, const wire::After* after, bool by_offer)
    : shard_(shard), limit_(std::min(limit, shard.documents())), after_(after), by_offer_(by_offer) {
  heap_.reserve(limit_);
  rows_.reserve(limit_);
}

bool TopRows::before(const Entry& a, const Entry& b) const {
  if (a.order != b.order) return a.order > b.order;
  if (a.level == b.level) return a.doc < b.doc;
  const auto keys = [this](const Entry& entry) {
    return std::tuple(shard_.group_keys()[shard_.group_of(entry.doc)], shard_.keys()[entry.doc]);
  };
  return keys(a) < keys(b);
}

bool TopRows::is_after(const Entry& entry) const {
  if (entry.order != after_->order()) return entry.order < after_->order();
  const uint64_t group = shard_.group_keys()[shard_.group_of(entry.doc)];
  if (group != after_->group()) return group > after_->group();
  return by_offer_ && shard_.keys()[entry.doc] > after_->key();
}

Row* TopRows::add(int64_t order, uint32_t doc, uint32_t level) {
  Entry entry{.order = order, .doc = doc, .row = 0, .level = static_cast<uint8_t>(level)};
  if (limit_ == 0 || (after_ != nullptr && !is_after(entry))) return nullptr;
  const auto better = [this](const Entry& a, const Entry& b) { return before(a, b); };
  if (!full()) {
    entry.row = static_cast<uint16_t>(rows_.size());
    rows_.emplace_back();
    heap_.push_back(entry);
  } else {
    if (!before(entry, heap_.front())) return nullptr;
    entry.row = heap_.front().row;
    std::ranges::pop_heap(heap_, better);
    heap_.back() = entry;
  }
  std::ranges::push_heap(heap_, better);
  Row& row = rows_[entry.row];
  row = {.order = order, .doc = doc};
  return &row;
}

std::vector<Row> TopRows::take() {
  std::ranges::sort(heap_, [this](const Entry& a, const Entry& b) { return before(a, b); });
  std::vector<Row> best;
  best.reserve(heap_.size());
  for (const Entry& entry : heap_) best.push_back(rows_[entry.row]);
  return best;
}

}  // namespace souk::query
