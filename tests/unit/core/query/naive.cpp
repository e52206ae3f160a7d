// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/query/naive.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/text/analyzer.h"

namespace souk::test {

namespace {

std::string joined(const Path& path) {
  return fmt::format("{}", fmt::join(path, " > "));
}

template <typename T>
bool holds(const std::vector<T>& values, const T& value) {
  return std::ranges::find(values, value) != values.end();
}

// One facet, and which filter is its own.
struct NaiveFacet {
  std::optional<wire::FacetKind> kind;  // none = the param
  std::string param;
};

class Naive {
 public:
  Naive(const World& world, const Query& query) : world_(world), query_(query) {
    text::Analyzer analyzer;
    for (const std::string& word : query.words) {
      for (const text::Token& token : analyzer.analyze(word)) terms_.push_back(token.term);
    }
  }

  std::vector<std::string> answer() const {
    std::vector<size_t> passed;
    for (size_t i = 0; i < world_.offers().size(); ++i) {
      if (has_words(i) && passes(world_.offers()[i], nullptr)) passed.push_back(i);
    }
    std::map<DocKey, std::vector<size_t>> models, groups;
    for (const size_t i : passed) {
      models[world_.offers()[i].group()].push_back(i);
      groups[query_.group == wire::GROUP_MODEL ? world_.offers()[i].group() : world_.offers()[i].key()].push_back(i);
    }
    std::vector<std::string> lines{fmt::format("total {} offers {} models", passed.size(), models.size())};
    std::vector<std::pair<std::pair<int64_t, DocKey>, std::string>> hits;
    for (const auto& [group, offers] : groups) hits.push_back(hit(group, offers));
    std::ranges::sort(hits);
    for (size_t i = 0; i < hits.size() && i < query_.limit; ++i) lines.push_back(hits[i].second);
    for (const wire::FacetKind kind : query_.facets) lines.push_back(facet({kind, ""}));
    for (const std::string& name : query_.param_facets) lines.push_back(facet({std::nullopt, name}));
    return lines;
  }

 private:
  TermWeights weights(size_t i, const std::string& term) const {
    const auto at = world_.terms()[i].find(term);
    return at == world_.terms()[i].end() ? TermWeights{} : at->second;
  }
  uint32_t impact(size_t i, const std::string& term) const {
    const TermWeights w = weights(i, term);
    return w.main_impact + (query_.with_description ? w.description_impact : 0U);
  }
  bool has_words(size_t i) const {
    return std::ranges::all_of(terms_, [&](const std::string& term) { return impact(i, term) > 0; });
  }

  bool passes(const TestOffer& offer, const NaiveFacet* own) const {
    const auto ignored = [own](wire::FacetKind kind) { return own != nullptr && own->kind == kind; };
    if (query_.offer && offer.key() != query_.offer) return false;
    if (query_.model && offer.group() != query_.model) return false;
    if (query_.in_stock && !offer.in_stock) return false;
    if (query_.categories && !ignored(wire::FACET_CATEGORY)) {
      const auto below = [&](const Path& path) {
        return path.size() <= offer.category.size() && std::equal(path.begin(), path.end(), offer.category.begin());
      };
      if (std::ranges::none_of(*query_.categories, below)) return false;
    }
    if (query_.vendors && !ignored(wire::FACET_VENDOR) && !holds(*query_.vendors, offer.vendor)) return false;
    if (query_.shops && !ignored(wire::FACET_SHOP) && !holds(*query_.shops, offer.shop)) return false;
    if (!ignored(wire::FACET_PRICE)) {
      if (query_.price_from && offer.price < *query_.price_from) return false;
      if (query_.price_to && offer.price > *query_.price_to) return false;
    }
    for (const auto& [name, values] : query_.params) {
      if (own != nullptr && !own->kind && own->param == name) continue;
      const auto right = [&](const auto& param) { return param.first == name && holds(values, param.second); };
      if (std::ranges::none_of(offer.params, right)) return false;
    }
    return true;
  }

  int64_t score(size_t i) const {
    int64_t sum = 0;
    for (const std::string& term : terms_) {
      double df = 0;
      for (size_t j = 0; j < world_.offers().size(); ++j) {
        const TermWeights w = weights(j, term);
        if (w.main_impact > 0 || w.description_impact > 0) ++df;
      }
      const auto n = static_cast<double>(world_.offers().size());
      sum += int64_t{impact(i, term)} * std::max(1L, std::lround(2048 * std::log(1 + (n - df + 0.5) / (df + 0.5))));
    }
    return sum;
  }

  int64_t order(size_t i) const {
    const TestOffer& offer = world_.offers()[i];
    switch (query_.sort) {
      case wire::SORT_PRICE:
        return -offer.price;
      case wire::SORT_PRICE_DESC:
        return offer.price;
      case wire::SORT_DISCOUNT:
        return offer.old_price > offer.price ? 1000 * (offer.old_price - offer.price) / offer.old_price : 0;
      case wire::SORT_NEWEST:
        return offer.first_seen;
      default:
        return score(i) + int64_t{query_.quality_weight} * offer.level;
    }
  }

  std::pair<std::pair<int64_t, DocKey>, std::string> hit(DocKey group, const std::vector<size_t>& offers) const {
    size_t best = offers.front();
    int64_t least = world_.offers()[best].price;
    int64_t most = least;
    std::set<uint32_t> shops;
    for (const size_t i : offers) {
      const TestOffer& offer = world_.offers()[i];
      if (order(i) > order(best) || (order(i) == order(best) && offer.key() < world_.offers()[best].key())) best = i;
      least = std::min(least, offer.price);
      most = std::max(most, offer.price);
      shops.insert(offer.shop);
    }
    const TestOffer& o = world_.offers()[best];
    std::vector<uint32_t> impacts, masks;
    if (query_.explain) {
      for (const std::string& term : terms_) {
        const TermWeights w = weights(best, term);
        impacts.push_back(impact(best, term));
        const bool described = query_.with_description && w.description_impact > 0;
        masks.push_back(w.main_mask | (described ? uint32_t{index::kDescriptionMask} : 0U));
      }
    }
    std::string line = fmt::format(
        "{} of {} v{} order {} score {} level {} price {} of {} in {}..{} offers {} shops {} in {} stock {} "
        "explained {} {}",
        o.key().value(), group.value(), o.version(), order(best), score(best), o.level, o.price, o.old_price, least,
        most, offers.size(), shops.size(), shop_name(o.shop), o.in_stock, impacts, masks);
    return {{-order(best), group}, std::move(line)};
  }

  std::string facet(const NaiveFacet& facet) const {
    std::map<std::string, std::pair<uint64_t, std::set<DocKey>>> counts;
    std::optional<int64_t> least, most;
    for (size_t i = 0; i < world_.offers().size(); ++i) {
      const TestOffer& offer = world_.offers()[i];
      if (!has_words(i) || !passes(offer, &facet)) continue;
      std::set<std::string> values;
      if (facet.kind == wire::FACET_CATEGORY) {
        for (size_t depth = 1; depth <= offer.category.size(); ++depth) {
          values.insert(joined({offer.category.begin(), offer.category.begin() + static_cast<ptrdiff_t>(depth)}));
        }
      } else if (facet.kind == wire::FACET_VENDOR) {
        if (!offer.vendor.empty()) values.insert(offer.vendor);
      } else if (facet.kind == wire::FACET_SHOP) {
        values.insert(shop_name(offer.shop));
      } else if (facet.kind == wire::FACET_PRICE) {
        least = std::min(least.value_or(offer.price), offer.price);
        most = std::max(most.value_or(offer.price), offer.price);
      } else {
        for (const auto& [name, value] : offer.params) {
          if (name == facet.param) values.insert(value);
        }
      }
      for (const std::string& value : values) {
        ++counts[value].first;
        counts[value].second.insert(offer.group());
      }
    }
    std::string line = "facet";
    for (const auto& [value, count] : counts)
      line += fmt::format(" [{}]={}/{}", value, count.first, count.second.size());
    return line + fmt::format(" {}..{}", least.value_or(-1), most.value_or(-1));
  }

  const World& world_;
  const Query& query_;
  std::vector<std::string> terms_;
};

std::optional<uint32_t> category_ordinal(const index::Dictionary& dictionary, const Path& path) {
  for (uint32_t c = 0; c < dictionary.categories(); ++c) {
    Path names;
    for (const uint32_t part : dictionary.category_path(c)) names.emplace_back(dictionary.category_name(part));
    if (names == path) return c;
  }
  return std::nullopt;
}

void add_filters(const World& world, const Query& query, wire::ShardRequest& request) {
  const index::Dictionary& dictionary = world.dictionary();
  wire::Filters& filters = *request.mutable_filters();
  if (query.categories) filters.mutable_categories();
  for (const Path& path : query.categories.value_or(std::vector<Path>{})) {
    const auto ordinal = category_ordinal(dictionary, path);
    if (!ordinal) continue;
    wire::OrdinalRange& range = *filters.mutable_categories()->add_ranges();
    range.set_begin(*ordinal);
    range.set_end(dictionary.category_end(*ordinal));
  }
  if (query.vendors) filters.mutable_vendors();
  for (uint32_t v = 0; query.vendors && v < dictionary.vendors(); ++v) {
    if (holds(*query.vendors, std::string(dictionary.vendor_name(v)))) filters.mutable_vendors()->add_values(v);
  }
  if (query.shops) filters.mutable_shops();
  for (const uint32_t shop : query.shops.value_or(std::vector<uint32_t>{})) {
    if (const auto ordinal = dictionary.find_shop(shop_key(shop))) filters.mutable_shops()->add_values(*ordinal);
  }
  if (query.price_from) filters.set_price_from(*query.price_from);
  if (query.price_to) filters.set_price_to(*query.price_to);
  filters.set_in_stock(query.in_stock);
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
  return out << fmt::format(" facets {} {}}}", q.facets.size(), q.param_facets);
}

wire::ShardRequest to_request(const World& world, const Query& query) {
  wire::ShardRequest request = world.request();
  for (const std::string& word : query.words) world.add_text(request, word);
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
  return request;
}

std::vector<std::string> naive_answer(const World& world, const Query& query) {
  return Naive(world, query).answer();
}

std::vector<std::string> engine_answer(const World& world, const Query& query) {
  const wire::ShardRequest request = to_request(world, query);
  const auto merged = world.ask(request);
  if (!merged) return {to_string(merged.error())};
  std::vector<std::string> lines{fmt::format("total {} offers {} models", merged->total_offers, merged->total_models)};
  for (const merge::Hit& h : merged->hits) {
    lines.push_back(fmt::format(
        "{} of {} v{} order {} score {} level {} price {} of {} in {}..{} offers {} shops {} in {} stock {} "
        "explained {} {}",
        h.key.value(), h.group.value(), h.version, h.order, h.score, h.level, h.price, h.old_price, h.price_min,
        h.price_max, h.offers, h.shop_count, world.dictionary().shop_name(h.shop), h.in_stock, h.impacts,
        h.field_masks));
  }
  for (int i = 0; i < request.facets_size(); ++i) {
    const merge::FacetTotals& totals = merged->facets[static_cast<size_t>(i)];
    std::string line = "facet";
    for (const auto& [value, count] : named(world.dictionary(), request.facets(i), totals))
      line += fmt::format(" [{}]={}/{}", value, count.first, count.second);
    lines.push_back(line + fmt::format(" {}..{}", totals.price_min.value_or(-1), totals.price_max.value_or(-1)));
  }
  return lines;
}

}  // namespace souk::test
