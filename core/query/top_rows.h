// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/index/shard_index.h"
#include "core/wire/shard.pb.h"

namespace souk::query {

// A hit: a group with its best offer, or an offer.
struct Row {
  int64_t order = 0;
  uint32_t doc = 0;
  uint32_t score = 0;
  uint32_t offers = 1;
  uint32_t shops = 1;
  int64_t price_min = 0;
  int64_t price_max = 0;
};

// The best rows in the total order (order descending, group key ascending, key ascending), of rows that come in
// document order: so of two with the same order and level the first one wins, without a look at their keys.
class TopRows {
 public:
  // after: nothing up to and including it is wanted (null: from the beginning).
  TopRows(const index::ShardIndex& shard, uint32_t limit, const wire::After* after, bool by_offer);

  // Whether there is a worst row that others must beat.
  bool full() const { return limit_ > 0 && heap_.size() == limit_; }
  // Order that a document behind all rows so far, up to `last`, needs at least.
  int64_t least_order(uint32_t last) const {
    if (!full()) return std::numeric_limits<int64_t>::min();
    const Entry& worst = heap_.front();
    return worst.order + (last < shard_.level_begins()[index::kLevels - worst.level] ? 1 : 0);
  }
  bool wants(int64_t order, uint32_t doc) const { return limit_ > 0 && order >= least_order(doc); }
  // The row, for the caller to fill in but for its order and document; null when it is not among the best.
  Row* add(int64_t order, uint32_t doc, uint32_t level);

  std::vector<Row> take();  // best first

 private:
  struct Entry {
    int64_t order;
    uint32_t doc;
    uint16_t row;
    uint8_t level;
  };
  bool before(const Entry& a, const Entry& b) const;
  bool is_after(const Entry& entry) const;

  const index::ShardIndex& shard_;
  size_t limit_;
  const wire::After* after_;
  bool by_offer_;
  std::vector<Entry> heap_;  // the worst in front
  std::vector<Row> rows_;
};

}  // namespace souk::query
