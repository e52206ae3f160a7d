// SPDX-License-Identifier: Apache-2.0
// What market.toml says, end to end: currencies, regions and delivery, places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <set>

#include "runtime/net/http.h"
#include "tests/unit/meta/serve/market.h"

namespace souk::meta_serve {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

feed::Offer offer(const std::string& id, const std::string& vendor, int64_t price,
                  const std::string& currency = "RUB") {
  feed::Offer made = world::make_offer(id, "Лампа " + id, price);
  made.vendor = vendor;
  made.currency = currency;
  return made;
}

// Shop "here" delivers everywhere, "moscow" to Москва and has a pickup point there, "minsk" to Беларусь.
world::World& shops_by_region() {
  static world::World world({.shards = 3, .market = kRules});
  static const bool filled = [] {
    std::vector<feed::Offer> here = {offer("rub", "Sony", 100'000), offer("usd", "Sony", 999, "USD"),
                                     offer("byn", "IKEA", 5000, "BYN"), offer("shop", "IKEA", 300)};
    here[1].old_price = 1500;
    here[0].delivery.delivery_options = {{.cost = 30'000, .days_from = 1, .days_to = 3},
                                         {.cost = 0, .days_from = 5, .days_to = 7, .order_before = 13}};
    here[0].delivery.store = true;
    here[1].delivery.delivery_options = {{.cost = 500, .days_to = 2}};
    here[3].delivery.delivery = false;
    here[3].delivery.store = true;
    here[2].adult = true;
    here[2].available = false;
    world.put_offers("here", here);
    std::vector<feed::Offer> moscow = {offer("m1", "Sony", 50'000), offer("m2", "IKEA", 70'000)};
    moscow[0].delivery.delivery = false;
    moscow[0].delivery.pickup = true;
    moscow[0].delivery.pickup_options = {{.cost = 9900, .days_from = 0, .days_to = 1}};
    world.put_offers("moscow", moscow);
    set_regions(world, "moscow", {"Москва"});
    world.put_offers("minsk", {offer("b1", "IKEA", 20'000)});
    set_regions(world, "minsk", {"Беларусь"});
    world.activate();
    return true;
  }();
  EXPECT_TRUE(filled);
  return world;
}

std::string encoded(const std::string& query) {
  std::string out;
  for (const char c : query)
    out +=
        static_cast<unsigned char>(c) < 0x80 && c != ' ' ? std::string(1, c) : net::percent_encode(std::string(1, c));
  return out;
}

world::Answer ask(const std::string& query) {
  return shops_by_region().get(encoded("/search?group=offer&per_page=50&" + query));
}

// The last words of the titles: the offers' ids.
std::vector<std::string> ids(const world::Answer& answer) {
  EXPECT_EQ(answer.status, 200) << json::serialize(answer.body);
  std::vector<std::string> out;
  for (const std::string& title : texts(answer.body.at("items"), "title"))
    out.push_back(title.substr(title.rfind(' ') + 1));
  return out;
}
std::vector<std::string> found(const std::string& query) {
  return ids(ask(query));
}

const json::object& item(const world::Answer& answer, size_t i) {
  return answer.body.at("items").as_array().at(i).as_object();
}

TEST(Currencies, SortFilterAndFacetsAreInTheBaseOneAndTheOwnIsShown) {
  const world::Answer answer = ask("sort=price&facets=price");
  EXPECT_THAT(ids(answer), ElementsAre("shop", "b1", "m1", "m2", "usd", "rub", "byn"));
  EXPECT_EQ(item(answer, 4).at("price"), json::parse(R"({"min":924.08,"max":924.08,"currency":"RUB","old":1387.5})"));
  EXPECT_EQ(item(answer, 4).at("offer_price"), json::parse(R"({"value":9.99,"currency":"USD","old":15})"));
  EXPECT_EQ(item(answer, 5).at("offer_price"), json::parse(R"({"value":1000,"currency":"RUB"})"));
  EXPECT_EQ(item(answer, 6).at("offer_price"), json::parse(R"({"value":50,"currency":"BYN"})"));
  const json::value& facet = answer.body.at("facets").at(0);
  EXPECT_EQ(facet.at("max"), json::value(1400));
  EXPECT_EQ(facet.at("currency"), "RUB");
  EXPECT_THAT(found("price_from=924.08&price_to=924.08"), ElementsAre("usd"));
  const std::string key(item(answer, 4).at("offer_key").as_string());
  const world::Answer document = shops_by_region().get("/offer/" + key);
  ASSERT_EQ(document.status, 200);
  EXPECT_EQ(document.body.at("offer").at("price"), json::parse(R"({"value":924.08,"currency":"RUB","old":1387.5})"));
  EXPECT_EQ(document.body.at("offer").at("offer_price"), json::parse(R"({"value":9.99,"currency":"USD","old":15})"));
}

TEST(Regions, ABuyerGetsWhatIsDeliveredThereOrLiesThere) {
  EXPECT_THAT(found("region=Россия"), UnorderedElementsAre("rub", "usd", "byn"));
  EXPECT_THAT(found("region=Москва"), UnorderedElementsAre("rub", "usd", "byn", "m1", "m2"));
  EXPECT_THAT(found("region=химки"), UnorderedElementsAre("rub", "usd", "byn", "m1", "m2")) << "lies in Москва";
  EXPECT_THAT(found("region=Беларусь"), UnorderedElementsAre("rub", "usd", "byn", "b1"));
  EXPECT_THAT(found("region=Беларусь&region=Москва"), UnorderedElementsAre("rub", "usd", "byn", "m1", "m2", "b1"));
  const world::Answer unknown = ask("region=Нигде");
  EXPECT_THAT(ids(unknown), IsEmpty());
  EXPECT_EQ(unknown.body.at("warnings"), (json::array{"no such region: Нигде"}));
}

TEST(Regions, FacetsAreCountedUnderThem) {
  const world::Answer answer = ask("region=Беларусь&vendor=Sony&facets=vendor&facets=shop");
  EXPECT_EQ(answer.body.at("total").at("offers"), json::value(2));
  const json::array& vendors = answer.body.at("facets").at(0).at("values").as_array();
  ASSERT_EQ(vendors.size(), 2U);
  for (const json::value& vendor : vendors) EXPECT_EQ(vendor.at("offers"), json::value(2)) << "b1 and byn are by IKEA";
  EXPECT_THAT(texts(answer.body.at("facets").at(1).at("values"), "value"), ElementsAre("here"));
}

TEST(Delivery, TheWaysAreFilters) {
  EXPECT_THAT(found("delivery=pickup"), ElementsAre("m1"));
  EXPECT_THAT(found("delivery=store"), UnorderedElementsAre("shop", "rub"));
  EXPECT_THAT(found("delivery=free"), ElementsAre("rub"));
  EXPECT_THAT(found("delivery=store&delivery=pickup"), UnorderedElementsAre("shop", "rub", "m1"));
  EXPECT_THAT(found("delivery=courier"), UnorderedElementsAre("rub", "usd", "byn", "m2", "b1"));
  EXPECT_THAT(found("delivery=pickup&region=Москва"), ElementsAre("m1"));
  EXPECT_THAT(found("delivery=pickup&region=Беларусь"), IsEmpty());
  EXPECT_THAT(found("delivery=store&region=Россия"), IsEmpty()) << "nobody knows where the shop is";
  EXPECT_THAT(found("adult=0&vendor=IKEA"), UnorderedElementsAre("shop", "m2", "b1"));
  const world::Answer wrong = ask("delivery=post");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(error_argument(wrong), "delivery");
}

TEST(Delivery, IsShownWithTheCheapestOption) {
  const world::Answer answer = ask("sort=price");
  EXPECT_EQ(item(answer, 0).at("delivery"), json::parse(R"({"ways":["store"],"free":false})"));
  EXPECT_EQ(item(answer, 2).at("delivery"),
            json::parse(
                R"({"ways":["pickup"],"free":false,"pickup":{"cost":99,"currency":"RUB","days_from":0,"days_to":1}})"));
  EXPECT_EQ(item(answer, 4).at("delivery").at("courier"),
            json::parse(R"({"cost":5,"currency":"USD","days_from":0,"days_to":2})"));
  const json::object& free = item(answer, 5).at("delivery").as_object();
  EXPECT_EQ(free.at("free"), json::value(true));
  EXPECT_EQ(free.at("courier").at("cost"), json::value(0));
  EXPECT_EQ(free.at("courier").at("order_before"), json::value(13));
  const std::string key(item(answer, 5).at("offer_key").as_string());
  const world::Answer document = shops_by_region().get("/offer/" + key);
  EXPECT_EQ(document.body.at("offer").at("delivery").at("courier").as_array().size(), 2U);
}

TEST(Delivery, IsWhatTheBuyerInTheRegionHas) {
  const world::Answer anywhere = ask("vendor=Sony&sort=price_desc");
  const world::Answer there = ask("vendor=Sony&sort=price_desc&region=Беларусь");
  EXPECT_EQ(item(anywhere, 0).at("delivery").at("ways"), json::parse(R"(["courier","store"])"));
  EXPECT_EQ(item(there, 0).at("delivery").at("ways"), json::parse(R"(["courier"])"));
  EXPECT_EQ(item(there, 0).at("delivery").at("free"), json::value(true));
}

TEST(Places, WhatIsFixedHolds) {
  const world::Answer answer = ask("place=ikea");
  EXPECT_THAT(ids(answer), UnorderedElementsAre("shop", "m2"))
      << "in stock, by IKEA, to be had in Москва or shown anywhere";
  EXPECT_EQ(answer.body.at("query").at("place"), "ikea");
  EXPECT_THAT(found("place=ikea&vendor=Sony"), IsEmpty()) << "a request cannot widen it";
  EXPECT_THAT(found("place=ikea&in_stock=0&adult=1&price_to=1000000"), UnorderedElementsAre("shop", "m2"));
  EXPECT_THAT(found("place=ikea&price_from=100"), ElementsAre("m2"));
  const world::Answer facets = ask("place=ikea&facets=vendor&vendor=IKEA");
  EXPECT_THAT(texts(facets.body.at("facets").at(0).at("values"), "value"), ElementsAre("IKEA"))
      << "not what the place leaves out";
  EXPECT_THAT(found("place=moscow"), UnorderedElementsAre("rub", "usd", "byn", "m1", "m2"));
  EXPECT_THAT(found("place=moscow&region=Беларусь"), UnorderedElementsAre("rub", "usd", "byn"));
}

TEST(Places, DefaultsWhereTheRequestSaysNothing) {
  const world::Answer answer = shops_by_region().get("/search?place=cheap");
  EXPECT_THAT(ids(answer), ElementsAre("shop", "b1")) << "two a page, the cheapest first";
  EXPECT_EQ(answer.body.at("per_page"), json::value(2));
  EXPECT_THAT(texts(answer.body.at("facets"), "name"), ElementsAre("shop"));
  EXPECT_THAT(ids(shops_by_region().get("/search?place=cheap&sort=newest&per_page=5&group=model")).size(), 5U);
  EXPECT_EQ(item(answer, 0).at("type"), "offer");
  const std::string cursor(answer.body.at("next_cursor").as_string());
  EXPECT_THAT(ids(shops_by_region().get("/search?place=cheap&cursor=" + cursor)), ElementsAre("m1", "m2"));
  EXPECT_EQ(shops_by_region().get("/search?sort=price&group=offer&per_page=2&cursor=" + cursor).status, 400)
      << "of another place";
}

TEST(Places, WhatTheyDoNotHaveIsRefused) {
  const auto refused = [](const std::string& query) {
    const world::Answer answer = shops_by_region().get(query);
    EXPECT_EQ(answer.status, 400) << query;
    return answer.status == 400 ? error_argument(answer) : "";
  };
  EXPECT_EQ(refused("/search?place=nowhere"), "place");
  EXPECT_EQ(refused("/search?place="), "place");
  EXPECT_EQ(refused("/search?place=cheap&place=cheap"), "place");
  EXPECT_EQ(refused("/search?place=cheap&sort=discount"), "sort");
  EXPECT_EQ(refused("/search?place=many&page=200"), "page") << "100 a page there";
  EXPECT_EQ(shops_by_region().get("/search?page=200&per_page=50").status, 200);
  const world::Answer answer = ask("place=cheap&sort=discount");
  EXPECT_THAT(std::string(answer.body.at("error").at("message").as_string()), HasSubstr("price, newest"));
}

TEST(Places, HoldOnOffersToo) {
  const world::Answer all = ask("vendor=IKEA&sort=price&facets=");
  ASSERT_EQ(ids(all).at(1), "b1");
  const std::string key(item(all, 1).at("key").as_string());
  const auto offers = [&](const std::string& more) {
    return shops_by_region().get("/offers?model=" + key + more).body.at("total").at("offers").to_number<uint64_t>();
  };
  EXPECT_EQ(offers(""), 1U);
  EXPECT_EQ(offers("&place=ikea"), 0U);
  EXPECT_EQ(offers("&place=cheap"), 1U);
}

TEST(Equality, OneShardAndManyGiveTheSameUnderAllRules) {
  world::World one({.shards = 1, .market = kRules});
  world::World four({.shards = 4, .market = kRules});
  fill_with_rules(one);
  fill_with_rules(four);
  std::set<uint64_t> totals;
  for (const char* place : {"", "&place=ikea", "&place=moscow", "&place=cheap"}) {
    for (const char* region : {"", "&region=Москва", "&region=Беларусь", "&region=Нигде"}) {
      for (const char* rest : {"", "&delivery=free", "&delivery=pickup&adult=0", "&text=лампа&vendor=Sony",
                               "&facets=vendor&facets=price&vendor=IKEA"}) {
        const std::string query = encoded(std::string("/search?") + place + region + rest);
        const world::Answer a = one.get(query);
        const world::Answer b = four.get(query, 2);
        ASSERT_EQ(a.status, 200) << query;
        for (const char* member : {"result_digest", "total", "items", "facets", "warnings"})
          EXPECT_EQ(a.body.at(member), b.body.at(member)) << query << ' ' << member;
        totals.insert(a.body.at("total").at("offers").to_number<uint64_t>());
      }
    }
  }
  EXPECT_GT(totals.size(), 8U);
}

}  // namespace
}  // namespace souk::meta_serve
