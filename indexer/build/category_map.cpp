// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/category_map.h"

#include <algorithm>
#include <boost/json.hpp>
#include <limits>
#include <tuple>

#include "core/text/normalize.h"
#include "indexer/offers/identity.h"

namespace souk::build {
namespace {

constexpr size_t kMaxDepth = 64;  // of a generation's categories
constexpr size_t kExamples = 3;
constexpr size_t kMostListed = 10'000;
constexpr std::string_view kAny = "*";
constexpr size_t kNoRule = std::numeric_limits<size_t>::max();

config::CategoryPath folded(std::span<const std::string> path) {
  config::CategoryPath names;
  for (const std::string& name : path) names.push_back(text::fold(name));
  return names;
}

// Both folded.
bool fits(const config::CategoryPath& from, const config::CategoryPath& path) {
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] == kAny && i + 1 == from.size()) return true;
    if (i >= path.size() || (from[i] != kAny && from[i] != path[i])) return false;
  }
  return from.size() == path.size();
}

std::string joined(const config::CategoryPath& path) {
  std::string text;
  for (const std::string& name : path) text += (text.empty() ? "" : " > ") + name;
  return text;
}

}  // namespace

CategoryRules::CategoryRules(const config::CategoryTree& tree) : tree_(tree) {
  for (const config::CategoryPath& category : tree.categories) {
    for (size_t depth = 1; depth <= category.size(); ++depth) {
      const std::span path = std::span(category).first(depth);
      own_.try_emplace(offers::category_identity(path), path.begin(), path.end());
    }
  }
  for (size_t rule = 0; rule < tree.rules.size(); ++rule) {
    const auto& [shop, from, to] = tree.rules[rule];
    if (std::ranges::find(from, kAny) == from.end()) {
      exact_.try_emplace({shop, offers::category_identity(from)}, rule);
    } else {
      config::CategoryPath pattern = folded(from);
      std::string first = pattern.front();
      by_first_[{shop, std::move(first)}].push_back({rule, std::move(pattern)});
    }
  }
}

std::optional<config::CategoryPath> CategoryRules::target(std::string_view shop,
                                                          std::span<const std::string> path) const {
  const std::string identity = offers::category_identity(path);
  const config::CategoryPath names = folded(path);
  size_t best = kNoRule;
  for (const std::string& of : {std::string(shop), std::string()}) {
    const auto exact = exact_.find({of, identity});
    if (exact != exact_.end()) best = std::min(best, exact->second);
    for (const std::string& first : {names.front(), std::string(kAny)}) {
      const auto patterns = by_first_.find({of, first});
      if (patterns == by_first_.end()) continue;
      const auto fitting =
          std::ranges::find_if(patterns->second, [&](const Pattern& pattern) { return fits(pattern.from, names); });
      if (fitting != patterns->second.end()) best = std::min(best, fitting->rule);
    }
  }
  if (best != kNoRule) return tree_.rules[best].to;
  const auto own = own_.find(identity);
  return own == own_.end() ? std::nullopt : std::optional(own->second);
}

config::CategoryPath CategoryRules::below_other(std::span<const std::string> path) const {
  config::CategoryPath below = {tree_.other};
  const bool begins_there = text::fold(path.front()) == text::fold(tree_.other);
  const std::span rest = path.subspan(begins_there ? 1 : 0);
  below.insert(below.end(), rest.begin(), rest.begin() + static_cast<ptrdiff_t>(std::min(rest.size(), kMaxDepth - 1)));
  return below;
}

Result<CategoryMap> CategoryMap::make(offers::OfferStore& store, const config::Market& market) {
  CategoryMap map;
  if (market.category_tree) {
    map.has_tree_ = true;
    const Status done = map.map_used(store, *market.category_tree);
    if (!done) return std::unexpected(done.error());
    return map;
  }
  auto categories = store.categories();
  if (!categories) return std::unexpected(categories.error());
  map.categories_ = std::move(*categories);
  return map;
}

Result<std::map<CategoryMap::ShopCategory, CategoryMap::Used>> CategoryMap::used_categories(offers::OfferStore& store) {
  std::map<ShopCategory, Used> used;
  const Status read = store.scan([&](const offers::StoredOffer& stored) -> Status {
    if (!stored.category || stored.offer.category_path.empty()) return {};
    Used& category = used[{stored.shop, stored.category}];
    if (category.offers++ == 0) category.path = stored.offer.category_path;
    if (category.examples.size() < kExamples) category.examples.push_back(stored.offer.id);
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return used;
}

Status CategoryMap::map_used(offers::OfferStore& store, const config::CategoryTree& tree) {
  auto used = used_categories(store);
  if (!used) return std::unexpected(used.error());
  const auto shops = store.shops();
  if (!shops) return std::unexpected(shops.error());
  std::map<uint32_t, std::string> names;
  for (const offers::Shop& shop : *shops) names.emplace(shop.number, shop.name);

  const CategoryRules rules(tree);
  std::vector<config::CategoryPath> paths;  // of the market's tree, ancestors too
  std::map<std::string, size_t> places;     // of paths, by identity
  const auto place_of = [&](std::span<const std::string> path) {
    size_t place = 0;
    for (size_t depth = 1; depth <= path.size(); ++depth) {
      const std::span ancestor = path.first(depth);
      const auto [known, is_new] = places.try_emplace(offers::category_identity(ancestor), paths.size());
      if (is_new) paths.emplace_back(ancestor.begin(), ancestor.end());
      place = known->second;
    }
    return place;
  };
  for (const config::CategoryPath& path : tree.categories) place_of(path);
  for (auto& [of, category] : *used) {
    const std::string& shop = names[of.first];
    std::optional<config::CategoryPath> target = rules.target(shop, category.path);
    if (!target) {
      target = rules.below_other(category.path);
      unmapped_.push_back({category.path, shop, category.offers, std::move(category.examples)});
    }
    targets_.emplace(of, place_of(*target));
  }
  const auto keys = store.put_categories(paths);
  if (!keys) return std::unexpected(keys.error());
  for (size_t i = 0; i < paths.size(); ++i) categories_.push_back({(*keys)[i], std::move(paths[i])});
  std::ranges::sort(unmapped_, {}, [](const UnmappedCategory& category) {
    return std::tuple(std::numeric_limits<uint64_t>::max() - category.offers, category.shop, category.path);
  });
  return {};
}

void CategoryMap::apply(offers::StoredOffer& offer) const {
  const auto target = targets_.find({offer.shop, offer.category});
  if (target == targets_.end()) return;
  offer.category = categories_[target->second].key;
  offer.offer.category_path = categories_[target->second].path;
}

uint64_t CategoryMap::unmapped_offers() const {
  uint64_t offers = 0;
  for (const UnmappedCategory& category : unmapped_) offers += category.offers;
  return offers;
}

std::string to_json(const std::vector<UnmappedCategory>& unmapped) {
  boost::json::array list;
  uint64_t offers = 0;
  for (const UnmappedCategory& category : unmapped) {
    offers += category.offers;
    if (list.size() == kMostListed) continue;
    list.push_back({{"path", joined(category.path)},
                    {"shop", category.shop},
                    {"offers", category.offers},
                    {"examples", boost::json::array(category.examples.begin(), category.examples.end())}});
  }
  const boost::json::object report{{"categories", unmapped.size()}, {"offers", offers}, {"unmapped", std::move(list)}};
  return boost::json::serialize(report) + "\n";
}

}  // namespace souk::build
