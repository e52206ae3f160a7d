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
  // The scratch's batch and its groups; with `marked` Scratch::failed says which filters each document fails.
  void count(bool marked);
  void finish(wire::ShardReply& reply);

 private:
  struct Facet {
    wire::FacetKind kind;
    uint32_t begin, end;  // its values' ordinals
    uint64_t own_bit;
    FacetCells* cells;
    int64_t price_min, price_max;  // FACET_PRICE; min > max: none yet
  };
  // Calls visit(document, group) for each document of the batch that counts.
  template <typename Visit>
  void each(const Facet& facet, bool marked, Visit visit) const;
  void count_category(Facet& facet, uint32_t category, uint32_t group) const;
  static void count_value(Facet& facet, uint32_t ordinal, uint32_t group);
  void count_ordinals(Facet& facet, bool marked, const index::OrdinalColumn& column) const;
  void count_params(Facet& facet, uint32_t doc, uint32_t group) const;
  void add_up_categories(Facet& facet) const;
  static void write(Facet& facet, wire::FacetCounts& out);

  const ShardView& view_;
  Scratch& scratch_;
  std::vector<Facet> facets_;
};

}  // namespace souk::query
