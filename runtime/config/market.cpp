// SPDX-License-Identifier: Apache-2.0
#include "runtime/config/market.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "runtime/config/category_tree_reader.h"
#include "runtime/config/table_reader.h"
#include "runtime/config/toml_guard.h"

namespace souk::config {

namespace {

constexpr size_t kMaxFacets = 32;
constexpr size_t kMaxText = 200;   // bytes of a name
constexpr size_t kMaxPath = 2000;  // bytes of a category path
constexpr size_t kMaxCurrencies = 200;
constexpr size_t kMaxRegions = 10'000;
constexpr uint32_t kMaxRegionDepth = 32;
constexpr size_t kMaxPlaces = 1000;
constexpr size_t kMaxPlaceValues = 100;  // of one filter
constexpr uint64_t kMaxPrice = ExchangeRate::kMaxAmount;

const std::map<std::string, FieldWeight>& default_fields() {
  static const std::map<std::string, FieldWeight> fields = {
      {"title", {5.0, 0.6}},    {"vendor", {3.0, 0.3}}, {"model", {4.0, 0.5}},        {"codes", {4.0, 0.2}},
      {"category", {2.0, 0.5}}, {"params", {1.0, 0.6}}, {"description", {0.5, 0.75}},
  };
  return fields;
}

bool is_plain(std::string_view text, size_t max_bytes) {
  return !text.empty() && text.size() <= max_bytes &&
         std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

bool is_facet(std::string_view text) {
  if (text == "category" || text == "vendor" || text == "shop" || text == "price") return true;
  return text.starts_with("param.") && is_plain(text.substr(6), kMaxText);
}

// "A > B > C" with no empty name.
bool is_category_path(std::string_view path) {
  if (!is_plain(path, kMaxPath)) return false;
  while (true) {
    const size_t end = std::min(path.find('>'), path.size());
    if (path.substr(0, end).find_first_not_of(' ') == std::string_view::npos) return false;
    if (end == path.size()) return true;
    path.remove_prefix(end + 1);
  }
}

bool is_currency(std::string_view text) {
  return text.size() == 3 && std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool is_place_name(std::string_view text) {
  return !text.empty() && text.size() <= 40 &&
         std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

// The words that may stand there: "a, b or c".
std::string listed(std::span<const std::string_view> words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

class MarketReader {
 public:
  explicit MarketReader(const std::string& file_name) : errors_(file_name) {}

  Result<Market> read(const ConfigValue& root, std::string_view text) {
    TableReader top(root, "the market", errors_);
    market_.canonical_text = text;
    market_.name = top.text_or("name", market_.name);
    if (!is_plain(market_.name, kMaxText)) errors_.add(top.line_of("name"), "'name' must be 1 to 200 printable bytes");
    market_.base_currency = top.text_or("base_currency", market_.base_currency);
    if (!is_currency(market_.base_currency)) {
      errors_.add(top.line_of("base_currency"), "'base_currency' must be three capital letters, such as RUB");
    }
    market_.default_facets = top.has("default_facets")
                                 ? facets(top, "default_facets")
                                 : std::vector<std::string>{"category", "vendor", "price", "shop"};
    if (const ConfigValue* table = top.table("currencies")) read_currencies(*table);
    read_regions(top.tables("regions"));
    for (const ConfigValue* place : top.tables("places")) read_place(*place);
    if (market_.places.size() > kMaxPlaces) {
      errors_.add(top.line_of("places"), fmt::format("more than {} places", kMaxPlaces));
    }
    if (const ConfigValue* table = top.table("ranking")) read_ranking(*table);
    market_.fields = default_fields();
    if (const ConfigValue* table = top.table("fields")) read_fields(*table);
    if (const ConfigValue* table = top.table("category_facets")) read_category_facets(*table);
    market_.category_tree = read_category_tree(top.table("category_tree"), top.tables("category_rules"), errors_);
    top.refuse_unknown();
    if (errors_.any()) return std::unexpected(errors_.get());
    return std::move(market_);
  }

 private:
  std::vector<std::string> facets(TableReader& table, const std::string& key) {
    std::vector<std::string> names;
    for (const auto& [facet, line] : table.texts(key, false)) {
      if (!is_facet(facet)) errors_.add(line, "a facet is category, vendor, shop, price or param.NAME");
      if (std::ranges::find(names, facet) != names.end())
        errors_.add(line, fmt::format("the facet '{}' is named twice", facet));
      names.push_back(facet);
    }
    if (names.size() > kMaxFacets) errors_.add(table.line_of(key), fmt::format("more than {} facets", kMaxFacets));
    return names;
  }

  void read_ranking(const ConfigValue& value) {
    TableReader table(value, "[ranking]", errors_);
    market_.k1 = table.number_or("k1", 0, 10, market_.k1);
    market_.quality_weight = table.integer_or("quality_weight", 0, 1'000'000, market_.quality_weight);
    table.refuse_unknown();
  }

  void read_fields(const ConfigValue& value) {
    TableReader table(value, "[fields]", errors_);
    for (auto& [name, field] : market_.fields) {
      const ConfigValue* own = table.table(name);
      if (own == nullptr) continue;
      TableReader field_table(*own, fmt::format("[fields.{}]", name), errors_);
      field.weight = field_table.number_or("weight", 0, 100, field.weight);
      field.b = field_table.number_or("b", 0, 1, field.b);
      field_table.refuse_unknown();
    }
    table.refuse_unknown();
  }

  void read_category_facets(const ConfigValue& value) {
    TableReader table(value, "[category_facets]", errors_);
    if (value.members.size() > kMaxCategories) {
      errors_.add(value.line, fmt::format("more than {} categories", kMaxCategories));
      return;
    }
    for (const auto& [path, list] : value.members) {
      if (!is_category_path(path)) errors_.add(list.line, "a category must be a path of names, written \"A > B\"");
      market_.category_facets[path] = facets(table, path);
    }
  }

  void read_currencies(const ConfigValue& value) {
    TableReader table(value, "[currencies]", errors_);
    if (value.members.size() > kMaxCurrencies) {
      errors_.add(value.line, fmt::format("more than {} currencies", kMaxCurrencies));
      return;
    }
    for (const auto& [currency, rate] : value.members) read_rate(table, currency);
  }

  void read_rate(TableReader& table, const std::string& key) {
    const std::optional<uint64_t> billionths = table.decimal(key, 9, ExchangeRate::kMost);
    if (!is_currency(key)) {
      errors_.add(table.line_of(key), "a currency must be three capital letters, such as USD");
    } else if (key == market_.base_currency) {
      errors_.add(table.line_of(key), "the base currency has no rate: it is 1");
    } else if (billionths == uint64_t{0}) {
      errors_.add(table.line_of(key), fmt::format("'{}' must be more than 0", key));
    } else if (billionths) {
      market_.rates.emplace(key, ExchangeRate(*billionths));
    }
  }

  void read_regions(const std::vector<const ConfigValue*>& values) {
    if (values.size() > kMaxRegions) {
      errors_.add(values.front()->line, fmt::format("more than {} regions", kMaxRegions));
      return;
    }
    std::map<std::string, uint32_t> numbers;
    std::vector<uint32_t> depths;
    for (const ConfigValue* value : values) {
      TableReader table(*value, "[[regions]]", errors_);
      Region region{.name = table.text("name"), .parent = std::nullopt};
      if (!is_plain(region.name, kMaxText)) {
        errors_.add(table.line_of("name"), "a region's 'name' must be 1 to 200 printable bytes");
      }
      const std::string parent = table.text_or("parent", "");
      uint32_t depth = 1;
      if (table.has("parent")) {
        const auto known = numbers.find(parent);  // above: so there are no cycles
        if (known == numbers.end()) {
          errors_.add(table.line_of("parent"), "'parent' must be the name of a region that stands above");
        } else {
          region.parent = known->second;
          depth = depths[known->second] + 1;
        }
      }
      if (depth > kMaxRegionDepth) {
        errors_.add(table.line(), fmt::format("regions nest more than {} deep", kMaxRegionDepth));
      }
      if (!numbers.emplace(region.name, static_cast<uint32_t>(market_.regions.size())).second) {
        errors_.add(table.line_of("name"), "a region of this name stands above");
      }
      table.refuse_unknown();
      depths.push_back(depth);
      market_.regions.push_back(std::move(region));
    }
  }

  std::vector<std::string> values(TableReader& table, const std::string& key) {
    std::vector<std::string> names;
    for (const auto& [name, line] : table.texts(key, false)) {
      if (!is_plain(name, kMaxPath)) errors_.add(line, fmt::format("'{}' must be 1 to 2000 printable bytes", key));
      names.push_back(name);
    }
    if (names.size() > kMaxPlaceValues) {
      errors_.add(table.line_of(key), fmt::format("more than {} values", kMaxPlaceValues));
    }
    return names;
  }

  void check_word(std::string_view word, std::span<const std::string_view> words, std::string_view key, int line) {
    if (std::ranges::find(words, word) == words.end())
      errors_.add(line, fmt::format("'{}' must be {}", key, listed(words)));
  }

  std::vector<std::string> words(TableReader& table, const std::string& key, std::span<const std::string_view> known) {
    std::vector<std::string> chosen = values(table, key);
    for (const std::string& word : chosen) check_word(word, known, key, table.line_of(key));
    return chosen;
  }

  void read_place(const ConfigValue& value) {
    TableReader table(value, "[[places]]", errors_);
    Place place;
    place.name = table.text("name");
    if (!is_place_name(place.name)) {
      errors_.add(table.line_of("name"), "a place's 'name' must be 1 to 40 of a-z, 0-9 and -");
    }
    if (market_.find_place(place.name) != nullptr) {
      errors_.add(table.line_of("name"), "a place of this name stands above");
    }
    place.categories = values(table, "category");
    place.vendors = values(table, "vendor");
    place.shops = values(table, "shop");
    place.regions = values(table, "region");
    place.delivery = words(table, "delivery", kDeliveryWays);
    place.price_from = table.decimal("price_from", 2, kMaxPrice);
    place.price_to = table.decimal("price_to", 2, kMaxPrice);
    if (place.price_from && place.price_to && *place.price_from > *place.price_to) {
      errors_.add(table.line_of("price_from"), "'price_from' is above 'price_to'");
    }
    place.in_stock = table.flag_or("in_stock", place.in_stock);
    place.adult = table.flag_or("adult", place.adult);
    read_place_view(table, place);
    table.refuse_unknown();
    market_.places.push_back(std::move(place));
  }

  void read_place_view(TableReader& table, Place& place) {
    place.sorts = words(table, "sorts", kSorts);
    if (!place.sorts.empty()) place.sort = place.sorts.front();
    place.sort = table.text_or("sort", place.sort);
    check_word(place.sort, kSorts, "sort", table.line_of("sort"));
    if (!place.sorts.empty() && std::ranges::find(place.sorts, place.sort) == place.sorts.end()) {
      errors_.add(table.line_of("sort"), "'sort' must be one of 'sorts'");
    }
    place.group = table.text_or("group", place.group);
    check_word(place.group, kGroups, "group", table.line_of("group"));
    place.per_page = table.integer_or("per_page", 1, 100, place.per_page);
    if (table.has("facets")) place.facets = facets(table, "facets");
  }

  FirstError errors_;
  Market market_;
};

}  // namespace

std::optional<ExchangeRate> Market::rate_of(std::string_view currency) const {
  if (currency == base_currency) return ExchangeRate();
  const auto known = rates.find(currency);
  return known == rates.end() ? std::nullopt : std::optional(known->second);
}

const Place* Market::find_place(std::string_view place_name) const {
  const auto known = std::ranges::find(places, place_name, &Place::name);
  return known == places.end() ? nullptr : &*known;
}

Result<Market> parse_market(std::string_view text, const std::string& file_name) {
  const Result<ConfigValue> root = parse_config(text, file_name);
  if (!root) return std::unexpected(root.error());
  return MarketReader(file_name).read(*root, text);
}

Result<Market> load_market(const std::string& path) {
  const Result<std::string> text = read_config_file(path);
  if (!text) return std::unexpected(text.error());
  return parse_market(*text, path);
}

}  // namespace souk::config
