// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/index/shard_index.h"
#include "core/wire/shard.pb.h"

namespace souk::query {

// A hit in the making: a group with its best offer, or an offer.
struct Row {
  int64_t order = 0;
  uint32_t doc = 0;
  uint32_t group = 0;
  uint32_t score = 0;
  uint32_t offers = 0;
  uint32_t shops = 0;
  int64_t price_min = 0;
  int64_t price_max = 0;
};

// The best rows in the total order (order descending, group key ascending, key ascending), of rows that come in
// document order: so of two with the same order and level the first one wins, without a look at their keys.
class TopRows {
 public:
  // after: nothing up to and including it is wanted (null: from the beginning).
  TopRows(const index::ShardIndex& shard, uint32_t limit, const wire::After* after, bool by_offer);

  // Order that a document in (the last row's, last] needs at least.
  int64_t least_order(uint32_t last) const {
    if (heap_.size() < limit_) return std::numeric_limits<int64_t>::min();
    return heap_.front().order + (last < worst_level_end_ ? 1 : 0);
  }
  bool full() const { return heap_.size() == limit_; }
  bool wants(int64_t order, uint32_t doc) const { return limit_ > 0 && order >= least_order(doc); }
  void add(const Row& row);

  std::vector<Row> take();  // best first

 private:
  bool before(const Row& a, const Row& b) const;
  bool is_after(const Row& row) const;

  const index::ShardIndex& shard_;
  size_t limit_;
  const wire::After* after_;
  bool by_offer_;
  std::vector<Row> heap_;  // the worst in front
  uint32_t worst_level_end_ = 0;
};

}  // namespace souk::query
