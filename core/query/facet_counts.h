// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/query/scratch.h"
#include "core/query/search.h"

namespace souk::query {

// Counts a request's facets exactly, by offer and by model, over batches in document order. Disjunctive: a document
// counts when it passes every filter but the facet's own. A model counts once for a value however many of its offers
// have it; since its offers are neighbours, remembering each value's last group is enough. A category counts for its
// ancestors too.
class FacetCounts {
 public:
  FacetCounts(const ShardView& view, const wire::ShardRequest& request, Scratch& scratch);

  bool any() const { return !facets_.empty(); }
  size_t size() const { return facets_.size(); }
  // The scratch's batch and its groups; with `marked` Scratch::failed says which filters each document fails.
  void count(bool marked);
  void finish(wire::ShardReply& reply);

 private:
  struct Facet {
    wire::FacetKind kind;
    uint32_t begin, end;  // its values' ordinals
    uint64_t own_bit;
    size_t first_cell;  // in the scratch; one more than there are values, for "none"
    FacetCell* cells;
    uint32_t* touched;             // the values that are counted, as they come
    uint32_t distinct = 0;         // how many
    int64_t price_min, price_max;  // FACET_PRICE; min > max: none yet
    // FACET_CATEGORY: the last offer's group and category, and the last group whose offers are of several categories.
    uint32_t group, category, several;
  };
  struct Values {
    const uint32_t* ordinals;  // from Facet::begin; its size for "none"
    const uint32_t* groups;
    uint32_t count;
  };
  // What the batch's documents that count for the facet have. Loads only, none waiting for another: the columns are far
  // from the processor.
  Values gather(const Facet& facet, bool marked, const index::OrdinalColumn& column);
  static void count_values(Facet& facet, const Values& values);
  void count_categories(Facet& facet, const Values& values) const;
  void count_path(Facet& facet, uint32_t category, uint32_t group) const;
  void count_prices(Facet& facet, bool marked) const;
  void count_params(Facet& facet, bool marked) const;
  void add_up_categories(Facet& facet) const;
  void sort_touched(Facet& facet);
  void write(Facet& facet, wire::FacetCounts& out);

  const ShardView& view_;
  Scratch& scratch_;
  std::vector<Facet> facets_;
};

}  // namespace souk::query
