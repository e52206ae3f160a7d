// SPDX-License-Identifier: Apache-2.0
#include "core/oracle/grouping.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace souk::oracle {

namespace {

// A hit: a group, or one offer.
struct Candidate {
  Match best;
  int64_t order;
  int64_t price_min;
  int64_t price_max;
  uint32_t offers;
  uint32_t shops;
};

// Of the matches of one group, in any order.
Candidate best_of(const index::ShardIndex& shard, const wire::ShardRequest& request, std::span<const Match> matches) {
  // ~ turns the order around for every value; - would overflow for the least.
  const auto rank = [&](const Match& match) {
    return std::tuple(~order_value(shard, request, match.doc, match.score), shard.in_stock()[match.doc] == 0,
                      shard.keys()[match.doc]);
  };
  const Match best = *std::ranges::min_element(matches, {}, rank);
  std::vector<int64_t> prices;
  std::vector<uint32_t> shops;
  for (const Match& match : matches) {
    prices.push_back(static_cast<int64_t>(shard.prices()[match.doc]));
    shops.push_back(shard.shops()[match.doc]);
  }
  std::ranges::sort(shops);
  return {.best = best,
          .order = order_value(shard, request, best.doc, best.score),
          .price_min = std::ranges::min(prices),
          .price_max = std::ranges::max(prices),
          .offers = static_cast<uint32_t>(matches.size()),
          .shops = static_cast<uint32_t>(std::ranges::unique(shops).begin() - shops.begin())};
}

// Where a hit stands among all. Groups are whole, so that the offer's key decides between offers only.
using Place = std::tuple<int64_t, uint64_t, uint64_t>;

Place place(const wire::ShardRequest& request, int64_t order, uint64_t group, uint64_t key) {
  return {~order, group, request.group() == wire::GROUP_OFFER ? key : 0};
}

void add_hit(const ShardView& view, const Candidate& hit, bool scored, wire::Hits& hits) {
  const index::ShardIndex& shard = view.shard;
  const uint32_t doc = hit.best.doc;
  hits.add_keys(shard.keys()[doc]);
  hits.add_groups(shard.group_keys()[shard.group_of(doc)]);
  hits.add_versions(shard.versions()[doc]);
  hits.add_order(hit.order);
  hits.add_scores(scored ? hit.best.score : 0);
  hits.add_prices(static_cast<int64_t>(shard.prices()[doc]));
  hits.add_old_prices(static_cast<int64_t>(shard.old_prices()[doc]));
  hits.add_in_stock(shard.in_stock()[doc] != 0);
  hits.add_shops(shard.shops()[doc]);
  hits.add_price_min(hit.price_min);
  hits.add_price_max(hit.price_max);
  hits.add_offers(hit.offers);
  hits.add_shop_counts(hit.shops);
  hits.add_levels(shard.level(doc));
  hits.add_flags(shard.flags(doc));
}

void add_own_prices(const index::ShardIndex& shard, std::span<const Candidate> shown, wire::Hits& hits) {
  std::vector<index::ShardIndex::OwnPrice> own;
  bool any = false;
  for (const Candidate& hit : shown) {
    const auto price = shard.own_price(hit.best.doc);
    any = any || price.has_value();
    own.push_back(price.value_or(index::ShardIndex::OwnPrice{}));
  }
  for (size_t i = 0; any && i < own.size(); ++i) {
    hits.add_own_currencies(own[i].currency);
    hits.add_own_prices(own[i].price);
    hits.add_own_old_prices(own[i].old_price);
  }
}

// Impact and mask of one term in each of the hits, with `stride` terms between two of them.
void explain_term(const index::PostingLists& lists, uint32_t term, std::span<const Candidate> hits, size_t stride,
                  wire::Explain& explain, size_t at) {
  const auto list = lists.find(term);
  if (!list) return;
  const index::DecodedList postings = lists.decode(*list);
  for (const Candidate& hit : hits) {
    const auto found = std::ranges::lower_bound(postings.docs, hit.best.doc);
    if (found != postings.docs.end() && *found == hit.best.doc) {
      const auto i = static_cast<size_t>(found - postings.docs.begin());
      uint32_t& impact = *explain.mutable_impacts()->Mutable(static_cast<int>(at));
      uint32_t& mask = *explain.mutable_field_masks()->Mutable(static_cast<int>(at));
      impact = std::max<uint32_t>(impact, postings.impacts[i]);
      mask |= postings.masks[i];
    }
    at += stride;
  }
}

void explain_hits(const ShardView& view, const wire::ShardRequest& request, std::span<const Candidate> hits,
                  wire::Explain& explain) {
  const auto terms = static_cast<size_t>(request.terms_size());
  explain.mutable_impacts()->Resize(static_cast<int>(hits.size() * terms), 0);
  explain.mutable_field_masks()->Resize(static_cast<int>(hits.size() * terms), 0);
  for (size_t i = 0; i < terms; ++i) {
    const auto term = view.dictionary.find_term(request.terms(static_cast<int>(i)).text());
    if (!term) continue;
    explain_term(view.shard.main(), *term, hits, terms, explain, i);
    if (request.with_description()) explain_term(view.shard.description(), *term, hits, terms, explain, i);
  }
}

std::vector<Candidate> candidates_of(const index::ShardIndex& shard, const wire::ShardRequest& request,
                                     std::vector<Match> passed) {
  // What makes one hit: all of a group, or a single offer.
  const auto hit_of = [&](const Match& match) {
    return request.group() == wire::GROUP_OFFER ? match.doc : shard.group_of(match.doc);
  };
  std::ranges::sort(passed, {}, hit_of);
  std::vector<Candidate> candidates;
  for (size_t begin = 0; begin < passed.size();) {
    size_t end = begin + 1;
    while (end < passed.size() && hit_of(passed[end]) == hit_of(passed[begin])) ++end;
    candidates.push_back(best_of(shard, request, std::span(passed).subspan(begin, end - begin)));
    begin = end;
  }
  return candidates;
}

uint64_t count_groups(const index::ShardIndex& shard, const std::vector<Match>& passed) {
  std::vector<bool> seen(shard.groups());
  for (const Match& match : passed) seen[shard.group_of(match.doc)] = true;
  return static_cast<uint64_t>(std::ranges::count(seen, true));
}

}  // namespace

int64_t order_value(const index::ShardIndex& shard, const wire::ShardRequest& request, uint32_t doc, uint32_t score) {
  const auto price = static_cast<int64_t>(shard.prices()[doc]);
  switch (request.sort()) {
    case wire::SORT_PRICE:
      return -price;
    case wire::SORT_PRICE_DESC:
      return price;
    case wire::SORT_DISCOUNT: {  // thousandths of the old price; both are at most 10^15
      const auto old_price = static_cast<int64_t>(shard.old_prices()[doc]);
      return old_price > price ? (old_price - price) * 1000 / old_price : 0;
    }
    case wire::SORT_NEWEST:
      return static_cast<int64_t>(shard.first_seen()[doc]);
    default:
      return int64_t{score} + int64_t{request.quality_weight()} * shard.level(doc);
  }
}

void rank_into(const ShardView& view, const wire::ShardRequest& request, const std::vector<Match>& passed,
               wire::ShardReply& reply) {
  const index::ShardIndex& shard = view.shard;
  reply.set_total_offers(passed.size());
  reply.set_total_models(count_groups(shard, passed));
  std::vector<Candidate> hits = candidates_of(shard, request, passed);
  const auto place_of = [&](const Candidate& hit) {
    const uint32_t doc = hit.best.doc;
    return place(request, hit.order, shard.group_keys()[shard.group_of(doc)], shard.keys()[doc]);
  };
  if (request.has_after()) {
    const wire::After& after = request.after();
    const Place last = place(request, after.order(), after.group(), after.key());
    std::erase_if(hits, [&](const Candidate& hit) { return place_of(hit) <= last; });
  }
  const size_t wanted = std::min<size_t>(request.limit(), hits.size());
  std::ranges::partial_sort(hits, hits.begin() + static_cast<ptrdiff_t>(wanted), {}, place_of);
  hits.resize(wanted);
  const bool scored = request.sort() == wire::SORT_RELEVANCE || request.explain();
  for (const Candidate& hit : hits) add_hit(view, hit, scored, *reply.mutable_hits());
  add_own_prices(shard, hits, *reply.mutable_hits());
  if (request.explain() && !hits.empty()) explain_hits(view, request, hits, *reply.mutable_explain());
}

}  // namespace souk::oracle
