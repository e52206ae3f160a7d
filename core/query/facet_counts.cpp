// SPDX-License-Identifier: Apache-2.0
#include "core/query/facet_counts.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <utility>

#include "core/query/batch_filters.h"

namespace souk::query {

namespace {

// Without a branch on whether the value is new, which nobody could predict: it is noted every time, and kept if it is.
[[gnu::always_inline]] inline void count_value(FacetCell* cells, uint32_t* touched, uint32_t& distinct, uint32_t value,
                                               uint32_t group) {
  FacetCell& cell = cells[value];
  touched[distinct] = value;
  distinct += cell.own++ == 0 ? 1 : 0;
  cell.models += cell.last_group != group + 1 ? 1 : 0;
  cell.last_group = group + 1;
}

}  // namespace

FacetCounts::FacetCounts(const ShardView& view, const wire::ShardRequest& request, Scratch& scratch)
    : view_(view), scratch_(scratch) {
  size_t cells = 0;
  for (const wire::Facet& asked : request.facets()) {
    Facet facet{.kind = asked.kind(),
                .begin = 0,
                .end = 0,
                .own_bit = BatchFilters::own_bit(asked),
                .first_cell = cells,
                .cells = nullptr,
                .touched = nullptr,
                .price_min = std::numeric_limits<int64_t>::max(),
                .price_max = std::numeric_limits<int64_t>::min(),
                .group = kNotFound,
                .category = 0,
                .several = kNotFound};
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
    cells += facet.end - facet.begin + size_t{1};
    facets_.push_back(facet);
  }
  if (scratch.facet_cells.size() < cells) scratch.facet_cells.resize(cells);
  const size_t touched = cells + facets_.size();  // one more each: what is noted and not kept
  if (scratch.facet_touched.size() < touched) scratch.facet_touched.resize(touched);
  for (size_t f = 0; f < facets_.size(); ++f) {
    facets_[f].cells = &scratch.facet_cells[facets_[f].first_cell];
    facets_[f].touched = &scratch.facet_touched[facets_[f].first_cell + f];
  }
}

FacetCounts::Values FacetCounts::gather(const Facet& facet, bool marked, const index::OrdinalColumn& column) {
  const Batch& batch = scratch_.batch;
  // "None" is counted in a cell of its own behind the others.
  column.gather(std::span(batch.docs).first(batch.count), facet.end, scratch_.values.data());
  if (!marked) return {scratch_.values.data(), scratch_.groups.data(), batch.count};
  uint32_t count = 0;
  for (uint32_t i = 0; i < batch.count; ++i) {
    scratch_.values[count] = scratch_.values[i];
    scratch_.value_groups[count] = scratch_.groups[i];
    count += (scratch_.failed[i] & ~facet.own_bit) == 0 ? 1 : 0;
  }
  return {scratch_.values.data(), scratch_.value_groups.data(), count};
}

void FacetCounts::count_values(Facet& facet, const Values& values) {
  FacetCell* const cells = facet.cells;
  uint32_t* const touched = facet.touched;
  uint32_t distinct = facet.distinct;
  for (uint32_t i = 0; i < values.count; ++i) {
    count_value(cells, touched, distinct, values.ordinals[i], values.groups[i]);
  }
  facet.distinct = distinct;
}

// Offers are counted at their own category and added up at the end. So are the models, but for those whose offers are
// of several categories: they would count twice at a common ancestor.
void FacetCounts::count_categories(Facet& facet, const Values& values) const {
  FacetCell* const cells = facet.cells;
  uint32_t* const touched = facet.touched;
  uint32_t distinct = facet.distinct;
  uint32_t last_group = facet.group;
  uint32_t last_category = facet.category;
  for (uint32_t i = 0; i < values.count; ++i) {
    const uint32_t category = values.ordinals[i];
    const uint32_t group = values.groups[i];
    const bool first = group != last_group;
    FacetCell& cell = cells[category];
    touched[distinct] = category;
    distinct += cell.own++ == 0 ? 1 : 0;
    cell.sum += first ? 1 : 0;
    if (!first && category != last_category) {
      if (facet.several != group) {
        --cells[last_category].sum;
        count_path(facet, last_category, group);
        facet.several = group;
      }
      count_path(facet, category, group);
    }
    last_group = group;
    last_category = category;
  }
  facet.distinct = distinct;
  facet.group = last_group;
  facet.category = last_category;
}

// Counts a model at a category and its ancestors, up to the first one that has counted it.
void FacetCounts::count_path(Facet& facet, uint32_t category, uint32_t group) const {
  for (uint32_t c = category; c < facet.end; c = view_.dictionary.category_parent(c)) {
    FacetCell& cell = facet.cells[c];
    if (cell.last_group == group + 1) return;
    cell.last_group = group + 1;
    ++cell.models;
  }
}

void FacetCounts::count_prices(Facet& facet, bool marked) const {
  const Batch& batch = scratch_.batch;
  for (uint32_t i = 0; i < batch.count; ++i) {
    if (marked && (scratch_.failed[i] & ~facet.own_bit) != 0) continue;
    const auto price = static_cast<int64_t>(view_.shard.prices()[batch.docs[i]]);
    facet.price_min = std::min(facet.price_min, price);
    facet.price_max = std::max(facet.price_max, price);
  }
}

void FacetCounts::count_params(Facet& facet, bool marked) const {
  const Batch& batch = scratch_.batch;
  const index::ShardIndex& shard = view_.shard;
  for (uint32_t i = 0; i < batch.count; ++i) {
    if (marked && (scratch_.failed[i] & ~facet.own_bit) != 0) continue;
    const uint64_t end = shard.params_end(batch.docs[i]);
    for (uint64_t at = shard.params_begin(batch.docs[i]); at < end; ++at) {
      const uint32_t value = shard.param_values()[at];
      if (value >= facet.end) break;  // they ascend
      if (value >= facet.begin) {
        count_value(facet.cells, facet.touched, facet.distinct, value - facet.begin, scratch_.groups[i]);
      }
    }
  }
}

void FacetCounts::count(bool marked) {
  const index::ShardIndex& shard = view_.shard;
  for (Facet& facet : facets_) {
    switch (facet.kind) {
      case wire::FACET_CATEGORY:
        count_categories(facet, gather(facet, marked, shard.categories()));
        break;
      case wire::FACET_VENDOR:
        count_values(facet, gather(facet, marked, shard.vendors()));
        break;
      case wire::FACET_SHOP:
        count_values(facet, gather(facet, marked, shard.shops()));
        break;
      case wire::FACET_PRICE:
        count_prices(facet, marked);
        break;
      default:
        count_params(facet, marked);
    }
  }
}

void FacetCounts::add_up_categories(Facet& facet) const {
  struct Own {
    uint32_t category, offers, models;
  };
  FacetCell* const cells = facet.cells;
  std::vector<Own> own;
  own.reserve(facet.distinct);
  for (const uint32_t category : std::span(facet.touched, facet.distinct)) {
    own.push_back({category, cells[category].own, cells[category].sum});
    cells[category].sum = 0;
  }
  for (const Own& from : own) {
    for (uint32_t c = from.category; c != index::kNoOrdinal; c = view_.dictionary.category_parent(c)) {
      if (cells[c].own == 0 && cells[c].sum == 0) facet.touched[facet.distinct++] = c;
      cells[c].sum += from.offers;
      cells[c].models += from.models;
    }
  }
}

// By a bit for each, unless they are few among many.
void FacetCounts::sort_touched(Facet& facet) {
  constexpr uint32_t kWorthASort = 16;
  const std::span<uint32_t> touched(facet.touched, facet.distinct);
  const size_t words = (facet.end - facet.begin + 63) / 64;
  if (touched.size() * kWorthASort < words) {
    std::ranges::sort(touched);
    return;
  }
  std::vector<uint64_t>& bits = scratch_.facet_bits;
  if (bits.size() < words) bits.resize(words);
  for (const uint32_t value : touched) bits[value / 64] |= uint64_t{1} << (value % 64);
  uint32_t* out = facet.touched;
  for (size_t w = 0; w < words; ++w) {
    for (uint64_t left = std::exchange(bits[w], 0); left != 0; left &= left - 1) {
      *out++ = static_cast<uint32_t>(w * 64) + static_cast<uint32_t>(std::countr_zero(left));
    }
  }
}

void FacetCounts::write(Facet& facet, wire::FacetCounts& out) {
  if (facet.price_min <= facet.price_max) {
    out.set_price_min(facet.price_min);
    out.set_price_max(facet.price_max);
  }
  sort_touched(facet);
  const auto count = static_cast<int>(facet.distinct);
  out.mutable_ordinals()->Resize(count, 0);
  out.mutable_offers()->Resize(count, 0);
  out.mutable_models()->Resize(count, 0);
  uint32_t* ordinals = out.mutable_ordinals()->mutable_data();
  uint32_t* offers = out.mutable_offers()->mutable_data();
  uint32_t* models = out.mutable_models()->mutable_data();
  for (const uint32_t place : std::span(facet.touched, facet.distinct)) {
    FacetCell& cell = facet.cells[place];
    *ordinals++ = place + facet.begin;
    *offers++ = facet.kind == wire::FACET_CATEGORY ? cell.sum : cell.own;
    *models++ = cell.models;
    cell = {};
  }
}

void FacetCounts::finish(wire::ShardReply& reply) {
  for (Facet& facet : facets_) {
    const uint32_t none = facet.end - facet.begin;
    facet.cells[none] = {};
    const auto others = std::ranges::remove(std::span(facet.touched, facet.distinct), none);
    facet.distinct -= static_cast<uint32_t>(others.size());
    if (facet.kind == wire::FACET_CATEGORY) add_up_categories(facet);
    write(facet, *reply.add_facets());
  }
}

}  // namespace souk::query
