// SPDX-License-Identifier: Apache-2.0
#include "core/query/write_hits.h"

#include <algorithm>

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
}

void explain_hit(const ShardView& view, const wire::ShardRequest& request, uint32_t doc, const Kernels& kernels,
                 wire::Explain& explain) {
  for (const wire::Term& term : request.terms()) {
    FoundPosting found;
    const auto look_up = [&](const index::PostingLists& lists, uint32_t ordinal) {
      const auto list = lists.find(ordinal);
      if (!list) return;
      const FoundPosting posting = find_posting(lists, *list, doc, kernels);
      found.impact = std::max(found.impact, posting.impact);
      found.mask |= posting.mask;
    };
    if (const auto ordinal = view.dictionary.find_term(term.text())) {
      look_up(view.shard.main(), *ordinal);
      if (request.with_description()) look_up(view.shard.description(), *ordinal);
    }
    explain.add_impacts(found.impact);
    explain.add_field_masks(found.mask);
  }
}

}  // namespace

void write_hits(const ShardView& view, const wire::ShardRequest& request, std::span<const Row> rows,
                const Kernels& kernels, wire::ShardReply& reply) {
  for (const Row& row : rows) prefetch_hit(view.shard, row.doc);
  for (const Row& row : rows) {
    write_hit(view.shard, row, *reply.mutable_hits());
    if (request.explain()) explain_hit(view, request, row.doc, kernels, *reply.mutable_explain());
  }
}

}  // namespace souk::query
