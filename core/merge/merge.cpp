// SPDX-License-Identifier: Apache-2.0
#include "core/merge/merge.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/base/hash.h"
#include "core/index/currency_code.h"

namespace souk::merge {

namespace {

std::unexpected<Error> corrupt(const char* message) {
  return fail(ErrorCode::kCorruption, message);
}

bool columns_agree(const wire::Hits& hits) {
  const int n = hits.keys_size();
  return hits.groups_size() == n && hits.versions_size() == n && hits.order_size() == n && hits.scores_size() == n &&
         hits.prices_size() == n && hits.old_prices_size() == n && hits.in_stock_size() == n &&
         hits.shops_size() == n && hits.price_min_size() == n && hits.price_max_size() == n &&
         hits.offers_size() == n && hits.shop_counts_size() == n && hits.levels_size() == n && hits.flags_size() == n;
}

// They are there for all hits or for none.
bool own_prices_agree(const wire::Hits& hits) {
  const int n = hits.own_currencies_size();
  return (n == 0 || n == hits.keys_size()) && hits.own_prices_size() == n && hits.own_old_prices_size() == n &&
         std::ranges::none_of(hits.own_currencies(), [](uint32_t code) { return code > index::kMostCurrency; });
}

// Ascending = best first. ~ turns the order around as - does, but for every value a peer may send.
using Rank = std::tuple<int64_t, uint64_t, uint64_t>;

// Groups are whole, so that the key decides between single offers only.
Rank rank(const wire::ShardRequest& request, int64_t order, uint64_t group, uint64_t key) {
  return {~order, group, request.group() == wire::GROUP_OFFER ? key : 0};
}

Rank rank(const wire::ShardRequest& request, const wire::Hits& hits, int i) {
  return rank(request, hits.order(i), hits.groups(i), hits.keys(i));
}

bool has_twice(const google::protobuf::RepeatedField<uint64_t>& keys) {
  std::vector<uint64_t> sorted(keys.begin(), keys.end());
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) != sorted.end();
}

std::vector<uint32_t> slice(const google::protobuf::RepeatedField<uint32_t>& values, int index, int count) {
  return {values.begin() + index * count, values.begin() + (index + 1) * count};
}

Hit row(const wire::ShardRequest& request, const wire::ShardReply& reply, int i) {
  const wire::Hits& hits = reply.hits();
  Hit hit;
  hit.key = DocKey(hits.keys(i));
  hit.group = DocKey(hits.groups(i));
  hit.version = hits.versions(i);
  hit.order = hits.order(i);
  hit.score = hits.scores(i);
  hit.level = hits.levels(i);
  hit.price = hits.prices(i);
  hit.old_price = hits.old_prices(i);
  hit.price_min = hits.price_min(i);
  hit.price_max = hits.price_max(i);
  hit.offers = hits.offers(i);
  hit.shop_count = hits.shop_counts(i);
  hit.shop = hits.shops(i);
  hit.in_stock = hits.in_stock(i);
  hit.flags = hits.flags(i);
  if (!hits.own_currencies().empty()) {
    hit.own_currency = hits.own_currencies(i);
    hit.own_price = hits.own_prices(i);
    hit.own_old_price = hits.own_old_prices(i);
  }
  hit.from_shard = reply.shard();
  if (request.explain()) {
    hit.impacts = slice(reply.explain().impacts(), i, request.terms_size());
    hit.field_masks = slice(reply.explain().field_masks(), i, request.terms_size());
  }
  return hit;
}

// Of eight shards' hits one in eight is kept: places are put in order, and only what is kept becomes a row.
std::vector<Hit> best_hits(const wire::ShardRequest& request, std::span<const wire::ShardReply> replies) {
  struct Place {
    Rank rank;
    const wire::ShardReply* reply;
    int row;
  };
  std::vector<Place> places;
  for (const wire::ShardReply& reply : replies) {
    for (int i = 0; i < reply.hits().keys_size(); ++i) places.push_back({rank(request, reply.hits(), i), &reply, i});
  }
  std::ranges::sort(places, {}, &Place::rank);
  if (places.size() > request.limit()) places.resize(request.limit());
  std::vector<Hit> hits;
  hits.reserve(places.size());
  for (const Place& place : places) hits.push_back(row(request, *place.reply, place.row));
  return hits;
}

// Both ascending by ordinal, and so is the sum.
void add_values(std::vector<FacetTotals::Value>& totals, const wire::FacetCounts& counts) {
  std::vector<FacetTotals::Value> sum;
  sum.reserve(totals.size() + static_cast<size_t>(counts.ordinals_size()));
  size_t at = 0;
  for (int i = 0; i < counts.ordinals_size(); ++i) {
    while (at < totals.size() && totals[at].ordinal < counts.ordinals(i)) sum.push_back(totals[at++]);
    FacetTotals::Value value{counts.ordinals(i), counts.offers(i), counts.models(i)};
    if (at < totals.size() && totals[at].ordinal == value.ordinal) {
      value.offers += totals[at].offers;
      value.models += totals[at].models;
      ++at;
    }
    sum.push_back(value);
  }
  sum.insert(sum.end(), totals.begin() + static_cast<ptrdiff_t>(at), totals.end());
  totals = std::move(sum);
}

void add_facet(FacetTotals& totals, const wire::FacetCounts& counts) {
  add_values(totals.values, counts);
  if (counts.has_price_min())
    totals.price_min = std::min(totals.price_min.value_or(counts.price_min()), int64_t{counts.price_min()});
  if (counts.has_price_max())
    totals.price_max = std::max(totals.price_max.value_or(counts.price_max()), int64_t{counts.price_max()});
}

// The ordinals that a facet may count; FACET_PRICE counts none.
wire::OrdinalRange range_of(const wire::Facet& facet, const index::Dictionary& dictionary) {
  if (facet.kind() == wire::FACET_PARAM) return facet.param();
  wire::OrdinalRange range;
  if (facet.kind() == wire::FACET_CATEGORY) range.set_end(dictionary.categories());
  if (facet.kind() == wire::FACET_VENDOR) range.set_end(dictionary.vendors());
  if (facet.kind() == wire::FACET_SHOP) range.set_end(dictionary.shops());
  return range;
}

Status check_hits(const wire::ShardRequest& request, const wire::Hits& hits) {
  if (!columns_agree(hits)) return corrupt("the columns of the hits differ in length");
  if (!own_prices_agree(hits)) return corrupt("the own prices of the hits differ in length, or are in no currency");
  if (static_cast<uint32_t>(hits.keys_size()) > request.limit()) return corrupt("more hits than asked for");
  if (request.has_after() && !hits.keys().empty()) {
    const wire::After& after = request.after();
    if (rank(request, hits, 0) <= rank(request, after.order(), after.group(), after.key())) {
      return corrupt("the hits begin before the place asked for");
    }
  }
  for (int i = 1; i < hits.keys_size(); ++i) {
    if (rank(request, hits, i - 1) >= rank(request, hits, i)) return corrupt("the hits are out of order");
  }
  if (has_twice(hits.keys()) || (request.group() == wire::GROUP_MODEL && has_twice(hits.groups()))) {
    return corrupt("a hit occurs twice");
  }
  return {};
}

Status check_counts(const wire::ShardRequest& request, const wire::ShardReply& reply) {
  if (reply.totals_at_least() && request.totals() != wire::TOTALS_AT_LEAST) {
    return corrupt("not all was counted, which was not allowed");
  }
  if (reply.variant_offers_size() != request.variants_size() ||
      reply.variant_models_size() != request.variants_size()) {
    return corrupt("not the variants that were asked for");
  }
  if (reply.facets_size() != request.facets_size()) return corrupt("not the facets that were asked for");
  for (const wire::FacetCounts& counts : reply.facets()) {
    const auto& ordinals = counts.ordinals();
    if (counts.offers_size() != ordinals.size() || counts.models_size() != ordinals.size())
      return corrupt("the columns of a facet differ in length");
    if (std::ranges::adjacent_find(ordinals, std::greater_equal()) != ordinals.end())
      return corrupt("a facet is out of order");
  }
  return {};
}

class DigestText {
 public:
  void add(uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value)); }
  void add_signed(int64_t value) { add(static_cast<uint64_t>(value)); }
  std::string hex() const { return hex16(xxh3(std::string_view(bytes_))); }

 private:
  std::string bytes_;
};

}  // namespace

Status check_reply(const wire::ShardRequest& request, const wire::ShardReply& reply) {
  if (reply.generation_number() != request.generation_number() ||
      reply.generation_hash() != request.generation_hash()) {
    return fail(ErrorCode::kVersionMismatch, "the reply is of another generation");
  }
  if (reply.shard() != request.shard()) return fail(ErrorCode::kVersionMismatch, "the reply is of another shard");
  if (Status done = check_hits(request, reply.hits()); !done) return done;
  if (Status done = check_counts(request, reply); !done) return done;
  const int explained = request.explain() ? reply.hits().keys_size() * request.terms_size() : 0;
  if (reply.explain().impacts_size() != explained || reply.explain().field_masks_size() != explained) {
    return corrupt("the explanation has another length than the hits");
  }
  return {};
}

Status check_ordinals(const wire::ShardRequest& request, const wire::ShardReply& reply,
                      const index::Dictionary& dictionary) {
  const auto& shops = reply.hits().shops();
  if (std::ranges::any_of(shops, [&](uint32_t shop) { return shop >= dictionary.shops(); })) {
    return corrupt("a hit's shop is beyond the dictionary");
  }
  if (reply.facets_size() != request.facets_size()) return corrupt("not the facets that were asked for");
  for (int i = 0; i < reply.facets_size(); ++i) {
    const wire::OrdinalRange range = range_of(request.facets(i), dictionary);
    const auto outside = [&range](uint32_t ordinal) { return ordinal < range.begin() || ordinal >= range.end(); };
    if (std::ranges::any_of(reply.facets(i).ordinals(), outside)) {
      return corrupt("a facet counts a value that is not its own");
    }
  }
  return {};
}

Merged merge(const wire::ShardRequest& request, std::span<const wire::ShardReply> replies) {
  Merged merged;
  merged.exact_totals = request.totals() == wire::TOTALS_EXACT;
  merged.facets.resize(static_cast<size_t>(request.facets_size()));
  merged.variants.resize(static_cast<size_t>(request.variants_size()));
  for (const wire::ShardReply& reply : replies) {
    merged.total_offers += reply.total_offers();
    merged.total_models += reply.total_models();
    merged.totals_at_least = merged.totals_at_least || reply.totals_at_least();
    for (int i = 0; i < reply.facets_size(); ++i) add_facet(merged.facets[static_cast<size_t>(i)], reply.facets(i));
    for (int i = 0; i < reply.variant_offers_size(); ++i) {
      VariantTotals& totals = merged.variants[static_cast<size_t>(i)];
      totals.offers += reply.variant_offers(i);
      totals.models += reply.variant_models(i);
    }
  }
  merged.hits = best_hits(request, replies);
  return merged;
}

std::string result_digest(const Merged& merged, size_t begin, size_t end) {
  DigestText text;
  if (merged.exact_totals) {
    text.add(merged.total_offers);
    text.add(merged.total_models);
  }
  end = std::min(end, merged.hits.size());
  for (size_t i = begin; i < end; ++i) {
    const Hit& hit = merged.hits[i];
    text.add(hit.group.value());
    text.add(hit.key.value());
    text.add_signed(hit.price);
    text.add_signed(hit.price_min);
    text.add_signed(hit.price_max);
    text.add(hit.offers);
    if (hit.own_currency != 0) {
      text.add(hit.own_currency);
      text.add_signed(hit.own_price);
    }
  }
  for (const FacetTotals& facet : merged.facets) {
    text.add(facet.values.size());
    for (const FacetTotals::Value& value : facet.values) {
      text.add(value.ordinal);
      text.add(value.offers);
      text.add(value.models);
    }
    text.add_signed(facet.price_min.value_or(-1));
    text.add_signed(facet.price_max.value_or(-1));
  }
  return text.hex();
}

}  // namespace souk::merge
