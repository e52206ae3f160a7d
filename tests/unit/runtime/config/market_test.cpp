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
  EXPECT_TRUE(market->rates.empty() && market->regions.empty() && market->places.empty());
  EXPECT_EQ(market->rate_of("RUB"), ExchangeRate());
  EXPECT_EQ(market->rate_of("USD"), std::nullopt);
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
  EXPECT_TRUE(shipped->regions.empty() && shipped->places.empty());
  EXPECT_EQ(shipped->rates.size(), 1U) << "but for the currency of a shop of the sample market";
  for (const auto& [name, field] : defaults.fields) {
    EXPECT_EQ(shipped->fields.at(name).weight, field.weight) << name;
    EXPECT_EQ(shipped->fields.at(name).b, field.b) << name;
  }
}

constexpr std::string_view kText = R"(name = "Базар"
base_currency = "EUR"
default_facets = ["param.Цвет", "price"]
[ranking]
k1 = 2
quality_weight = 1000000
[currencies]
USD = 0.9215
RUB = 0.01
KRW = 1
[fields.title]
weight = 7
[fields.params]
b = 0.1
[[regions]]
name = "Россия"
[[regions]]
name = "Москва"
parent = "Россия"
[[places]]
name = "cheap"
category = ["Зоо > Игрушки", "Дети"]
vendor = ["Lynx"]
shop = ["лавка"]
region = ["Москва"]
delivery = ["pickup", "free"]
price_from = 0.5
price_to = 1000
in_stock = true
adult = false
sorts = ["price", "newest"]
sort = "newest"
facets = ["shop"]
group = "offer"
per_page = 7
[[places]]
name = "all"
[category_facets]
"Электроника > Мыши" = ["vendor", "param.DPI"]
Books = []
)";

TEST(Market, ReadsEverything) {
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
  EXPECT_EQ(market->rate_of("USD"), ExchangeRate(921'500'000));
  EXPECT_EQ(market->rate_of("RUB"), ExchangeRate(10'000'000));
  EXPECT_EQ(market->rate_of("KRW"), ExchangeRate());
  EXPECT_EQ(market->rate_of("EUR"), ExchangeRate());
  EXPECT_EQ(market->rate_of("BYN"), std::nullopt);
  ASSERT_EQ(market->regions.size(), 2U);
  EXPECT_EQ(market->regions[1].name, "Москва");
  EXPECT_EQ(market->regions[0].parent, std::nullopt);
  EXPECT_EQ(market->regions[1].parent, 0U);
  EXPECT_EQ(market->canonical_text, kText);
}

TEST(Market, ReadsPlaces) {
  const Market market = parse_market(kText, "m.toml").value();
  ASSERT_EQ(market.places.size(), 2U);
  const Place& cheap = *market.find_place("cheap");
  EXPECT_EQ(cheap.categories, (std::vector<std::string>{"Зоо > Игрушки", "Дети"}));
  EXPECT_EQ(cheap.vendors, std::vector<std::string>{"Lynx"});
  EXPECT_EQ(cheap.shops, std::vector<std::string>{"лавка"});
  EXPECT_EQ(cheap.regions, std::vector<std::string>{"Москва"});
  EXPECT_EQ(cheap.delivery, (std::vector<std::string>{"pickup", "free"}));
  EXPECT_EQ(cheap.price_from, 50);
  EXPECT_EQ(cheap.price_to, 100'000);
  EXPECT_TRUE(cheap.in_stock);
  EXPECT_FALSE(cheap.adult);
  EXPECT_EQ(cheap.sorts, (std::vector<std::string>{"price", "newest"}));
  EXPECT_EQ(cheap.sort, "newest");
  EXPECT_EQ(cheap.facets, std::vector<std::string>{"shop"});
  EXPECT_EQ(cheap.group, "offer");
  EXPECT_EQ(cheap.per_page, 7U);
  const Place& all = *market.find_place("all");
  EXPECT_TRUE(all.categories.empty() && all.sorts.empty() && !all.facets && !all.price_to && all.adult);
  EXPECT_EQ(all.sort, "relevance");
  EXPECT_EQ(all.group, "model");
  EXPECT_EQ(all.per_page, 20U);
  EXPECT_EQ(market.find_place("none"), nullptr);
  EXPECT_EQ(parse_market("[[places]]\nname = 'a'\nsorts = ['price_desc']", "m.toml")->places[0].sort, "price_desc");
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
      {"[currencies]\nusd = 1", "2: a currency must be three capital letters, such as USD"},
      {"[currencies]\nRUB = 1", "2: the base currency has no rate: it is 1"},
      {"[currencies]\nUSD = 0", "2: 'USD' must be more than 0"},
      {"[currencies]\nUSD = 0.0", "2: 'USD' must be more than 0"},
      {"[currencies]\nUSD = -1", "2: 'USD' must be from 0 to 1000000000, with at most 9 digits behind the point"},
      {"[currencies]\nUSD = -0.5", "2: 'USD' must be from 0 to 1000000000, with at most 9 digits behind the point"},
      {"[currencies]\nUSD = nan", "2: 'USD' must be from 0 to 1000000000, with at most 9 digits behind the point"},
      {"[currencies]\nUSD = inf", "2: 'USD' must be from 0 to 1000000000, with at most 9 digits behind the point"},
      {"[currencies]\nUSD = 1e300", "2: 'USD' must be from 0 to 1000000000, with at most 9 digits behind the point"},
      {"[currencies]\nUSD = 1000000000.5",
       "2: 'USD' must be from 0 to 1000000000, with at most 9 digits behind the point"},
      {"[currencies]\nUSD = 0.0000000001",
       "2: 'USD' must be from 0 to 1000000000, with at most 9 digits behind the point"},
      {"[currencies]\nUSD = 1e-300", "2: 'USD' must be from 0 to 1000000000, with at most 9 digits behind the point"},
      {"[currencies]\nUSD = '92.5'", "2: 'USD' must be a number, not a string"},
      {"[[regions]]\nname = ''", "2: a region's 'name' must be 1 to 200 printable bytes"},
      {"[[regions]]\nparent = 'A'", "1: [[regions]] has no 'name'"},
      {"[[regions]]\nname = 'A'\nparent = 'A'", "3: 'parent' must be the name of a region that stands above"},
      {"[[regions]]\nname = 'A'\nparent = 'B'\n[[regions]]\nname = 'B'",
       "3: 'parent' must be the name of a region that stands above"},
      {"[[regions]]\nname = 'A'\n[[regions]]\nname = 'A'", "4: a region of this name stands above"},
      {"[[regions]]\nname = 'A'\ncode = 1", "3: unknown key 'code' in [[regions]]"},
      {"[[places]]\nname = 'A'", "2: a place's 'name' must be 1 to 40 of a-z, 0-9 and -"},
      {"[[places]]\nname = 'a'\n[[places]]\nname = 'a'", "4: a place of this name stands above"},
      {"[[places]]\nname = 'a'\nsort = 'best'", "3: 'sort' must be relevance, price, price_desc, discount or newest"},
      {"[[places]]\nname = 'a'\nsorts = ['best']",
       "3: 'sorts' must be relevance, price, price_desc, discount or newest"},
      {"[[places]]\nname = 'a'\nsorts = ['price']\nsort = 'newest'", "4: 'sort' must be one of 'sorts'"},
      {"[[places]]\nname = 'a'\ngroup = 'shop'", "3: 'group' must be model or offer"},
      {"[[places]]\nname = 'a'\ndelivery = ['post']", "3: 'delivery' must be courier, pickup, store or free"},
      {"[[places]]\nname = 'a'\nin_stock = 1", "3: 'in_stock' must be true or false, not a whole number"},
      {"[[places]]\nname = 'a'\nprice_to = 0.005",
       "3: 'price_to' must be from 0 to 10000000000000, with at most 2 digits behind the point"},
      {"[[places]]\nname = 'a'\nprice_to = 1\nprice_from = 1.01", "4: 'price_from' is above 'price_to'"},
      {"[[places]]\nname = 'a'\nper_page = 101", "3: 'per_page' must be from 1 to 100"},
      {"[[places]]\nname = 'a'\nfacets = ['x']", "3: a facet is category, vendor, shop, price or param.NAME"},
      {"[[places]]\nname = 'a'\nvendor = ['']", "3: 'vendor' must be 1 to 2000 printable bytes"},
      {"[[places]]\nname = 'a'\ncolour = 1", "3: unknown key 'colour' in [[places]]"},
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
