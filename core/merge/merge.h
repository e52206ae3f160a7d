// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/index/dictionary.h"
#include "core/wire/shard.pb.h"

namespace souk::merge {

// One line of an answer; the columns of wire::Hits as a row.
struct Hit {
  DocKey key;
  DocKey group;
  uint64_t version = 0;
  int64_t order = 0;
  uint32_t score = 0;
  uint32_t level = 0;
  int64_t price = 0, old_price = 0, price_min = 0, price_max = 0;
  uint32_t offers = 0, shop_count = 0, shop = 0;
  bool in_stock = false;
  uint32_t flags = 0;         // core/index/fields.h
  uint32_t own_currency = 0;  // core/index/currency_code.h; 0 = the base one, and no own prices
  int64_t own_price = 0, own_old_price = 0;
  uint32_t from_shard = 0;
  std::vector<uint32_t> impacts, field_masks;  // one per term, with explain
};

struct FacetTotals {
  struct Value {
    uint32_t ordinal = 0;
    uint64_t offers = 0, models = 0;
  };
  std::vector<Value> values;  // by ascending ordinal
  std::optional<int64_t> price_min, price_max;
};

struct VariantTotals {
  uint64_t offers = 0, models = 0;
};

struct Merged {
  uint64_t total_offers = 0;
  uint64_t total_models = 0;
  bool exact_totals = true;      // what was asked for; else they depend on how the offers lie in shards
  bool totals_at_least = false;  // there are that many, and perhaps more
  std::vector<Hit> hits;         // best first, at most the request's limit
  std::vector<FacetTotals> facets;
  std::vector<VariantTotals> variants;  // in the order asked for
};

// A reply that must not be merged: of another generation or shard (kVersionMismatch), or of no consistent shape, larger
// than what was asked for, or out of order (kCorruption).
Status check_reply(const wire::ShardRequest& request, const wire::ShardReply& reply);

// Whether all that a reply names by ordinal is in the generation's dictionary and was asked for (kCorruption): to be
// called besides check_reply before a hit's or a facet's ordinal is looked up.
Status check_ordinals(const wire::ShardRequest& request, const wire::ShardReply& reply,
                      const index::Dictionary& dictionary);

// Adds up replies of different shards, each of which passed check_reply. All offers of a group are on one shard, so
// totals, counts and price ranges are exact; the order is total, so 8 shards give what 1 gives.
Merged merge(const wire::ShardRequest& request, std::span<const wire::ShardReply> replies);

// 16 hex digits over the keys and prices of hits [begin, end), the totals (where they are exact) and the facets: equal
// for equal query and generation, whatever the shards, nodes and snippet servers.
std::string result_digest(const Merged& merged, size_t begin, size_t end);

}  // namespace souk::merge
