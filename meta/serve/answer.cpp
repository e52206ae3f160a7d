// SPDX-License-Identifier: Apache-2.0
#include "meta/serve/answer.h"

#include <algorithm>
#include <boost/json.hpp>
#include <tuple>

#include "core/index/currency_code.h"
#include "core/index/fields.h"
#include "meta/understand/highlight.h"

namespace souk::meta_serve {

namespace json = boost::json;

namespace {

constexpr size_t kShownFacetValues = 100;

json::array strings(const auto& values) {
  json::array array;
  for (const auto& value : values) array.emplace_back(json::string_view(value));
  return array;
}

json::array fields_in(uint32_t mask) {
  json::array names;
  for (size_t f = 0; f < index::kFields; ++f) {
    if ((mask >> f & 1U) != 0) names.emplace_back(index::kFieldNames[f]);
  }
  return names;
}

// What the shop asks for, in its own currency.
json::object offer_price(const merge::Hit& hit, const understand::Catalogue& catalogue) {
  const bool foreign = hit.own_currency != 0;
  const int64_t value = foreign ? hit.own_price : hit.price;
  const int64_t old_value = foreign ? hit.own_old_price : hit.old_price;
  json::object price{{"value", decimal(value)},
                     {"currency", foreign ? index::currency_name(hit.own_currency) : catalogue.market->base_currency}};
  if (old_value > value) price["old"] = decimal(old_value);
  return price;
}

json::array ways_of(uint32_t flags) {
  json::array ways;
  if ((flags & index::kDelivered) != 0) ways.emplace_back("courier");
  if ((flags & index::kPickup) != 0) ways.emplace_back("pickup");
  if ((flags & index::kStore) != 0) ways.emplace_back("store");
  return ways;
}

json::object option_of(const wire::SnippetDeliveryOption& option) {
  json::object out{{"cost", decimal(option.cost())},
                   {"currency", option.currency()},
                   {"days_from", option.days_from()},
                   {"days_to", option.days_to()}};
  if (option.order_before() < 24) out["order_before"] = option.order_before();
  return out;
}

// The document has the cheapest option first.
json::object delivery_of(uint32_t flags, const wire::SnippetDoc& doc) {
  json::object delivery{{"ways", ways_of(flags)}, {"free", (flags & index::kFreeDelivery) != 0}};
  if ((flags & index::kDelivered) != 0 && !doc.delivery_options().empty())
    delivery["courier"] = option_of(doc.delivery_options(0));
  if ((flags & index::kPickup) != 0 && !doc.pickup_options().empty())
    delivery["pickup"] = option_of(doc.pickup_options(0));
  return delivery;
}

json::array options_of(const google::protobuf::RepeatedPtrField<wire::SnippetDeliveryOption>& options) {
  json::array out;
  for (const wire::SnippetDeliveryOption& option : options) out.push_back(option_of(option));
  return out;
}

json::array params_of(const google::protobuf::RepeatedPtrField<wire::SnippetParam>& params) {
  json::array out;
  for (const wire::SnippetParam& param : params) {
    json::object one{{"name", param.name()}, {"value", param.value()}};
    if (!param.unit().empty()) one["unit"] = param.unit();
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

double decimal(int64_t minor_units) {
  return static_cast<double>(minor_units) / 100;
}

void AnswerWriter::add_regions(const wire::Filters& filters) {
  if (!filters.has_regions()) return;
  const auto& regions = filters.regions().values();
  regions_.emplace_back(*catalogue_.dictionary, std::span(regions.data(), static_cast<size_t>(regions.size())));
}

uint32_t AnswerWriter::flags_there(const merge::Hit& hit) const {
  uint32_t flags = hit.flags;
  for (const index::RegionWays& there : regions_) flags &= there.of(hit.shop);
  return flags;
}

json::object AnswerWriter::price(const merge::Hit& hit) const {
  json::object price{
      {"min", decimal(hit.price_min)}, {"max", decimal(hit.price_max)}, {"currency", catalogue_.market->base_currency}};
  if (hit.old_price > hit.price) price["old"] = decimal(hit.old_price);  // of the offer shown
  return price;
}

// Of its terms the one that counts: the first of the best.
json::object AnswerWriter::word_score(const merge::Hit& hit, const wire::Slot& slot) const {
  const auto score_of = [&](uint32_t term) {
    return uint64_t{plan_.request.terms(static_cast<int>(term)).weight()} * hit.impacts[term];
  };
  const uint32_t best = *std::ranges::max_element(slot.terms(), {}, score_of);
  return {{"term", plan_.terms[best]},
          {"df", plan_.request.with_description() ? plan_.any_df[best] : plan_.main_df[best]},
          {"weight", plan_.request.terms(static_cast<int>(best)).weight()},
          {"impact", hit.impacts[best]},
          {"score", score_of(best)},
          {"fields", fields_in(hit.field_masks[best])}};
}

json::object AnswerWriter::score(const merge::Hit& hit) const {
  json::array words;
  for (const wire::Slot& slot : plan_.request.slots()) words.push_back(word_score(hit, slot));
  return {{"order", hit.order},
          {"text", hit.score},
          {"quality", uint64_t{hit.level} * plan_.request.quality_weight()},
          {"quality_level", hit.level},
          {"terms", std::move(words)},
          {"shard", hit.from_shard}};
}

json::object AnswerWriter::item(const merge::Hit& hit, const wire::SnippetDoc& doc, bool debug) {
  json::array ranges;
  for (const understand::Highlight& range : understand::highlights(analyzer_, doc.title(), plan_.terms)) {
    ranges.push_back(json::array{range.start, range.length});
  }
  const DocKey shown = plan_.request.group() == wire::GROUP_OFFER ? hit.key : hit.group;
  json::object item{{"key", to_string(shown)},
                    {"type", shown.type() == KeyType::kModel ? "model" : "offer"},
                    {"offer_key", to_string(hit.key)},
                    {"title", doc.title()},
                    {"url", doc.url()},
                    {"vendor", doc.vendor()},
                    {"category", strings(doc.category_path())},
                    {"category_key", to_string(DocKey(doc.category()))},
                    {"price", price(hit)},
                    {"offer_price", offer_price(hit, catalogue_)},
                    {"delivery", delivery_of(flags_there(hit), doc)},
                    {"in_stock", hit.in_stock},
                    {"offers", hit.offers},
                    {"shops", hit.shop_count},
                    {"shop", doc.shop_name()},
                    {"picture", doc.pictures().empty() ? json::value(nullptr) : json::value(doc.pictures(0))},
                    {"highlight", std::move(ranges)}};
  if (debug) item["score"] = score(hit);
  return item;
}

json::object AnswerWriter::facet_value(wire::FacetKind kind, const merge::FacetTotals::Value& value) const {
  const index::Dictionary& dictionary = *catalogue_.dictionary;
  json::object out;
  switch (kind) {
    case wire::FACET_CATEGORY: {
      std::vector<std::string_view> path;
      for (const uint32_t category : dictionary.category_path(value.ordinal))
        path.push_back(dictionary.category_name(category));
      out["value"] = path.back();
      out["key"] = to_string(dictionary.category_key(value.ordinal));
      out["path"] = strings(path);
      break;
    }
    case wire::FACET_VENDOR:
      out["value"] = dictionary.vendor_name(value.ordinal);
      break;
    case wire::FACET_SHOP:
      out["value"] = dictionary.shop_name(value.ordinal);
      out["key"] = to_string(dictionary.shop_key(value.ordinal));
      break;
    default:
      out["value"] = dictionary.param_value(value.ordinal);
  }
  out["offers"] = value.offers;
  out["models"] = value.models;
  return out;
}

json::object AnswerWriter::facet(const understand::PlannedFacet& facet, const merge::FacetTotals& totals) const {
  if (facet.kind == wire::FACET_PRICE) {
    const auto bound = [](const std::optional<int64_t>& value) {
      return value ? json::value(decimal(*value)) : json::value(nullptr);
    };
    return {{"name", facet.name},
            {"min", bound(totals.price_min)},
            {"max", bound(totals.price_max)},
            {"currency", catalogue_.market->base_currency}};
  }
  // The most frequent first; ordinals are in the values' order, which settles ties.
  std::vector<merge::FacetTotals::Value> values = totals.values;
  const bool by_model = plan_.request.group() == wire::GROUP_MODEL;
  const size_t shown = std::min(values.size(), kShownFacetValues);
  std::ranges::partial_sort(
      values, values.begin() + static_cast<ptrdiff_t>(shown), {}, [by_model](const merge::FacetTotals::Value& value) {
        return std::tuple(-static_cast<int64_t>(by_model ? value.models : value.offers), value.ordinal);
      });
  json::array out;
  for (size_t i = 0; i < shown; ++i) out.push_back(facet_value(facet.kind, values[i]));
  return {{"name", facet.name}, {"values", std::move(out)}, {"total_values", values.size()}};
}

json::array AnswerWriter::facets(const std::vector<merge::FacetTotals>& totals) const {
  json::array out;
  for (size_t i = 0; i < totals.size(); ++i) out.push_back(facet(plan_.facets[i], totals[i]));
  return out;
}

json::object document(const merge::Hit& hit, const wire::SnippetDoc& doc, const understand::Catalogue& catalogue) {
  json::object price{{"value", decimal(hit.price)}, {"currency", catalogue.market->base_currency}};
  if (hit.old_price > hit.price) price["old"] = decimal(hit.old_price);
  json::object delivery{{"ways", ways_of(hit.flags)},
                        {"free", (hit.flags & index::kFreeDelivery) != 0},
                        {"courier", options_of(doc.delivery_options())},
                        {"pickup", options_of(doc.pickup_options())}};
  json::object out{{"key", to_string(hit.key)},
                   {"type", "offer"},
                   {"model", doc.model() == 0 ? json::value(nullptr) : json::value(to_string(DocKey(doc.model())))},
                   {"offer_id", doc.offer_id()},
                   {"shop", json::object{{"key", to_string(DocKey(doc.shop()))}, {"name", doc.shop_name()}}},
                   {"title", doc.title()},
                   {"url", doc.url()},
                   {"vendor", doc.vendor()},
                   {"vendor_code", doc.vendor_code()},
                   {"category", strings(doc.category_path())},
                   {"category_key", to_string(DocKey(doc.category()))},
                   {"price", std::move(price)},
                   {"in_stock", hit.in_stock},
                   {"description", doc.description()},
                   {"pictures", strings(doc.pictures())},
                   {"barcodes", strings(doc.barcodes())},
                   {"params", params_of(doc.params())},
                   {"extras", params_of(doc.extras())},
                   {"offer_price", offer_price(hit, catalogue)},
                   {"delivery", std::move(delivery)},
                   {"adult", (hit.flags & index::kAdult) != 0}};
  if (!doc.condition().empty()) out["condition"] = doc.condition();
  if (!doc.availability().empty()) out["availability"] = doc.availability();
  if (!doc.model_reason().empty())
    out["model_reason"] = json::object{{"kind", doc.model_reason()}, {"evidence", doc.model_evidence()}};
  return out;
}

json::object understood(const understand::Plan& plan) {
  const std::vector<understand::QueryWord>& words = plan.text.words;
  json::array terms;
  for (const understand::QueryWord& word : words) terms.emplace_back(shown(word));
  json::array phrases;
  for (const std::vector<uint32_t>& phrase : plan.text.phrases) {
    json::array& out = phrases.emplace_back(json::array()).get_array();
    for (const uint32_t word : phrase) out.emplace_back(words[word].term);
  }
  const size_t match = plan.request.min_match() == 0 ? words.size() : plan.request.min_match();
  return {{"terms", std::move(terms)}, {"phrases", std::move(phrases)}, {"match", match}};
}

json::object total(const merge::Merged& merged, bool complete) {
  const bool exact = complete && !merged.totals_at_least;
  return {{"models", merged.total_models}, {"offers", merged.total_offers}, {"relation", exact ? "exact" : "at_least"}};
}

json::object coverage(const std::vector<fanout::Outcome>& outcomes) {
  json::array missing;
  for (const fanout::Outcome& outcome : outcomes) {
    if (!outcome.reply) missing.push_back(outcome.target.shard);
  }
  const size_t answered = outcomes.size() - missing.size();
  return {{"asked", outcomes.size()}, {"answered", answered}, {"missing", std::move(missing)}};
}

json::array timings(const std::vector<fanout::Outcome>& outcomes) {
  json::array shards;
  for (const fanout::Outcome& outcome : outcomes) {
    json::object shard{
        {"shard", outcome.target.shard}, {"node", net::to_string(outcome.target.node)}, {"took_us", outcome.took_us}};
    if (outcome.reply) {
      shard["queue_us"] = outcome.reply->queue_us();
      shard["search_us"] = outcome.reply->search_us();
      shard["reply_bytes"] = outcome.reply_bytes;
      shard["offers"] = outcome.reply->total_offers();
    } else {
      shard["error"] = to_string(outcome.reply.error());
    }
    shards.push_back(std::move(shard));
  }
  return shards;
}

}  // namespace souk::meta_serve
