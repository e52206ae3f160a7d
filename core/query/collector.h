// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/query/batch_filters.h"
#include "core/query/facet_counts.h"
#include "core/query/plan.h"
#include "core/query/top_rows.h"

namespace souk::query {

// Takes the matches, batch by batch in document order, and does all that is done with them in this one pass: phrases,
// marking filters, variants, totals, facets, grouping, the best rows.
class Collector {
 public:
  Collector(const ShardView& view, const wire::ShardRequest& request, const Plan& plan, BatchFilters& filters,
            Scratch& scratch);

  // The least text score with which one of the documents [first, last] can still become a hit; 0 when every match is
  // wanted.
  uint32_t least_score(uint32_t first, uint32_t last) const;

  // Whether least_score is always 0.
  bool wants_all() const { return !prunes_; }

  // The batch in the scratch; it is used up.
  void take(const Kernels& kernels);

  // After the last batch: all of the reply but the hits.
  void end(wire::ShardReply& reply);
  const std::vector<Row>& rows() const { return best_; }  // then, best first

  // Look-ups that a document of a batch costs beyond those of the matcher.
  size_t lists_per_document() const {
    return filters_.marking_lists() + plan_.phrases.size() * kLookUpsPerPhrase + facets_.size();
  }

 private:
  static constexpr size_t kLookUpsPerPhrase = 32;
  struct Counter {
    uint64_t offers = 0;
    uint64_t models = 0;
    uint32_t last_group = kNotFound;
    void add(uint32_t group) {
      ++offers;
      models += group != last_group ? 1 : 0;
      last_group = group;
    }
    void add(std::span<const uint32_t> groups) {  // ascending
      if (groups.empty()) return;
      offers += groups.size();
      uint32_t changes = groups[0] != last_group ? 1 : 0;
      for (size_t i = 1; i < groups.size(); ++i) changes += groups[i] != groups[i - 1] ? 1 : 0;
      models += changes;
      last_group = groups.back();
    }
  };

  void keep_phrases();
  void count_variants(bool marked);
  template <typename Keep>
  void keep_marked(Keep keep);
  void find_groups();
  void add_offers(const Kernels& kernels);
  void add_models();
  void add_offer(uint32_t i);
  void end_group();
  int64_t order_of(uint32_t doc, uint32_t score, uint32_t level) const;
  uint32_t level_of(uint32_t doc);
  uint32_t least_text(uint32_t first, uint32_t last) const;

  const index::ShardIndex& shard_;
  const wire::ShardRequest& request_;
  const Plan& plan_;
  BatchFilters& filters_;
  Scratch& scratch_;
  Batch& batch_;
  const uint32_t quality_weight_;
  FacetCounts facets_;
  TopRows rows_;
  std::vector<Row> best_;
  Counter totals_;
  std::vector<Counter> variants_;
  bool prunes_;
  uint32_t level_ = index::kLevels - 1;  // of the last document seen
  // The group whose offers are coming.
  bool open_ = false;
  uint32_t group_ = 0;
  uint32_t group_level_ = 0;
  Row row_;
  bool row_in_stock_ = false;
  std::vector<uint32_t> shops_;  // of its offers
};

}  // namespace souk::query
