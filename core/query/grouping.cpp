// SPDX-License-Identifier: Apache-2.0
#include "core/query/grouping.h"

#include <algorithm>
#include <tuple>

namespace souk::query {

namespace {

// A group's best offer, and what is known of all its offers that passed.
struct Candidate {
  uint64_t group_key;
  int64_t order;
  uint32_t doc;
  uint32_t score;
  int64_t price_min;
  int64_t price_max;
  uint32_t offers;
  uint32_t shops;
};

int64_t order_value(const index::ShardIndex& shard, const wire::ShardRequest& request, const Match& match) {
  const int64_t price = shard.prices()[match.doc];
  switch (request.sort()) {
    case wire::SORT_PRICE:
      return -price;
    case wire::SORT_PRICE_DESC:
      return price;
    case wire::SORT_DISCOUNT: {  // thousandths of the old price; both are at most 10^15
      const int64_t old_price = shard.old_prices()[match.doc];
      return old_price > price ? (old_price - price) * 1000 / old_price : 0;
    }
    case wire::SORT_NEWEST:
      return shard.first_seen()[match.doc];
    default:
      return int64_t{match.score} + int64_t{request.quality_weight()} * shard.level(match.doc);
  }
}

// Matches of one group, in any order.
Candidate best_of(const index::ShardIndex& shard, const wire::ShardRequest& request, std::span<const Match> matches) {
  Candidate best{};
  std::vector<uint32_t> shops;
  for (const Match& match : matches) {
    const int64_t order = order_value(shard, request, match);
    const int64_t price = shard.prices()[match.doc];
    const bool first = best.offers == 0;
    if (first || std::tuple(-order, shard.keys()[match.doc]) < std::tuple(-best.order, shard.keys()[best.doc])) {
      best.order = order;
      best.doc = match.doc;
      best.score = match.score;
    }
    best.price_min = first ? price : std::min(best.price_min, price);
    best.price_max = first ? price : std::max(best.price_max, price);
    ++best.offers;
    shops.push_back(shard.shops()[match.doc]);
  }
  std::ranges::sort(shops);
  best.shops = static_cast<uint32_t>(std::ranges::unique(shops).begin() - shops.begin());
  return best;
}

void add_hit(const index::ShardIndex& shard, const Candidate& hit, wire::Hits& hits) {
  hits.add_keys(shard.keys()[hit.doc]);
  hits.add_groups(hit.group_key);
  hits.add_versions(shard.versions()[hit.doc]);
  hits.add_order(hit.order);
  hits.add_scores(hit.score);
  hits.add_prices(shard.prices()[hit.doc]);
  hits.add_old_prices(shard.old_prices()[hit.doc]);
  hits.add_in_stock(shard.in_stock()[hit.doc] != 0);
  hits.add_shops(shard.shops()[hit.doc]);
  hits.add_price_min(hit.price_min);
  hits.add_price_max(hit.price_max);
  hits.add_offers(hit.offers);
  hits.add_shop_counts(hit.shops);
  hits.add_levels(shard.level(hit.doc));
}

void explain_hit(const index::ShardIndex& shard, const wire::ShardRequest& request, uint32_t doc,
                 wire::Explain& explain) {
  const auto look_up = [doc](const index::PostingList& list, uint32_t& impact, uint32_t& mask) {
    const auto at = std::ranges::lower_bound(list.docs, doc);
    if (at == list.docs.end() || *at != doc) return;
    impact += list.impacts[static_cast<size_t>(at - list.docs.begin())];
    mask |= list.masks[static_cast<size_t>(at - list.docs.begin())];
  };
  for (const wire::Term& term : request.terms()) {
    uint32_t impact = 0;
    uint32_t mask = 0;
    look_up(shard.main().find(term.text()), impact, mask);
    if (request.with_description()) look_up(shard.description().find(term.text()), impact, mask);
    explain.add_impacts(impact);
    explain.add_field_masks(mask);
  }
}

std::vector<Candidate> one_per_group(const index::ShardIndex& shard, const wire::ShardRequest& request,
                                     std::vector<Match> passed) {
  std::vector<Candidate> candidates;
  const auto group_of = [&shard](const Match& match) { return shard.group_of()[match.doc]; };
  std::ranges::sort(passed, {}, [&](const Match& match) { return std::tuple(group_of(match), match.doc); });
  for (size_t begin = 0; begin < passed.size();) {
    size_t end = begin + 1;
    while (end < passed.size() && group_of(passed[end]) == group_of(passed[begin])) ++end;
    candidates.push_back(best_of(shard, request, std::span(passed).subspan(begin, end - begin)));
    candidates.back().group_key = shard.group_keys()[group_of(passed[begin])];
    begin = end;
  }
  return candidates;
}

std::vector<Candidate> one_per_offer(const index::ShardIndex& shard, const wire::ShardRequest& request,
                                     const std::vector<Match>& passed) {
  std::vector<Candidate> candidates;
  for (const Match& match : passed) {
    candidates.push_back(best_of(shard, request, std::span(&match, 1)));
    candidates.back().group_key = shard.keys()[match.doc];
  }
  return candidates;
}

uint64_t count_groups(const index::ShardIndex& shard, const std::vector<Match>& passed) {
  std::vector<bool> seen(shard.groups());
  uint64_t groups = 0;
  for (const Match& match : passed) {
    std::vector<bool>::reference mark = seen[shard.group_of()[match.doc]];
    if (!mark) ++groups;
    mark = true;
  }
  return groups;
}

}  // namespace

void rank_into(const index::ShardIndex& shard, const wire::ShardRequest& request, const std::vector<Match>& passed,
               wire::ShardReply& reply) {
  const bool by_offer = request.group() == wire::GROUP_OFFER;
  std::vector<Candidate> candidates =
      by_offer ? one_per_offer(shard, request, passed) : one_per_group(shard, request, passed);
  reply.set_total_offers(passed.size());
  reply.set_total_models(by_offer ? count_groups(shard, passed) : candidates.size());
  const size_t wanted = std::min<size_t>(request.limit(), candidates.size());
  std::ranges::partial_sort(candidates, candidates.begin() + static_cast<ptrdiff_t>(wanted), {},
                            [](const Candidate& c) { return std::tuple(-c.order, c.group_key); });
  for (size_t i = 0; i < wanted; ++i) {
    add_hit(shard, candidates[i], *reply.mutable_hits());
    if (request.explain()) explain_hit(shard, request, candidates[i].doc, *reply.mutable_explain());
  }
}

}  // namespace souk::query
