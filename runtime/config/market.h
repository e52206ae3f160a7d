// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "runtime/config/category_tree.h"
#include "runtime/config/exchange_rate.h"

namespace souk::config {

struct FieldWeight {
  double weight = 1.0;  // 0..100
  double b = 0.75;      // 0..1, length normalisation of the field
};

// Where buyers are. The regions are a forest.
struct Region {
  std::string name;
  std::optional<uint32_t> parent;  // its number in Market::regions, which is less than the region's own
};

// A site of the market with rules of its own. Names are not looked up here: a generation may have none of them.
struct Place {
  std::string name;
  // What holds for every request there, whatever it asks for; an empty list allows everything.
  std::vector<std::string> categories, vendors, shops, regions, delivery;
  std::optional<int64_t> price_from, price_to;  // hundredths of the base currency
  bool in_stock = false;
  bool adult = true;               // adult goods are shown
  std::vector<std::string> sorts;  // that a request may ask for; empty = any
  // Where a request says nothing.
  std::string sort = "relevance";
  std::string group = "model";
  uint32_t per_page = 20;                          // 1..100
  std::optional<std::vector<std::string>> facets;  // absent = as elsewhere in the market
};

// The shop window: what the whole market agrees on. One file, part of a generation's content hash.
struct Market {
  std::string name = "souk";
  std::string base_currency = "RUB";  // ISO 4217: of the prices that are compared, sorted and counted by
  std::map<std::string, ExchangeRate, std::less<>> rates;  // of other currencies
  double k1 = 1.2;                                         // BM25, 0..10
  uint32_t quality_weight = 2000;                          // score units per level of static quality, 0..1,000,000
  // BM25F weights: title, vendor, model, codes, category, params, description.
  std::map<std::string, FieldWeight> fields;
  // Facets a page asks for when it names none, in order: category, vendor, shop, price, param.NAME.
  std::vector<std::string> default_facets;
  // The same for a category (with its subtree), by path "A > B".
  std::map<std::string, std::vector<std::string>> category_facets;

  std::optional<CategoryTree> category_tree;  // absent: the union of the shops' trees

  std::vector<Region> regions;  // parents before their children
  std::vector<Place> places;

  std::string canonical_text;  // the file's bytes, for the content hash

  // 1 for the base currency; nothing when the market does not deal in the currency.
  std::optional<ExchangeRate> rate_of(std::string_view currency) const;
  const Place* find_place(std::string_view place_name) const;
};

// The words that places and requests choose from.
inline constexpr std::string_view kSorts[] = {"relevance", "price", "price_desc", "discount", "newest"};
inline constexpr std::string_view kGroups[] = {"model", "offer"};
inline constexpr std::string_view kDeliveryWays[] = {"courier", "pickup", "store", "free"};

// Every field has a default; an unknown key, a bad type or a value out of bounds is refused with file, line, reason.
Result<Market> load_market(const std::string& path);
Result<Market> parse_market(std::string_view text, const std::string& file_name);

}  // namespace souk::config
