// SPDX-License-Identifier: Apache-2.0
#include "core/query/facet_counts.h"

#include <algorithm>
#include <limits>

#include "core/query/batch_filters.h"

namespace souk::query {

namespace {

// Many of few values are found faster by looking at all.
void sort_touched(FacetCells& cells, uint32_t values) {
  constexpr uint32_t kWorthASort = 16;
  if (cells.touched.size() * kWorthASort < values) {
    std::ranges::sort(cells.touched);
    return;
  }
  cells.touched.clear();
  for (uint32_t value = 0; value < values; ++value) {
    if (cells.cells[value].last_group != 0) cells.touched.push_back(value);
  }
}

}  // namespace

FacetCounts::FacetCounts(const ShardView& view, const wire::ShardRequest& request, Scratch& scratch)
    : view_(view), scratch_(scratch) {
  const auto wanted = static_cast<size_t>(request.facets_size());
  if (scratch.facets.size() < wanted) scratch.facets.resize(wanted);
  for (const wire::Facet& asked : request.facets()) {
    Facet facet{.kind = asked.kind(),
                .begin = 0,
                .end = 0,
                .own_bit = BatchFilters::own_bit(asked),
                .cells = &scratch.facets[facets_.size()],
                .price_min = std::numeric_limits<int64_t>::max(),
                .price_max = std::numeric_limits<int64_t>::min()};
    switch (asked.kind()) {
      case wire::FACET_CATEGORY:
        facet.end = view.dictionary.categories();
        break;
      case wire::FACET_VENDOR:
        facet.end = view.dictionary.vendors();
        break;
      case wire::FACET_SHOP:
        facet.end = view.dictionary.shops();
        break;
      case wire::FACET_PARAM:
        facet.begin = asked.param().begin();
        facet.end = asked.param().end();
        break;
      default:
        break;
    }
    if (facet.cells->cells.size() < facet.end - facet.begin) facet.cells->cells.resize(facet.end - facet.begin);
    facets_.push_back(facet);
  }
}

void FacetCounts::count_value(Facet& facet, uint32_t ordinal, uint32_t group) {
  FacetCell& cell = facet.cells->cells[ordinal - facet.begin];
  if (cell.last_group == 0) facet.cells->touched.push_back(ordinal - facet.begin);
  ++cell.own;
  cell.models += cell.last_group != group + 1 ? 1 : 0;
  cell.last_group = group + 1;
}

// Offers are counted at their own category and added up at the end; models at every ancestor at once, up to the first
// one that has counted this group.
void FacetCounts::count_category(Facet& facet, uint32_t category, uint32_t group) const {
  std::vector<FacetCell>& cells = facet.cells->cells;
  ++cells[category].own;
  for (uint32_t c = category; c != index::kNoOrdinal; c = view_.dictionary.category_parent(c)) {
    FacetCell& cell = cells[c];
    if (cell.last_group == group + 1) return;
    if (cell.last_group == 0) facet.cells->touched.push_back(c);
    cell.last_group = group + 1;
    ++cell.models;
  }
}

void FacetCounts::count_params(Facet& facet, uint32_t doc, uint32_t group) const {
  const index::ShardIndex& shard = view_.shard;
  const uint64_t end = shard.params_end(doc);
  for (uint64_t at = shard.params_begin(doc); at < end; ++at) {
    const uint32_t value = shard.param_values()[at];
    if (value >= facet.end) break;  // they ascend
    if (value >= facet.begin) count_value(facet, value, group);
  }
}

template <typename Visit>
void FacetCounts::each(const Facet& facet, bool marked, Visit visit) const {
  const Batch& batch = scratch_.batch;
  for (uint32_t i = 0; i < batch.count; ++i) {
    if (marked && (scratch_.failed[i] & ~facet.own_bit) != 0) continue;
    visit(batch.docs[i], scratch_.groups[i]);
  }
}

void FacetCounts::count_ordinals(Facet& facet, bool marked, const index::OrdinalColumn& column) const {
  each(facet, marked, [&](uint32_t doc, uint32_t group) {
    if (const uint32_t ordinal = column[doc]; ordinal != index::kNoOrdinal) count_value(facet, ordinal, group);
  });
}

void FacetCounts::count(bool marked) {
  const index::ShardIndex& shard = view_.shard;
  for (Facet& facet : facets_) {
    switch (facet.kind) {
      case wire::FACET_CATEGORY:
        each(facet, marked, [&](uint32_t doc, uint32_t group) {
          if (const uint32_t c = shard.categories()[doc]; c != index::kNoOrdinal) count_category(facet, c, group);
        });
        break;
      case wire::FACET_VENDOR:
        count_ordinals(facet, marked, shard.vendors());
        break;
      case wire::FACET_SHOP:
        count_ordinals(facet, marked, shard.shops());
        break;
      case wire::FACET_PRICE:
        each(facet, marked, [&](uint32_t doc, uint32_t) {
          const auto price = static_cast<int64_t>(shard.prices()[doc]);
          facet.price_min = std::min(facet.price_min, price);
          facet.price_max = std::max(facet.price_max, price);
        });
        break;
      default:
        each(facet, marked, [&](uint32_t doc, uint32_t group) { count_params(facet, doc, group); });
    }
  }
}

void FacetCounts::add_up_categories(Facet& facet) const {
  std::vector<FacetCell>& cells = facet.cells->cells;
  for (const uint32_t category : facet.cells->touched) {
    const uint32_t own = cells[category].own;
    if (own == 0) continue;
    for (uint32_t c = category; c != index::kNoOrdinal; c = view_.dictionary.category_parent(c)) cells[c].total += own;
  }
}

void FacetCounts::write(Facet& facet, wire::FacetCounts& out) {
  if (facet.price_min <= facet.price_max) {
    out.set_price_min(facet.price_min);
    out.set_price_max(facet.price_max);
  }
  std::vector<uint32_t>& touched = facet.cells->touched;
  sort_touched(*facet.cells, facet.end - facet.begin);
  const auto count = static_cast<int>(touched.size());
  out.mutable_ordinals()->Resize(count, 0);
  out.mutable_offers()->Resize(count, 0);
  out.mutable_models()->Resize(count, 0);
  uint32_t* ordinals = out.mutable_ordinals()->mutable_data();
  uint32_t* offers = out.mutable_offers()->mutable_data();
  uint32_t* models = out.mutable_models()->mutable_data();
  for (const uint32_t place : touched) {
    FacetCell& cell = facet.cells->cells[place];
    *ordinals++ = place + facet.begin;
    *offers++ = facet.kind == wire::FACET_CATEGORY ? cell.total : cell.own;
    *models++ = cell.models;
    cell = {};
  }
  touched.clear();
}

void FacetCounts::finish(wire::ShardReply& reply) {
  for (Facet& facet : facets_) {
    if (facet.kind == wire::FACET_CATEGORY) add_up_categories(facet);
    write(facet, *reply.add_facets());
  }
}

}  // namespace souk::query
