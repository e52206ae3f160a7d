// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "indexer/offers/offer_store.h"
#include "runtime/config/market.h"

namespace souk::build {

// Where the categories of shops belong in the market's own tree.
class CategoryRules {
 public:
  explicit CategoryRules(const config::CategoryTree& tree);

  // Nothing when no rule fits and the tree has no such path.
  std::optional<config::CategoryPath> target(std::string_view shop, std::span<const std::string> path) const;
  // Where a path hangs that has no target: below "other", at most 64 names deep. A path that begins there stays.
  config::CategoryPath below_other(std::span<const std::string> path) const;

 private:
  struct Pattern {
    size_t rule;
    config::CategoryPath from;  // folded
  };
  using Key = std::pair<std::string, std::string>;  // shop, and the folded first name or the identity of a path

  const config::CategoryTree& tree_;
  std::map<Key, size_t> exact_;                      // the first rule with this very path
  std::map<Key, std::vector<Pattern>> by_first_;     // rules with a "*", by their first name
  std::map<std::string, config::CategoryPath> own_;  // by identity, with ancestors
};

// A category of a shop that nothing maps.
struct UnmappedCategory {
  config::CategoryPath path;
  std::string shop;  // registered name
  uint64_t offers = 0;
  std::vector<std::string> examples;  // ids of offers, at most 3
};

// The categories of a build. Without a tree in the market they are the store's.
class CategoryMap {
 public:
  // With a tree: reads the store once and takes the keys of the tree and of what hangs under "other" from it.
  static Result<CategoryMap> make(offers::OfferStore& store, const config::Market& market);

  bool changes() const { return has_tree_; }
  void apply(offers::StoredOffer& offer) const;
  const std::vector<offers::StoredCategory>& categories() const { return categories_; }
  // Those with the most offers first.
  const std::vector<UnmappedCategory>& unmapped() const { return unmapped_; }
  uint64_t unmapped_offers() const;

 private:
  using ShopCategory = std::pair<uint32_t, DocKey>;
  struct Used {
    config::CategoryPath path;
    uint64_t offers = 0;
    std::vector<std::string> examples;
  };

  static Result<std::map<ShopCategory, Used>> used_categories(offers::OfferStore& store);
  Status map_used(offers::OfferStore& store, const config::CategoryTree& tree);

  bool has_tree_ = false;
  std::vector<offers::StoredCategory> categories_;
  std::map<ShopCategory, size_t> targets_;  // in categories_
  std::vector<UnmappedCategory> unmapped_;
};

// The list for people, as JSON: totals, and the first 10,000.
std::string to_json(const std::vector<UnmappedCategory>& unmapped);

}  // namespace souk::build
