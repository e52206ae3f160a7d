// SPDX-License-Identifier: Apache-2.0
#include "runtime/config/market.h"

#include <fmt/core.h>

#include <algorithm>

#include "runtime/config/table_reader.h"
#include "runtime/config/toml_guard.h"

namespace souk::config {

namespace {

constexpr size_t kMaxFacets = 32;
constexpr size_t kMaxText = 200;   // bytes of a name
constexpr size_t kMaxPath = 2000;  // bytes of a category path
constexpr size_t kMaxCategories = 10'000;

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
    if (const ConfigValue* table = top.table("ranking")) read_ranking(*table);
    market_.fields = default_fields();
    if (const ConfigValue* table = top.table("fields")) read_fields(*table);
    if (const ConfigValue* table = top.table("category_facets")) read_category_facets(*table);
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

  FirstError errors_;
  Market market_;
};

}  // namespace

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
