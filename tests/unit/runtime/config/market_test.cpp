// SPDX-License-Identifier: Apache-2.0
#include "runtime/config/market.h"

#include <gtest/gtest.h>

namespace souk::config {
namespace {

TEST(Market, AnEmptyFileIsAllDefaults) {
  const Result<Market> market = parse_market("", "m.toml");
  ASSERT_TRUE(market) << to_string(market.error());
  EXPECT_EQ(market->name, "souk");
  EXPECT_EQ(market->base_currency, "RUB");
  EXPECT_EQ(market->k1, 1.2);
  EXPECT_EQ(market->quality_weight, 2000U);
  EXPECT_EQ(market->default_facets, (std::vector<std::string>{"category", "vendor", "price", "shop"}));
  EXPECT_TRUE(market->category_facets.empty());
  ASSERT_EQ(market->fields.size(), 7U);
  EXPECT_EQ(market->fields.at("title").weight, 5.0);
  EXPECT_EQ(market->fields.at("title").b, 0.6);
  EXPECT_EQ(market->fields.at("vendor").weight, 3.0);
  EXPECT_EQ(market->fields.at("model").weight, 4.0);
  EXPECT_EQ(market->fields.at("codes").b, 0.2);
  EXPECT_EQ(market->fields.at("category").weight, 2.0);
  EXPECT_EQ(market->fields.at("params").weight, 1.0);
  EXPECT_EQ(market->fields.at("description").weight, 0.5);
  EXPECT_EQ(market->fields.at("description").b, 0.75);
}

TEST(Market, TheShippedFileShowsTheDefaults) {
  const Result<Market> shipped = load_market(SOUK_SOURCE_DIR "/market.toml");
  ASSERT_TRUE(shipped) << to_string(shipped.error());
  const Market defaults = parse_market("", "m.toml").value();
  EXPECT_EQ(shipped->name, defaults.name);
  EXPECT_EQ(shipped->base_currency, defaults.base_currency);
  EXPECT_EQ(shipped->k1, defaults.k1);
  EXPECT_EQ(shipped->quality_weight, defaults.quality_weight);
  EXPECT_EQ(shipped->default_facets, defaults.default_facets);
  EXPECT_TRUE(shipped->category_facets.empty());
  for (const auto& [name, field] : defaults.fields) {
    EXPECT_EQ(shipped->fields.at(name).weight, field.weight) << name;
    EXPECT_EQ(shipped->fields.at(name).b, field.b) << name;
  }
}

TEST(Market, ReadsEverything) {
  constexpr std::string_view kText = R"(name = "Базар"
base_currency = "EUR"
default_facets = ["param.Цвет", "price"]
[ranking]
k1 = 2
quality_weight = 1000000
[fields.title]
weight = 7
[fields.params]
b = 0.1
[category_facets]
"Электроника > Мыши" = ["vendor", "param.DPI"]
Books = []
)";
  const Result<Market> market = parse_market(kText, "m.toml");
  ASSERT_TRUE(market) << to_string(market.error());
  EXPECT_EQ(market->name, "Базар");
  EXPECT_EQ(market->base_currency, "EUR");
  EXPECT_EQ(market->default_facets, (std::vector<std::string>{"param.Цвет", "price"}));
  EXPECT_EQ(market->k1, 2.0);
  EXPECT_EQ(market->quality_weight, 1'000'000U);
  EXPECT_EQ(market->fields.at("title").weight, 7.0);
  EXPECT_EQ(market->fields.at("title").b, 0.6);
  EXPECT_EQ(market->fields.at("params").b, 0.1);
  EXPECT_EQ(market->category_facets.at("Электроника > Мыши"), (std::vector<std::string>{"vendor", "param.DPI"}));
  EXPECT_TRUE(market->category_facets.at("Books").empty());
  EXPECT_EQ(market->canonical_text, kText);
}

TEST(Market, RefusesWithFileLineAndReason) {
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {"nmae = 'x'", "1: unknown key 'nmae' in the market"},
      {"name = ''", "1: 'name' must be 1 to 200 printable bytes"},
      {"name = \"a\\u0007\"", "1: 'name' must be 1 to 200 printable bytes"},
      {"\nbase_currency = 'rub'", "2: 'base_currency' must be three capital letters, such as RUB"},
      {"base_currency = 'RUBL'", "1: 'base_currency' must be three capital letters, such as RUB"},
      {"default_facets = ['colour']", "1: a facet is category, vendor, shop, price or param.NAME"},
      {"default_facets = ['param.']", "1: a facet is category, vendor, shop, price or param.NAME"},
      {"default_facets = ['shop',\n'shop']", "2: the facet 'shop' is named twice"},
      {"default_facets = 'shop'", "1: 'default_facets' must be a list, not a string"},
      {"ranking = 1", "1: 'ranking' must be a table, not a whole number"},
      {"[ranking]\nk1 = 10.5", "2: 'k1' must be from 0 to 10"},
      {"[ranking]\nk1 = nan", "2: 'k1' must be from 0 to 10"},
      {"[ranking]\nk1 = -0.5", "2: 'k1' must be from 0 to 10"},
      {"[ranking]\nk1 = '1'", "2: 'k1' must be a number, not a string"},
      {"[ranking]\nquality_weight = 1000001", "2: 'quality_weight' must be from 0 to 1000000"},
      {"[ranking]\nk2 = 1", "2: unknown key 'k2' in [ranking]"},
      {"[fields.titel]\nweight = 1", "1: unknown key 'titel' in [fields]"},
      {"[fields.title]\nweight = 101", "2: 'weight' must be from 0 to 100"},
      {"[fields.title]\nb = 1.1", "2: 'b' must be from 0 to 1"},
      {"[fields.title]\nc = 1", "2: unknown key 'c' in [fields.title]"},
      {"[category_facets]\n'A > ' = []", "2: a category must be a path of names, written \"A > B\""},
      {"[category_facets]\n'' = []", "2: a category must be a path of names, written \"A > B\""},
      {"[category_facets]\nA = ['x']", "2: a facet is category, vendor, shop, price or param.NAME"},
  };
  for (const auto& [text, message] : refusals) {
    const Result<Market> market = parse_market(text, "m.toml");
    ASSERT_FALSE(market) << text;
    EXPECT_EQ(market.error().message, "m.toml:" + message);
  }
}

}  // namespace
}  // namespace souk::config
