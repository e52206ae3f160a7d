// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/query/named_query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/index/currency_code.h"

namespace souk::test {

namespace {

void add_slots(const Query& query, wire::ShardRequest& request) {
  const auto copy = [](const Query::Numbers& words, auto& to) {
    for (const uint32_t word : words) to.add_terms(word);
  };
  for (const Query::Numbers& slot : query.slots) copy(slot, *request.add_slots());
  for (const Query::Numbers& phrase : query.phrases) copy(phrase, *request.add_phrases());
  request.set_min_match(query.min_match);
  for (const uint32_t set : query.variants) request.add_variants(set);
}

std::optional<uint32_t> category_ordinal(const index::Dictionary& dictionary, const Path& path) {
  for (uint32_t c = 0; c < dictionary.categories(); ++c) {
    Path names;
    for (const uint32_t part : dictionary.category_path(c)) names.emplace_back(dictionary.category_name(part));
    if (names == path) return c;
  }
  return std::nullopt;
}

// What queries and their fixed filters have in common.
template <typename Named>
void add_common(const index::Dictionary& dictionary, const Named& named, wire::Filters& filters) {
  if (named.categories) filters.mutable_categories();
  for (const Path& path : named.categories.value_or(std::vector<Path>{})) {
    const auto ordinal = category_ordinal(dictionary, path);
    if (!ordinal) continue;
    wire::OrdinalRange& range = *filters.mutable_categories()->add_ranges();
    range.set_begin(*ordinal);
    range.set_end(dictionary.category_end(*ordinal));
  }
  if (named.vendors) filters.mutable_vendors();
  for (uint32_t v = 0; named.vendors && v < dictionary.vendors(); ++v) {
    if (std::ranges::count(*named.vendors, dictionary.vendor_name(v)) > 0) filters.mutable_vendors()->add_values(v);
  }
  if (named.regions) filters.mutable_regions();
  for (uint32_t r = 0; named.regions && r < dictionary.regions(); ++r) {
    if (std::ranges::count(*named.regions, dictionary.region_name(r)) > 0) filters.mutable_regions()->add_values(r);
  }
  if (named.price_from) filters.set_price_from(*named.price_from);
  filters.set_in_stock(named.in_stock);
}

void add_filters(const World& world, const Query& query, wire::ShardRequest& request) {
  const index::Dictionary& dictionary = world.dictionary();
  wire::Filters& filters = *request.mutable_filters();
  add_common(dictionary, query, filters);
  add_common(dictionary, query.fixed, *request.mutable_fixed());
  filters.set_ways(query.ways);
  filters.set_no_adult(query.no_adult);
  if (query.shops) filters.mutable_shops();
  for (const uint32_t shop : query.shops.value_or(std::vector<uint32_t>{})) {
    if (const auto ordinal = dictionary.find_shop(shop_key(shop))) filters.mutable_shops()->add_values(*ordinal);
  }
  if (query.price_to) filters.set_price_to(*query.price_to);
  filters.set_model(query.model.value());
  filters.set_offer(query.offer.value());
  for (const auto& [name, values] : query.params) world.add_param_filter(request, name, values);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Query& q) {
  out << fmt::format("{{words {} description {} stock {} params {} model {} offer {} sort {} group {} limit {} q {}",
                     q.words, q.with_description, q.in_stock, q.params, q.model.value(), q.offer.value(),
                     static_cast<int>(q.sort), static_cast<int>(q.group), q.limit, q.quality_weight);
  if (q.categories) out << fmt::format(" categories {}", *q.categories);
  if (q.vendors) out << fmt::format(" vendors {}", *q.vendors);
  if (q.shops) out << fmt::format(" shops {}", *q.shops);
  if (q.price_from) out << " from " << *q.price_from;
  if (q.price_to) out << " to " << *q.price_to;
  out << fmt::format(" slots {} at least {} phrases {} variants {}", q.slots, q.min_match, q.phrases, q.variants);
  if (q.after) out << fmt::format(" after {} {} {}", q.after->order, q.after->group.value(), q.after->key.value());
  out << fmt::format(" ways {} no adult {}", q.ways, q.no_adult);
  if (q.regions) out << fmt::format(" regions {}", *q.regions);
  if (q.fixed.categories) out << fmt::format(" fixed categories {}", *q.fixed.categories);
  if (q.fixed.vendors) out << fmt::format(" fixed vendors {}", *q.fixed.vendors);
  if (q.fixed.regions) out << fmt::format(" fixed regions {}", *q.fixed.regions);
  if (q.fixed.price_from) out << " fixed from " << *q.fixed.price_from;
  if (q.fixed.in_stock) out << " fixed stock";
  if (q.totals == wire::TOTALS_AT_LEAST) out << " totals at least";
  return out << fmt::format(" facets {} {}}}", q.facets.size(), q.param_facets);
}

wire::ShardRequest to_request(const World& world, const Query& query) {
  wire::ShardRequest request = world.request();
  for (const std::string& word : query.words) world.add_text(request, word);
  add_slots(query, request);
  request.set_with_description(query.with_description);
  add_filters(world, query, request);
  for (const wire::FacetKind kind : query.facets) request.add_facets()->set_kind(kind);
  for (const std::string& name : query.param_facets) {
    const auto own = std::ranges::find(query.params, name, [](const auto& param) { return param.first; });
    world.add_param_facet(request, name, own == query.params.end() ? -1 : static_cast<int>(own - query.params.begin()));
  }
  request.set_sort(query.sort);
  request.set_group(query.group);
  request.set_limit(query.limit);
  request.set_quality_weight(query.quality_weight);
  request.set_explain(query.explain);
  request.set_totals(query.totals);
  if (query.after) {
    request.mutable_after()->set_order(query.after->order);
    request.mutable_after()->set_group(query.after->group.value());
    request.mutable_after()->set_key(query.after->key.value());
  }
  return request;
}

std::ostream& operator<<(std::ostream& out, const Answer& answer) {
  out << fmt::format("{}{} offers {} models\n", answer.at_least ? "at least " : "", answer.offers, answer.models);
  for (const std::string& line : answer.lines) out << line << '\n';
  return out;
}

Answer engine_answer(const World& world, const Query& query, const Evaluator& evaluator) {
  const wire::ShardRequest request = to_request(world, query);
  const auto merged = world.ask(request, evaluator);
  if (!merged) return {.lines = {to_string(merged.error())}};
  return answer_of(world, request, *merged);
}

bool agrees(const Answer& answer, const Answer& exact) {
  const bool totals = answer.at_least ? answer.offers <= exact.offers && answer.models <= exact.models
                                      : answer.offers == exact.offers && answer.models == exact.models;
  return totals && answer.lines == exact.lines;
}

Answer answer_of(const World& world, const wire::ShardRequest& request, const merge::Merged& merged) {
  Answer answer{merged.total_offers, merged.total_models, merged.totals_at_least, {}};
  for (const merge::Hit& h : merged.hits) {
    answer.lines.push_back(fmt::format(
        "{} of {} v{} order {} score {} level {} price {} of {} in {}..{} offers {} shops {} in {} stock {} "
        "explained {} {} flags {} own {} of {} {}",
        h.key.value(), h.group.value(), h.version, h.order, h.score, h.level, h.price, h.old_price, h.price_min,
        h.price_max, h.offers, h.shop_count, world.dictionary().shop_name(h.shop), h.in_stock, h.impacts, h.field_masks,
        h.flags, h.own_price, h.own_old_price, h.own_currency == 0 ? "" : index::currency_name(h.own_currency)));
  }
  for (int i = 0; i < request.facets_size(); ++i) {
    const merge::FacetTotals& totals = merged.facets[static_cast<size_t>(i)];
    std::string line = "facet";
    for (const auto& [value, count] : named(world.dictionary(), request.facets(i), totals))
      line += fmt::format(" [{}]={}/{}", value, count.first, count.second);
    answer.lines.push_back(line + fmt::format(" {}..{}", totals.price_min.value_or(-1), totals.price_max.value_or(-1)));
  }
  for (const merge::VariantTotals& totals : merged.variants) {
    answer.lines.push_back(fmt::format("variant {} offers {} models", totals.offers, totals.models));
  }
  return answer;
}

}  // namespace souk::test
