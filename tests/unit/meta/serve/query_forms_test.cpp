// SPDX-License-Identifier: Apache-2.0
// What the forms of a query find: phrases, prefixes, some of the words, totals that need not be exact.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/net/http.h"
#include "tests/unit/meta/serve/market.h"

namespace souk::meta_serve {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

world::World& cats() {
  static world::World world({.shards = 3});
  static const bool filled = [] {
    std::vector<feed::Offer> offers;
    const auto add = [&](const char* id, const char* name) -> feed::Offer& {
      return offers.emplace_back(world::make_offer(id, name));
    };
    add("1", "Злой кот");
    add("2", "Кот злой").description = "Очень злой кот с бантом";
    add("3", "Котик").params = {{"Характер", "злой кот", ""}, {"Цвет", "серый", ""}};
    add("4", "Злой").params = {{"Вид", "кот", ""}};
    add("5", "Пёс").description = "не злой кот";
    world.put_offers("shop", std::move(offers));
    world.activate();
    return true;
  }();
  EXPECT_TRUE(filled);
  return world;
}

world::Answer search(const std::string& text, const std::string& more = "") {
  world::Answer answer = cats().get("/search?text=" + net::percent_encode(text) + more);
  EXPECT_EQ(answer.status, 200) << text << ": " << json::serialize(answer.body);
  return answer;
}

std::vector<std::string> titles(const std::string& text, const std::string& more = "") {
  return texts(search(text, more).body.at("items"), "title");
}

TEST(QueryFormsTest, APhraseStandsInTheTitleOrOneParam) {
  EXPECT_THAT(titles("злой кот"), UnorderedElementsAre("Злой кот", "Кот злой", "Котик", "Злой"));
  EXPECT_THAT(titles("\"злой кот\""), UnorderedElementsAre("Злой кот", "Котик"));
  EXPECT_THAT(titles("«злые коты»"), UnorderedElementsAre("Злой кот", "Котик")) << "in any form of its words";
  EXPECT_THAT(titles("\"злой кот\" серый"), ElementsAre("Котик"));
  EXPECT_THAT(titles("\"кот серый\""), IsEmpty()) << "two params";
  const world::Answer answer = search("кот \"злой кот\" \"");
  EXPECT_EQ(answer.body.at("query").at("terms"), json::value({"кот", "зл"}));
  EXPECT_EQ(answer.body.at("query").at("phrases"), json::array({json::value({"зл", "кот"})}));
  EXPECT_EQ(answer.body.at("warnings").as_array().size(), 1U) << "the mark that stands alone";
}

TEST(QueryFormsTest, APhraseIsNeverLookedForInTheDescription) {
  const world::Answer answer = search("\"кот с бантом\"");
  EXPECT_EQ(answer.body.at("query").at("stages"), json::value({"main", "description"}));
  EXPECT_EQ(answer.body.at("total").at("offers"), json::value(0));
  EXPECT_THAT(titles("кот с бантом"), ElementsAre("Кот злой"));
  EXPECT_THAT(titles("\"кот злой\" бантом"), ElementsAre("Кот злой")) << "its other words are";
}

TEST(QueryFormsTest, APrefixFindsWhatBeginsSo) {
  EXPECT_THAT(titles("кот* серый"), ElementsAre("Котик"));
  EXPECT_THAT(titles("Ко*"), UnorderedElementsAre("Злой кот", "Кот злой", "Котик", "Злой"));
  const world::Answer answer = search("ко* зл*");
  EXPECT_EQ(answer.body.at("query").at("terms"), json::value({"ко*", "зл*"}));
  EXPECT_EQ(answer.body.at("query").at("stages"), (json::array{"main"}));
  const world::Answer none = search("яя*");
  EXPECT_EQ(none.body.at("total").at("offers"), json::value(0));
  EXPECT_THAT(none.body.at("warnings").as_array(), IsEmpty());
  EXPECT_EQ(search("к*").body.at("warnings").as_array().size(), 1U);
}

TEST(QueryFormsTest, APrefixMarksTheWordsItFinds) {
  const world::Answer answer = search("коти*");
  ASSERT_EQ(answer.body.at("items").as_array().size(), 1U);
  EXPECT_EQ(answer.body.at("items").at(0).at("highlight"), json::array({json::value({0, 5})}));
}

TEST(QueryFormsTest, SomeOfTheWordsMayDo) {
  EXPECT_THAT(titles("кот серый нет"), IsEmpty());
  EXPECT_THAT(titles("кот серый нет", "&match=2"), ElementsAre("Котик"));
  EXPECT_THAT(titles("пёс серый", "&match=any"), UnorderedElementsAre("Котик", "Пёс"));
  EXPECT_EQ(titles("кот серый", "&match=9"), titles("кот серый"));
  EXPECT_THAT(titles("\"злой кот\" пёс", "&match=any"), UnorderedElementsAre("Злой кот", "Котик"))
      << "a phrase must be there";
  EXPECT_EQ(search("кот серый нет", "&match=2").body.at("query").at("match"), json::value(2));
  EXPECT_EQ(search("кот серый", "&match=9").body.at("query").at("match"), json::value(2));
  EXPECT_EQ(search("").body.at("query").at("match"), json::value(0));
}

TEST(QueryFormsTest, ScoresAreByWord) {
  for (const char* more : {"&match=any&debug=1", "&match=any&debug=1&group=offer&sort=price"}) {
    const world::Answer answer = search("кот* серый нет", more);
    ASSERT_EQ(answer.body.at("items").as_array().size(), 4U);
    for (const json::value& item : answer.body.at("items").as_array()) {
      const json::array& words = item.at("score").at("terms").as_array();
      ASSERT_EQ(words.size(), 3U);
      int64_t sum = 0;
      for (const json::value& word : words) sum += word.at("score").to_number<int64_t>();
      EXPECT_EQ(sum, item.at("score").at("text").to_number<int64_t>());
      EXPECT_EQ(words[0].at("term"), item.at("title") == "Котик" ? words[0].at("term") : json::value("кот"));
      EXPECT_GT(words[0].at("score").to_number<int64_t>(), 0);
      EXPECT_EQ(words[2].at("score"), json::value(0)) << "nobody has it";
    }
  }
}

TEST(QueryFormsTest, TotalsSayWhatTheyAre) {
  const world::Answer exact = search("кот");
  EXPECT_EQ(exact.body.at("total").at("relation"), "exact");
  const world::Answer least = search("кот", "&totals=at_least");
  EXPECT_THAT(texts(least.body.at("items"), "title"), ::testing::ElementsAreArray(titles("кот")));
  EXPECT_THAT(least.body.at("facets").as_array(), IsEmpty());
  EXPECT_LE(least.body.at("total").at("offers").to_number<uint64_t>(),
            exact.body.at("total").at("offers").to_number<uint64_t>());
  EXPECT_EQ(error_argument(cats().get("/search?totals=at_least&facets=vendor")), "totals");
}

}  // namespace
}  // namespace souk::meta_serve
