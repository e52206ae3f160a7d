// SPDX-License-Identifier: Apache-2.0
#include "core/query/write_hits.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/query/list_cursor.h"

namespace souk::query {

namespace {

// Its columns lie far apart: waited for one by one they would take most of a fast query's time.
void prefetch_hit(const index::ShardIndex& shard, uint32_t doc) {
  for (const void* at :
       {static_cast<const void*>(&shard.keys()[doc]), static_cast<const void*>(&shard.versions()[doc]),
        static_cast<const void*>(shard.prices().row(doc)), static_cast<const void*>(shard.old_prices().row(doc)),
        static_cast<const void*>(shard.in_stock().row(doc)), static_cast<const void*>(shard.shops().raw().row(doc))}) {
    __builtin_prefetch(at);
  }
}

void write_hit(const index::ShardIndex& shard, const Row& row, wire::Hits& hits) {
  hits.add_keys(shard.keys()[row.doc]);
  hits.add_groups(shard.group_keys()[shard.group_of(row.doc)]);
  hits.add_versions(shard.versions()[row.doc]);
  hits.add_order(row.order);
  hits.add_scores(row.score);
  hits.add_prices(static_cast<int64_t>(shard.prices()[row.doc]));
  hits.add_old_prices(static_cast<int64_t>(shard.old_prices()[row.doc]));
  hits.add_in_stock(shard.in_stock()[row.doc] != 0);
  hits.add_shops(shard.shops()[row.doc]);
  hits.add_price_min(row.price_min);
  hits.add_price_max(row.price_max);
  hits.add_offers(row.offers);
  hits.add_shop_counts(row.shops);
  hits.add_levels(shard.level(row.doc));
  hits.add_flags(shard.flags(row.doc));
}

void write_own_prices(const index::ShardIndex& shard, std::span<const Row> rows, wire::Hits& hits) {
  if (std::ranges::none_of(rows, [&](const Row& row) { return shard.own_price(row.doc).has_value(); })) return;
  for (const Row& row : rows) {
    const auto own = shard.own_price(row.doc).value_or(index::ShardIndex::OwnPrice{});
    hits.add_own_currencies(own.currency);
    hits.add_own_prices(own.price);
    hits.add_own_old_prices(own.old_price);
  }
}

// A term's lists, looked up once for all hits.
struct TermLists {
  std::optional<uint32_t> main, description;
};

std::vector<TermLists> look_up_terms(const ShardView& view, const wire::ShardRequest& request) {
  std::vector<TermLists> lists;
  for (const wire::Term& term : request.terms()) {
    TermLists& found = lists.emplace_back();
    const auto ordinal = view.dictionary.find_term(term.text());
    if (!ordinal) continue;
    found.main = view.shard.main().find(*ordinal);
    if (request.with_description()) found.description = view.shard.description().find(*ordinal);
  }
  return lists;
}

void explain_hit(const index::ShardIndex& shard, std::span<const TermLists> terms, uint32_t doc, const Kernels& kernels,
                 wire::Explain& explain) {
  for (const TermLists& term : terms) {
    FoundPosting found;
    const auto look_up = [&](const index::PostingLists& lists, std::optional<uint32_t> list) {
      if (!list) return;
      const FoundPosting posting = find_posting(lists, *list, doc, kernels);
      found.impact = std::max(found.impact, posting.impact);
      found.mask |= posting.mask;
    };
    look_up(shard.main(), term.main);
    look_up(shard.description(), term.description);
    explain.add_impacts(found.impact);
    explain.add_field_masks(found.mask);
  }
}

}  // namespace

Status write_hits(const ShardView& view, const wire::ShardRequest& request, std::span<const Row> rows,
                  const HitTools& tools, wire::ShardReply& reply) {
  std::vector<TermLists> terms;
  if (request.explain()) terms = look_up_terms(view, request);
  for (const Row& row : rows) prefetch_hit(view.shard, row.doc);
  for (const Row& row : rows) {
    write_hit(view.shard, row, *reply.mutable_hits());
    if (!request.explain()) continue;
    if (tools.stop.deadline.passed(tools.stop.clock)) return fail(ErrorCode::kDeadlineExceeded, "out of time");
    explain_hit(view.shard, terms, row.doc, tools.kernels, *reply.mutable_explain());
  }
  if (!rows.empty()) write_own_prices(view.shard, rows, *reply.mutable_hits());
  return {};
}

}  // namespace souk::query
