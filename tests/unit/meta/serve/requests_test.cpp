// SPDX-License-Identifier: Apache-2.0
// The edges of the HTTP interface.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "tests/unit/meta/serve/market.h"

namespace souk::meta_serve {
namespace {

namespace json = boost::json;

world::World& filled_world() {
  static world::World world;
  static const bool filled = (fill(world), true);
  EXPECT_TRUE(filled);
  return world;
}

net::Response send(std::string method, std::string path, std::vector<net::Header> headers = {}) {
  net::Request request;
  request.method = std::move(method);
  request.path = std::move(path);
  request.headers = std::move(headers);
  return filled_world().request(std::move(request));
}

TEST(RequestsTest, OnlyGetAndHead) {
  for (const char* method : {"POST", "PUT", "DELETE", "get", ""}) {
    for (const char* path : {"/search", "/offers", "/offer/1"}) {
      const net::Response response = send(method, path);
      EXPECT_EQ(response.status, 405) << method << path;
      ASSERT_EQ(response.headers.size(), 1U);
      EXPECT_EQ(response.headers[0].name, "allow");
      EXPECT_EQ(response.headers[0].value, "GET, HEAD");
    }
  }
  EXPECT_EQ(send("HEAD", "/search").status, 200);
}

TEST(RequestsTest, PagesThatAreNotThere) {
  for (const char* path : {"/", "", "/Search", "/search/", "/offer", "/searchx"}) {
    const net::Response response = send("GET", path);
    EXPECT_EQ(response.status, 404) << path;
    EXPECT_EQ(json::parse(response.body).at("error").at("code"), "not_found");
  }
}

TEST(RequestsTest, BadArgumentsAreNamed) {
  for (const char* path : {"/search?page=0", "/offers?page=0&model=1"}) {
    const world::Answer answer = filled_world().get(path);
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(error_argument(answer), "page");
  }
  const world::Answer facet = filled_world().get("/search?facets=colour");
  EXPECT_EQ(facet.status, 400);
  EXPECT_EQ(error_argument(facet), "facets");
  std::string words = "/search?text=";
  for (int i = 0; i < 33; ++i) words += "w" + std::to_string(i) + "+";
  EXPECT_EQ(error_argument(filled_world().get(words)), "text");
}

std::string id_for(const std::string& header) {
  const net::Response response = send("GET", "/search", {{"x-request-id", header}});
  EXPECT_EQ(response.status, 200);
  return std::string(json::parse(response.body).at("request_id").as_string());
}

TEST(RequestsTest, TheBalancersRequestIdIsTakenWhenItIsHarmless) {
  const std::string longest(64, 'a');
  for (const std::string& good : {std::string("a"), std::string("7F000001-1F90_ab"), longest})
    EXPECT_EQ(id_for(good), good);
  for (const std::string& bad : {std::string(), longest + "a", std::string("a b"), std::string("a\nb"),
                                 std::string("<script>"), std::string("\xd0\xb0"), std::string("a\"b")}) {
    const std::string own = id_for(bad);
    EXPECT_NE(own, bad);
    EXPECT_EQ(own.size(), 16U);
    EXPECT_NE(id_for(bad), own) << "each has its own";
  }
}

TEST(RequestsTest, NoGenerationIsActiveYet) {
  world::World empty;
  for (const char* target : {"/search", "/offers?model=1", "/offer/1", "/ping"}) {
    const world::Answer answer = empty.get(target);
    EXPECT_EQ(answer.status, 503) << target;
    EXPECT_EQ(answer.body.at("error").at("code"), "unavailable");
  }
  empty.put_offers("shop", {world::make_offer("1", "Лампа")});
  const GenerationId id = empty.publish();
  EXPECT_EQ(empty.get("/search").status, 503) << "published is not active";
  EXPECT_EQ(empty.activate(), id);
  EXPECT_EQ(empty.get("/search").status, 200);
  EXPECT_EQ(empty.get("/ping").status, 200);
}

TEST(RequestsTest, AFeedsWayFromYmlToTheAnswer) {
  world::World world;
  const feed::Report report = world.put_feed("лавка", R"(<?xml version="1.0" encoding="UTF-8"?>
<yml_catalog date="2026-01-10T12:00"><shop><name>Лавка</name><company>Лавка</company><url>https://l.example/</url>
<currencies><currency id="RUB" rate="1"/></currencies>
<categories><category id="1">Дом</category></categories>
<offers><offer id="a"><name>Лампа</name><url>https://l.example/a</url><price>10.50</price>
<currencyId>RUB</currencyId><categoryId>1</categoryId></offer></offers></shop></yml_catalog>)");
  ASSERT_TRUE(report.ok()) << report.feed_error.message;
  ASSERT_EQ(report.accepted, 1U);
  world.activate();
  const world::Answer answer = world.get("/search?text=" + net::percent_encode("ЛАМПЫ"), 1);
  ASSERT_EQ(answer.body.at("items").as_array().size(), 1U);
  const json::value& item = answer.body.at("items").as_array()[0];
  EXPECT_EQ(item.at("url"), "https://l.example/a");
  EXPECT_EQ(item.at("price").at("min"), json::value(10.5));
  EXPECT_EQ(item.at("shop"), "Лавка") << "as the feed names it";
  EXPECT_EQ(world.get("/search?shop=" + net::percent_encode("лавка")).body.at("total").at("offers"), json::value(1));
}

TEST(RequestsTest, AChangedPriceIsServedAfterTheNextActivation) {
  world::World world;
  std::vector<feed::Offer> offers = {world::make_offer("1", "Лампа", 10000)};
  world.put_offers("shop", offers);
  const GenerationId first = world.activate();
  offers[0].price = 20000;
  world.put_offers("shop", offers);
  const GenerationId second = world.publish();
  EXPECT_NE(second, first);
  EXPECT_EQ(world.get("/search").body.at("generation"), json::value(to_string(first)));
  world.activate();
  const world::Answer answer = world.get("/search");
  EXPECT_EQ(answer.body.at("generation"), json::value(to_string(second)));
  EXPECT_EQ(answer.body.at("items").as_array()[0].at("price").at("min"), json::value(200));
}

}  // namespace
}  // namespace souk::meta_serve
