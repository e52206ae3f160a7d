// SPDX-License-Identifier: Apache-2.0
// What /search, /offers and /offer/KEY answer while everything works.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/base/ids.h"
#include "runtime/net/http.h"
#include "tests/unit/meta/serve/market.h"

namespace souk::meta_serve {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

world::World& lamps() {
  static world::World world({.shards = 3});
  static const bool filled = [] {
    std::vector<feed::Offer> offers;
    const auto add = [&](const char* id, const char* name, const char* vendor, int64_t price) -> feed::Offer& {
      offers.push_back(world::make_offer(id, name, price));
      offers.back().vendor = vendor;
      offers.back().vendor_code = std::string("code-") + vendor;
      return offers.back();
    };
    feed::Offer& lamp = add("1", "Лампа настольная «Ёжик»", "Sony", 129950);
    lamp.category_path = {"Дом", "Свет"};
    lamp.old_price = 150000;
    lamp.pictures = {"https://shop.example/1.jpg"};
    lamp.description = "Светит мягко, подарок ребёнку";
    lamp.params = {{"Цвет", "белый", ""}, {"Вес", "500", "г"}};
    lamp.barcodes = {"4006381333931"};
    add("2", "Чайник", "IKEA", 50000).available = false;
    add("3", "Кабель", "IKEA-cable", 1000);
    world.put_offers("north", offers);
    offers.resize(1);
    offers[0].name = "Лампа Ёжик, дешевле";
    offers[0].price = 99900;
    offers[0].old_price = 0;
    world.put_offers("south", offers);
    world.activate();
    return true;
  }();
  EXPECT_TRUE(filled);
  return world;
}

world::Answer get(std::string_view target, size_t node = 0) {
  return lamps().get(target, node);
}

world::Answer good(std::string_view target) {
  world::Answer answer = get(target);
  EXPECT_EQ(answer.status, 200) << target << ": " << json::serialize(answer.body);
  return answer;
}

TEST(AnswerTest, AModelWithOffersOfTwoShops) {
  const std::string text = net::percent_encode("лампы ежика");
  const world::Answer answer = good("/search?text=" + text);
  EXPECT_EQ(answer.body.at("total"), (json::object{{"models", 1}, {"offers", 2}, {"relation", "exact"}}));
  EXPECT_EQ(answer.body.at("complete"), json::value(true));
  EXPECT_EQ(answer.body.at("coverage"), (json::object{{"asked", 3}, {"answered", 3}, {"missing", json::array()}}));
  EXPECT_THAT(answer.body.at("warnings").as_array(), IsEmpty());
  EXPECT_EQ(answer.body.at("query").at("text").as_string(), "лампы ежика");
  EXPECT_EQ(answer.body.at("query").at("stages"), (json::array{"main"}));
  ASSERT_EQ(answer.body.at("items").as_array().size(), 1U);
  const json::object& item = answer.body.at("items").as_array()[0].as_object();
  EXPECT_EQ(item.at("type"), "model");
  EXPECT_EQ(parse_key(std::string_view(item.at("key").as_string()))->type(), KeyType::kModel);
  EXPECT_EQ(item.at("vendor"), "Sony");
  EXPECT_EQ(item.at("category"), json::value({"Дом", "Свет"}));
  EXPECT_EQ(item.at("price").at("min"), json::value(999));
  EXPECT_EQ(item.at("price").at("max"), json::value(1299.5));
  EXPECT_EQ(item.at("price").at("currency"), "RUB");
  EXPECT_EQ(item.at("offers"), json::value(2));
  EXPECT_EQ(item.at("shops"), json::value(2));
}

TEST(AnswerTest, HighlightsAreInTheTitlesUtf16Units) {
  const world::Answer answer = good("/search?group=offer&sort=price_desc&text=" + net::percent_encode("ежик лампа"));
  const json::object& item = answer.body.at("items").as_array()[0].as_object();
  EXPECT_EQ(item.at("title"), "Лампа настольная «Ёжик»");
  EXPECT_EQ(item.at("highlight"), (json::array{json::array{0, 5}, json::array{18, 4}}));
  EXPECT_EQ(item.at("type"), "offer");
  EXPECT_EQ(item.at("key"), item.at("offer_key"));
  EXPECT_EQ(item.at("price").at("old"), json::value(1500));
  EXPECT_EQ(item.at("picture"), "https://shop.example/1.jpg");
  EXPECT_EQ(item.at("shop"), "north");
  const json::object& cheaper = answer.body.at("items").as_array()[1].as_object();
  EXPECT_FALSE(cheaper.at("price").as_object().contains("old"));
}

TEST(AnswerTest, FacetsCountOffersAndModels) {
  const world::Answer answer = good("/search?facets=vendor&facets=price&facets=category&facets=shop&facets=param." +
                                    net::percent_encode("Цвет"));
  const json::array& facets = answer.body.at("facets").as_array();
  ASSERT_EQ(facets.size(), 5U);
  EXPECT_EQ(facets[0].at("name"), "vendor");
  EXPECT_EQ(facets[0].at("values").as_array()[0], (json::object{{"value", "IKEA"}, {"offers", 1}, {"models", 1}}));
  EXPECT_THAT(texts(facets[0].at("values"), "value"), ElementsAre("IKEA", "IKEA-cable", "Sony"));
  EXPECT_EQ(facets[0].at("values").as_array()[2].at("offers"), json::value(2));
  EXPECT_EQ(facets[1], (json::object{{"name", "price"}, {"min", 10}, {"max", 1299.5}, {"currency", "RUB"}}));
  EXPECT_THAT(texts(facets[2].at("values"), "value"), ElementsAre("Всё", "Дом", "Свет"));
  EXPECT_EQ(facets[2].at("values").as_array()[2].at("path"), json::value({"Дом", "Свет"}));
  EXPECT_THAT(texts(facets[3].at("values"), "value"), ElementsAre("north", "south"));
  EXPECT_THAT(texts(facets[4].at("values"), "value"), ElementsAre("белый"));
}

TEST(AnswerTest, AFacetIgnoresItsOwnFilter) {
  const world::Answer answer = good("/search?vendor=sony&facets=vendor&facets=shop");
  EXPECT_EQ(answer.body.at("total"), (json::object{{"models", 1}, {"offers", 2}, {"relation", "exact"}}));
  const json::array& facets = answer.body.at("facets").as_array();
  EXPECT_EQ(facets[0].at("total_values"), json::value(3));
  EXPECT_EQ(facets[1].at("total_values"), json::value(2));
}

TEST(AnswerTest, AMisspeltFilterShowsNothingAndSaysSo) {
  const world::Answer answer = good("/search?vendor=Sonny&vender=Sony");
  EXPECT_EQ(answer.body.at("total").at("offers"), json::value(0));
  EXPECT_THAT(answer.body.at("items").as_array(), IsEmpty());
  EXPECT_EQ(answer.body.at("warnings"), json::value({"unknown argument: vender", "no such vendor: Sonny"}));
}

TEST(AnswerTest, ATextWithoutWordsShowsEverythingAndSaysSo) {
  const world::Answer answer = good("/search?text=" + net::percent_encode("«?!»"));
  EXPECT_EQ(answer.body.at("total").at("offers"), json::value(4));
  EXPECT_EQ(answer.body.at("warnings"), (json::array{"the text has no words: everything is shown"}));
  EXPECT_THAT(good("/search?text=+").body.at("warnings").as_array(), IsEmpty());
}

TEST(AnswerTest, TheDescriptionCountsOnlyWhenNothingElseHasTheWords) {
  const json::value main_only(json::array{"main"});
  const json::value both({"main", "description"});
  const world::Answer found = good("/search?text=" + net::percent_encode("подарок ежик"));
  EXPECT_EQ(found.body.at("query").at("stages"), both);
  EXPECT_EQ(found.body.at("total"), (json::object{{"models", 1}, {"offers", 2}, {"relation", "exact"}}));
  EXPECT_EQ(good("/search?text=" + net::percent_encode("ежик")).body.at("query").at("stages"), main_only);
  EXPECT_EQ(good("/search?vendor=IKEA&text=" + net::percent_encode("ежик")).body.at("query").at("stages"), both)
      << "after the filters";
  const world::Answer none = good("/search?text=" + net::percent_encode("небывальщина"));
  EXPECT_EQ(none.body.at("query").at("stages"), both);
  EXPECT_EQ(none.body.at("total").at("offers"), json::value(0));
  EXPECT_EQ(good("/search?vendor=nobody").body.at("query").at("stages"), main_only) << "browsing has one stage";
}

// order = text + quality; text = the sum over the terms; a term's score = weight x impact.
void check_scores(const world::Answer& answer) {
  ASSERT_FALSE(answer.body.at("items").as_array().empty());
  int64_t before = INT64_MAX;
  for (const json::value& item : answer.body.at("items").as_array()) {
    const json::object& score = item.at("score").as_object();
    int64_t text = 0;
    for (const json::value& term : score.at("terms").as_array()) {
      const int64_t own = term.at("score").to_number<int64_t>();
      EXPECT_EQ(own, term.at("weight").to_number<int64_t>() * term.at("impact").to_number<int64_t>());
      EXPECT_GT(own, 0) << "every word counts in a hit";
      EXPECT_FALSE(term.at("fields").as_array().empty());
      text += own;
    }
    const int64_t order = score.at("order").to_number<int64_t>();
    EXPECT_EQ(score.at("text").to_number<int64_t>(), text);
    EXPECT_EQ(score.at("quality").to_number<int64_t>(), score.at("quality_level").to_number<int64_t>() * 2000);
    EXPECT_EQ(order, text + score.at("quality").to_number<int64_t>());
    EXPECT_LE(order, before) << "best first";
    before = order;
  }
}

TEST(AnswerTest, ScoresAddUpToTheOrder) {
  check_scores(good("/search?debug=1&group=offer&text=" + net::percent_encode("лампа ежик")));
  check_scores(good("/search?debug=1&group=offer&text=" + net::percent_encode("лампа подарок")));
  check_scores(good("/search?debug=1"));
  const world::Answer answer = good("/search?debug=1");
  ASSERT_EQ(answer.body.at("debug").at("shards").as_array().size(), 3U);
  EXPECT_FALSE(good("/search").body.contains("debug"));
}

TEST(AnswerTest, OffersOfOneModelAskItsShardAlone) {
  world::World& world = lamps();
  const world::Answer found = good("/search?vendor=Sony");
  const std::string key(found.body.at("items").as_array()[0].at("key").as_string());
  uint64_t before = 0;
  uint64_t after = 0;
  for (size_t i = 0; i < 3; ++i) before += world.transport().requests(world.peer(i));
  const world::Answer answer = good("/offers?sort=price&model=" + key);
  for (size_t i = 0; i < 3; ++i) after += world.transport().requests(world.peer(i));
  EXPECT_EQ(after - before, 1U);
  EXPECT_EQ(answer.body.at("coverage").at("asked"), json::value(1));
  EXPECT_THAT(texts(answer.body.at("items"), "shop"), ElementsAre("south", "north")) << "cheapest first";
  const world::Answer none = get("/offers");
  EXPECT_EQ(none.status, 400);
  EXPECT_EQ(error_argument(none), "model");
}

TEST(AnswerTest, OneOffer) {
  const world::Answer found = good("/search?group=offer&sort=price_desc");
  const std::string key(found.body.at("items").as_array()[0].at("offer_key").as_string());
  const world::Answer answer = good("/offer/" + key);
  const json::object& offer = answer.body.at("offer").as_object();
  EXPECT_EQ(offer.at("key"), json::value(key));
  EXPECT_EQ(offer.at("offer_id"), "1");
  EXPECT_EQ(offer.at("title"), "Лампа настольная «Ёжик»");
  EXPECT_EQ(offer.at("description"), "Светит мягко, подарок ребёнку");
  EXPECT_EQ(offer.at("price"), (json::object{{"value", 1299.5}, {"currency", "RUB"}, {"old", 1500}}));
  EXPECT_EQ(offer.at("barcodes"), (json::array{"4006381333931"}));
  EXPECT_EQ(offer.at("params").as_array()[1], (json::object{{"name", "Вес"}, {"value", "500"}, {"unit", "г"}}));
  EXPECT_EQ(offer.at("shop").at("name"), "north");

  const DocKey here = *parse_key(key);
  const auto other = [](DocKey other_key) { return get("/offer/" + to_string(other_key)); };
  const world::Answer gone = other(DocKey::make(here.slot(), KeyType::kOffer, here.local() + 1000));
  EXPECT_EQ(gone.status, 410);
  EXPECT_EQ(error_argument(gone), "key");
  EXPECT_EQ(other(DocKey::make(here.slot(), KeyType::kModel, 1)).status, 404) << "a model is not an offer";
  for (const char* bad : {"", "x", "-1", "0", "18446744073709551616", "1/2", "%31"}) {
    EXPECT_EQ(get("/offer/" + std::string(bad)).status, 400) << bad;
  }
}

TEST(AnswerTest, PagesShowEveryKeyOnce) {
  std::set<std::string> seen;
  for (int page = 1; page <= 5; ++page) {
    const world::Answer answer = good("/search?group=offer&sort=price&per_page=1&page=" + std::to_string(page));
    EXPECT_EQ(answer.body.at("items").as_array().size(), page <= 4 ? 1U : 0U);
    for (const std::string& key : texts(answer.body.at("items"), "key")) EXPECT_TRUE(seen.insert(key).second) << key;
  }
  EXPECT_EQ(seen.size(), 4U);
}

}  // namespace
}  // namespace souk::meta_serve
