// SPDX-License-Identifier: Apache-2.0
#include "core/query/collector.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace souk::query {

Collector::Collector(const ShardView& view, const wire::ShardRequest& request, const Plan& plan, BatchFilters& filters,
                     Scratch& scratch)
    : shard_(view.shard),
      request_(request),
      plan_(plan),
      filters_(filters),
      scratch_(scratch),
      batch_(scratch.batch),
      quality_weight_(request.quality_weight()),
      facets_(view, request, scratch),
      rows_(view.shard, request.limit(), request.has_after() ? &request.after() : nullptr,
            request.group() == wire::GROUP_OFFER),
      variants_(static_cast<size_t>(request.variants_size())),
      // A group's prices and offers are counted over all its matches, so none of them may be skipped.
      prunes_(request.totals() == wire::TOTALS_AT_LEAST && request.sort() == wire::SORT_RELEVANCE &&
              request.group() == wire::GROUP_OFFER && request.limit() > 0) {}

uint32_t Collector::least_score(uint32_t first, uint32_t last) const {
  return prunes_ ? least_text(first, last) : 0;
}

// The least text score with which one of the documents [first, last] would get among the best rows by relevance.
uint32_t Collector::least_text(uint32_t first, uint32_t last) const {
  if (!rows_.full()) return 0;
  const int64_t prior =
      quality_weight_ == 0 ? 0 : int64_t{quality_weight_} * shard_.level(first);  // levels never ascend
  return static_cast<uint32_t>(
      std::clamp<int64_t>(rows_.least_order(last) - prior, 0, std::numeric_limits<int32_t>::max()));
}

// Batch::keep_if with the filters that each document fails.
template <typename Keep>
void Collector::keep_marked(Keep keep) {
  uint32_t marks = 0;
  batch_.keep_if(plan_.needs_masks, [&](uint32_t i) {
    const bool keeps = keep(i);
    scratch_.failed[marks] = scratch_.failed[i];
    marks += keeps ? 1 : 0;
    return keeps;
  });
}

void Collector::keep_phrases() {
  constexpr uint32_t kAhead = 8;
  const index::ForwardIndex& forward = shard_.forward();
  batch_.keep_if(plan_.needs_masks, [&](uint32_t i) {
    if (i + kAhead < batch_.count) forward.prefetch(batch_.docs[i + kAhead]);
    return std::ranges::all_of(plan_.phrases,
                               [&](const auto& terms) { return forward.has_phrase(batch_.docs[i], terms); });
  });
}

void Collector::count_variants(bool marked) {
  for (size_t v = 0; v < variants_.size(); ++v) {
    const uint32_t wanted = request_.variants(static_cast<int>(v));
    for (uint32_t i = 0; i < batch_.count; ++i) {
      if (marked && scratch_.failed[i] != 0) continue;
      const uint32_t has = plan_.needs_masks ? batch_.masks[i] : plan_.match_all;
      if ((has & wanted) == wanted) variants_[v].add(shard_.group_of(batch_.docs[i]));
    }
  }
}

void Collector::take(const Kernels& kernels) {
  if (!plan_.phrases.empty()) keep_phrases();
  const bool marked = filters_.marks();
  if (marked) {
    filters_.mark(batch_, kernels, scratch_);
    // Who fails two filters counts in no facet.
    keep_marked([this](uint32_t i) { return std::popcount(scratch_.failed[i]) <= 1; });
  }
  if (!variants_.empty()) count_variants(marked);
  if (plan_.needs_masks && plan_.walk_least < plan_.hit_least) {
    const auto hits = [this](uint32_t i) {
      return static_cast<uint32_t>(std::popcount(batch_.masks[i])) >= plan_.hit_least;
    };
    keep_marked(hits);
  }
  if (facets_.any()) {
    find_groups();
    facets_.count(marked);
  }
  if (marked) batch_.keep_if(false, [this](uint32_t i) { return scratch_.failed[i] == 0; });
  if (!prunes_ && (marked || !facets_.any())) find_groups();
  if (request_.group() == wire::GROUP_OFFER) {
    add_offers(kernels);
  } else {
    add_models();
  }
}

void Collector::find_groups() {
  for (uint32_t i = 0; i < batch_.count; ++i) scratch_.groups[i] = shard_.group_of(batch_.docs[i]);
}

uint32_t Collector::level_of(uint32_t doc) {
  while (shard_.level_begins()[index::kLevels - level_] <= doc) --level_;
  return level_;
}

int64_t Collector::order_of(uint32_t doc, uint32_t score, uint32_t level) const {
  const auto price = [&] { return static_cast<int64_t>(shard_.prices()[doc]); };
  switch (request_.sort()) {
    case wire::SORT_PRICE:
      return -price();
    case wire::SORT_PRICE_DESC:
      return price();
    case wire::SORT_DISCOUNT: {  // thousandths of the old price; both are at most 10^15
      const auto old_price = static_cast<int64_t>(shard_.old_prices()[doc]);
      return old_price > price() ? (old_price - price()) * 1000 / old_price : 0;
    }
    case wire::SORT_NEWEST:
      return static_cast<int64_t>(shard_.first_seen()[doc]);
    default:
      return int64_t{score} + int64_t{quality_weight_} * level;
  }
}

void Collector::add_offers(const Kernels& kernels) {
  if (!prunes_) totals_.add(std::span(scratch_.groups).first(batch_.count));
  if (batch_.count == 0 || request_.limit() == 0) return;
  if (request_.sort() == wire::SORT_RELEVANCE) {
    const uint32_t least = least_text(batch_.docs[0], batch_.docs[batch_.count - 1]);
    batch_.count = kernels.keep_at_least(batch_.docs.data(), batch_.scores.data(), batch_.count, least);
  }
  for (uint32_t i = 0; i < batch_.count; ++i) {
    const uint32_t doc = batch_.docs[i];
    const uint32_t level = level_of(doc);
    const int64_t order = order_of(doc, batch_.scores[i], level);
    if (!rows_.wants(order, doc)) continue;
    if (Row* row = rows_.add(order, doc, level)) row->score = batch_.scores[i];
  }
}

void Collector::add_models() {
  totals_.add(std::span(scratch_.groups).first(batch_.count));
  // The columns are far from the processor: loads that do not wait for one another come first.
  for (uint32_t i = 0; i < batch_.count; ++i)
    scratch_.prices[i] = static_cast<int64_t>(shard_.prices()[batch_.docs[i]]);
  for (uint32_t i = 0; i < batch_.count; ++i) scratch_.values[i] = shard_.shops()[batch_.docs[i]];
  for (uint32_t i = 0; i < batch_.count; ++i) scratch_.in_stock[i] = shard_.in_stock()[batch_.docs[i]] != 0;
  for (uint32_t i = 0; i < batch_.count; ++i) {
    const uint32_t group = scratch_.groups[i];
    if (open_ && group_ != group) end_group();
    add_offer(i);
    group_ = group;
  }
}

// Adds an offer of the batch to the group that is open, or opens its group.
void Collector::add_offer(uint32_t i) {
  const uint32_t doc = batch_.docs[i];
  const int64_t price = scratch_.prices[i];
  const uint32_t level = level_of(doc);
  const int64_t order = order_of(doc, batch_.scores[i], level);
  if (!open_) {
    open_ = true;
    group_level_ = level;
    shops_.clear();
    row_.price_min = row_.price_max = price;
  }
  if (shops_.empty() || order > row_.order || (order == row_.order && scratch_.in_stock[i] && !row_in_stock_)) {
    row_.order = order;
    row_.doc = doc;
    row_.score = batch_.scores[i];
    row_in_stock_ = scratch_.in_stock[i];
  }
  row_.price_min = std::min(row_.price_min, price);
  row_.price_max = std::max(row_.price_max, price);
  shops_.push_back(scratch_.values[i]);
}

void Collector::end_group() {
  open_ = false;
  if (!rows_.wants(row_.order, row_.doc)) return;
  Row* row = rows_.add(row_.order, row_.doc, group_level_);
  if (row == nullptr) return;
  row_.offers = static_cast<uint32_t>(shops_.size());
  std::ranges::sort(shops_);
  row_.shops = static_cast<uint32_t>(std::ranges::unique(shops_).begin() - shops_.begin());
  *row = row_;
}

void Collector::end(wire::ShardReply& reply) {
  if (open_) end_group();
  facets_.finish(reply);
  for (const Counter& variant : variants_) {
    reply.add_variant_offers(variant.offers);
    reply.add_variant_models(variant.models);
  }
  best_ = rows_.take();
  if (request_.group() == wire::GROUP_OFFER) {
    for (Row& row : best_) row.price_min = row.price_max = static_cast<int64_t>(shard_.prices()[row.doc]);
  }
  if (prunes_) {
    std::vector<uint32_t> groups;
    for (const Row& row : best_) groups.push_back(shard_.group_of(row.doc));
    std::ranges::sort(groups);
    totals_.add(groups);
    reply.set_totals_at_least(true);
  }
  reply.set_total_offers(totals_.offers);
  reply.set_total_models(totals_.models);
}

}  // namespace souk::query
