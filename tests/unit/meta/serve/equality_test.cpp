// SPDX-License-Identifier: Apache-2.0
// The same query gives the same result from every node and over any number of shards.
#include <gtest/gtest.h>

#include <random>

#include "runtime/net/http.h"
#include "tests/unit/meta/serve/market.h"

namespace souk::meta_serve {
namespace {

namespace json = boost::json;

// Arguments that are sometimes there; a seed gives the same query again.
std::string random_query(uint32_t seed) {
  std::mt19937 random(seed);
  const auto chance = [&](uint32_t percent) { return random() % 100 < percent; };
  const auto one_of = [&](const std::vector<std::string>& values) {
    return net::percent_encode(values[random() % values.size()]);
  };
  std::string query;
  const auto add = [&](const std::string& name, const std::string& value) { query += "&" + name + "=" + value; };
  if (chance(60))
    add("text", one_of({"лампа", "чайник", "ноутбук sony", "серия 3", "кабель", "подарок", "белый", "ikea", "нет",
                        "\"чайник ёлка\"", "«серия 3» лампа", "но* серия", "се* 1", "кабель* \"серия 7\"", "по*"}));
  if (chance(25)) add("match", one_of({"any", "2", "all"}));
  if (chance(15)) add("vendor", one_of({"Sony", "ёлка", "ikea", "тд «свет»", "Никто"}));
  if (chance(15)) add("vendor", one_of({"Sony", "Ёлка"}));
  if (chance(15)) add("shop", one_of({"shop-1", "shop-2", "shop-3"}));
  if (chance(20)) add("category", one_of({"Дом", "Техника", "Дом > Свет", "Компьютеры", "Кухня"}));
  if (chance(20)) add("param." + net::percent_encode("Цвет"), one_of({"белый", "ЧЁРНЫЙ", "красный"}));
  if (chance(10)) add("price_from", std::to_string(1000 + random() % 500));
  if (chance(10)) add("price_to", std::to_string(1500 + random() % 500));
  if (chance(20)) add("in_stock", "1");
  if (chance(60)) add("sort", one_of({"relevance", "price", "price_desc", "discount", "newest"}));
  if (chance(50)) add("group", one_of({"model", "offer"}));
  if (chance(30)) add("page", std::to_string(1 + random() % 3));
  if (chance(40)) add("per_page", std::to_string(1 + random() % 12));
  if (chance(50)) add("facets", one_of({"vendor", "category", "shop", "price", "param.Цвет", "param.Вес"}));
  if (chance(30)) add("facets", "param." + net::percent_encode("Цвет"));
  return query;
}

// What does not depend on how the cluster is cut.
json::object result_of(const json::object& answer) {
  json::object result;
  for (const char* member : {"result_digest", "total", "items", "facets", "complete", "warnings", "query", "dropped"}) {
    result[member] = answer.at(member);
  }
  result["more"] = !answer.at("next_cursor").is_null();  // a cursor names its generation, which depends on the shards
  return result;
}

TEST(EqualityTest, EveryNodeAndEveryNumberOfShards) {
  world::World one({.shards = 1});
  world::World eight({.shards = 8});
  fill(one);
  fill(eight);
  size_t with_hits = 0;
  for (uint32_t seed = 1; seed <= 150; ++seed) {
    const std::string target = "/search?" + random_query(seed);
    const world::Answer whole = one.get(target);
    ASSERT_EQ(whole.status, 200) << target;
    const json::object expected = result_of(whole.body);
    with_hits += whole.body.at("items").as_array().empty() ? 0 : 1;
    for (const size_t node : {size_t{seed % 8}, size_t{(seed + 3) % 8}}) {
      const world::Answer answer = eight.get(target, node);
      ASSERT_EQ(answer.status, 200) << target;
      ASSERT_EQ(answer.body.at("coverage").at("answered"), json::value(8));
      ASSERT_EQ(json::serialize(result_of(answer.body)), json::serialize(expected)) << target << " from " << node;
    }
  }
  EXPECT_GT(with_hits, 75U) << "most queries must find something to compare";
  const world::Answer first = eight.get("/search?per_page=100");
  for (size_t node = 1; node < 8; ++node) {
    EXPECT_EQ(eight.get("/search?per_page=100", node).body.at("result_digest"), first.body.at("result_digest"));
  }
}

TEST(EqualityTest, TotalsThatNeedNotBeExactDoNotChangeTheHits) {
  world::World one({.shards = 1});
  world::World eight({.shards = 8});
  fill(one);
  fill(eight);
  for (const char* text : {"серия", "серия лампа", "\"серия 3\"", "се*"}) {
    const std::string target = "/search?per_page=2&match=any&text=" + net::percent_encode(text);
    const json::object exact = one.get(target + "&facets=").body;
    const json::object least = one.get(target + "&totals=at_least").body;
    const json::object eights = eight.get(target + "&totals=at_least").body;
    EXPECT_EQ(least.at("items"), exact.at("items")) << text;
    EXPECT_EQ(eights.at("items"), exact.at("items")) << text;
    EXPECT_EQ(eights.at("result_digest"), least.at("result_digest")) << text;
    EXPECT_EQ(one.get(target + "&totals=at_least").body.at("next_cursor"), exact.at("next_cursor")) << text;
    for (const char* count : {"models", "offers"}) {
      EXPECT_LE(eights.at("total").at(count).to_number<int>(), exact.at("total").at(count).to_number<int>());
    }
  }
}

TEST(EqualityTest, TheDigestTellsResultsApart) {
  world::World world;
  fill(world);
  const auto digest = [&](const char* target) {
    return std::string(world.get(target).body.at("result_digest").as_string());
  };
  EXPECT_EQ(digest("/search?vendor=Sony"), digest("/search?vendor=SONY"));
  EXPECT_NE(digest("/search?vendor=Sony"), digest("/search?vendor=IKEA"));
  EXPECT_NE(digest("/search?page=1"), digest("/search?page=2"));
  EXPECT_NE(digest("/search?sort=price"), digest("/search?sort=price_desc"));
  EXPECT_NE(digest("/search?facets=vendor"), digest("/search?facets="));
}

}  // namespace
}  // namespace souk::meta_serve
