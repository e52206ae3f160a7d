// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/query/naive.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
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
  Naive(const World& world, const Query& query) : world_(world), query_(query), slots_(query.slots) {
    text::Analyzer analyzer;
    for (const std::string& word : query.words) {
      const auto tokens = analyzer.analyze(word);
      SOUK_CHECK(tokens.size() == 1);
      terms_.push_back(tokens[0].term);
      weights_.push_back(weight(terms_.back()));
    }
    for (uint32_t i = 0; query.slots.empty() && i < terms_.size(); ++i) slots_.push_back({i});
    for (const TestOffer& offer : world.offers()) {
      uint8_t& level = levels_[offer.group()];
      level = std::max(level, offer.level);
    }
  }

  Answer answer() const {
    std::vector<size_t> passed;
    for (size_t i = 0; i < world_.offers().size(); ++i) {
      if (matches(i) && passes(world_.offers()[i], nullptr)) passed.push_back(i);
    }
    std::map<DocKey, std::vector<size_t>> models, hits;
    for (const size_t i : passed) {
      const TestOffer& offer = world_.offers()[i];
      models[offer.group()].push_back(i);
      hits[query_.group == wire::GROUP_MODEL ? offer.group() : offer.key()].push_back(i);
    }
    Answer answer{.offers = passed.size(), .models = models.size(), .lines = {}};
    std::vector<std::pair<Place, std::string>> lines;
    for (const auto& [key, offers] : hits) lines.push_back(hit(offers));
    std::ranges::sort(lines);
    if (query_.after) {
      const Place last = place(query_.after->order, query_.after->group, query_.after->key);
      std::erase_if(lines, [&last](const auto& line) { return line.first <= last; });
    }
    for (size_t i = 0; i < lines.size() && i < query_.limit; ++i) answer.lines.push_back(lines[i].second);
    for (const wire::FacetKind kind : query_.facets) answer.lines.push_back(facet({kind, ""}));
    for (const std::string& name : query_.param_facets) answer.lines.push_back(facet({std::nullopt, name}));
    for (const uint32_t set : query_.variants) answer.lines.push_back(variant(set));
    return answer;
  }

 private:
  TermWeights weights(size_t i, const std::string& term) const {
    const auto at = world_.terms()[i].find(term);
    return at == world_.terms()[i].end() ? TermWeights{} : at->second;
  }
  int64_t weight(const std::string& term) const {
    double df = 0;
    for (size_t i = 0; i < world_.offers().size(); ++i) {
      const TermWeights w = weights(i, term);
      if (w.main_impact > 0 || w.description_impact > 0) ++df;
    }
    const auto n = static_cast<double>(world_.offers().size());
    return std::max(1L, std::lround(2048 * std::log(1 + (n - df + 0.5) / (df + 0.5))));
  }
  uint32_t impact(size_t i, const std::string& term) const {
    const TermWeights w = weights(i, term);
    return std::max<uint32_t>(w.main_impact, query_.with_description ? w.description_impact : 0U);
  }

  bool has_slot(size_t i, const Query::Numbers& slot) const {
    return std::ranges::any_of(slot, [&](uint32_t word) { return impact(i, terms_[word]) > 0; });
  }
  bool matches(size_t i) const {
    const auto found = std::ranges::count_if(slots_, [&](const auto& slot) { return has_slot(i, slot); });
    const size_t enough = query_.min_match == 0 ? slots_.size() : query_.min_match;
    return static_cast<size_t>(found) >= enough && has_phrases(i);
  }
  bool has_phrase(size_t i, const Query::Numbers& phrase) const {
    std::vector<std::string> words;
    for (const uint32_t word : phrase) words.push_back(terms_[word]);
    return std::ranges::any_of(world_.words()[i],
                               [&](const auto& text) { return !std::ranges::search(text, words).empty(); });
  }
  bool has_phrases(size_t i) const {
    return std::ranges::all_of(query_.phrases, [&](const auto& phrase) { return has_phrase(i, phrase); });
  }

  static bool is_below(const TestOffer& offer, const std::vector<Path>& paths) {
    return std::ranges::any_of(paths, [&](const Path& path) {
      return path.size() <= offer.category.size() && std::equal(path.begin(), path.end(), offer.category.begin());
    });
  }

  // How a buyer in one of the regions can have it.
  static uint32_t ways_in(const TestOffer& offer, const std::vector<std::string>& regions) {
    if (regions.empty()) return 0;
    const std::vector<std::string> served = shop_regions(offer.shop);
    if (served.empty()) return offer.flags & (index::kDelivered | index::kFreeDelivery);
    for (const std::string& region : regions) {
      std::vector<std::string> around = {region};
      if (region == "Москва") around = {"москва", "Россия"};
      if (region == "Химки") around = {"Химки", "москва", "Россия"};
      for (const std::string& name : around) {
        if (holds(served, name)) return offer.flags & index::kWays;
      }
    }
    return 0;
  }
  bool passes_ways(const TestOffer& offer) const {
    if (query_.no_adult && (offer.flags & index::kAdult) != 0) return false;
    const uint32_t ways = query_.regions ? ways_in(offer, *query_.regions) : offer.flags;
    return query_.ways != 0 ? (ways & query_.ways) != 0 : !query_.regions || ways != 0;
  }
  bool passes_fixed(const TestOffer& offer) const {
    const Query::Fixed& fixed = query_.fixed;
    return (!fixed.categories || is_below(offer, *fixed.categories)) &&
           (!fixed.vendors || holds(*fixed.vendors, offer.vendor)) &&
           (!fixed.regions || ways_in(offer, *fixed.regions) != 0) &&
           (!fixed.price_from || offer.price >= *fixed.price_from) && (!fixed.in_stock || offer.in_stock);
  }

  bool passes(const TestOffer& offer, const NaiveFacet* own) const {
    const auto ignored = [own](wire::FacetKind kind) { return own != nullptr && own->kind == kind; };
    if (query_.offer && offer.key() != query_.offer) return false;
    if (query_.model && offer.group() != query_.model) return false;
    if (query_.in_stock && !offer.in_stock) return false;
    if (query_.categories && !ignored(wire::FACET_CATEGORY) && !is_below(offer, *query_.categories)) return false;
    if (query_.vendors && !ignored(wire::FACET_VENDOR) && !holds(*query_.vendors, offer.vendor)) return false;
    if (query_.shops && !ignored(wire::FACET_SHOP) && !holds(*query_.shops, offer.shop)) return false;
    if (!ignored(wire::FACET_PRICE)) {
      if (query_.price_from && offer.price < *query_.price_from) return false;
      if (query_.price_to && offer.price > *query_.price_to) return false;
    }
    if (!passes_ways(offer) || !passes_fixed(offer)) return false;
    for (const auto& [name, values] : query_.params) {
      if (own != nullptr && !own->kind && own->param == name) continue;
      const auto right = [&](const auto& param) { return param.first == name && holds(values, param.second); };
      if (std::ranges::none_of(offer.params, right)) return false;
    }
    return true;
  }

  int64_t score(size_t i) const {
    int64_t sum = 0;
    for (const Query::Numbers& slot : slots_) {
      int64_t best = 0;
      for (const uint32_t word : slot) best = std::max(best, impact(i, terms_[word]) * weights_[word]);
      sum += best;
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
        return score(i) + int64_t{query_.quality_weight} * levels_.at(offer.group());
    }
  }

  using Place = std::tuple<int64_t, DocKey, DocKey>;
  Place place(int64_t order, DocKey group, DocKey key) const {
    return {-order, group, query_.group == wire::GROUP_OFFER ? key : DocKey()};
  }

  std::pair<Place, std::string> hit(const std::vector<size_t>& offers) const {
    const auto rank = [this](size_t i) {
      return std::tuple(-order(i), !world_.offers()[i].in_stock, world_.offers()[i].key());
    };
    const size_t best = *std::ranges::min_element(offers, {}, rank);
    int64_t least = world_.offers()[best].price;
    int64_t most = least;
    std::set<uint32_t> shops;
    for (const size_t i : offers) {
      const TestOffer& offer = world_.offers()[i];
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
    const bool scored = query_.sort == wire::SORT_RELEVANCE || query_.explain;
    std::string line = fmt::format(
        "{} of {} v{} order {} score {} level {} price {} of {} in {}..{} offers {} shops {} in {} stock {} "
        "explained {} {} flags {} own {} of {} {}",
        o.key().value(), o.group().value(), o.version(), order(best), scored ? score(best) : 0, levels_.at(o.group()),
        o.price, o.old_price, least, most, offers.size(), shops.size(), shop_name(o.shop), o.in_stock, impacts, masks,
        o.flags, o.own_price, o.own_old_price, o.currency);
    return {place(order(best), o.group(), o.key()), std::move(line)};
  }

  std::string facet(const NaiveFacet& facet) const {
    std::map<std::string, std::pair<uint64_t, std::set<DocKey>>> counts;
    std::optional<int64_t> least, most;
    for (size_t i = 0; i < world_.offers().size(); ++i) {
      const TestOffer& offer = world_.offers()[i];
      if (!matches(i) || !passes(offer, &facet)) continue;
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

  std::string variant(uint32_t set) const {
    size_t offers = 0;
    std::set<DocKey> models;
    for (size_t i = 0; i < world_.offers().size(); ++i) {
      bool all = has_phrases(i) && passes(world_.offers()[i], nullptr);
      for (size_t slot = 0; slot < slots_.size(); ++slot) {
        if ((set >> slot & 1U) != 0) all = all && has_slot(i, slots_[slot]);
      }
      if (!all) continue;
      ++offers;
      models.insert(world_.offers()[i].group());
    }
    return fmt::format("variant {} offers {} models", offers, models.size());
  }

  const World& world_;
  const Query& query_;
  std::vector<Query::Numbers> slots_;
  std::vector<std::string> terms_;
  std::vector<int64_t> weights_;      // of the terms
  std::map<DocKey, uint8_t> levels_;  // of the groups: the best of their offers
};

}  // namespace

Answer naive_answer(const World& world, const Query& query) {
  return Naive(world, query).answer();
}

}  // namespace souk::test
