// SPDX-License-Identifier: Apache-2.0
#include "control/cli/search_view.h"

#include <gtest/gtest.h>

namespace souk::control {
namespace {

constexpr const char* kAnswer = R"({
  "request_id":"r","generation":"7-00000000000000aa","complete":true,
  "coverage":{"asked":8,"answered":8,"missing":[]},"took_ms":3,"result_digest":"d",
  "query":{"text":"злой кот","terms":["злой","кот"],"stages":["normalise","stem"]},
  "total":{"models":2,"offers":5},
  "items":[
    {"key":"1","type":"model","title":"Злой кот с пищалкой","url":"http://a/1","vendor":"Котофей","price":
      {"min":1299.5,"max":1299.5,"currency":"RUB"},"in_stock":true,"offers":4,"shops":3},
    {"key":"2","type":"offer","title":"Plain cat","url":"http://b/2","vendor":"","price":
      {"min":100,"max":250,"currency":"RUB"},"in_stock":true,"offers":1,"shops":1}],
  "facets":[],"flags":{},"warnings":["unknown argument: vendr"]})";

net::Response answer(std::string body, int status = 200) {
  net::Response response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

TEST(SearchViewTest, ShowsAReadableTable) {
  const auto text = search_text(answer(kAnswer));
  ASSERT_TRUE(text) << to_string(text.error());
  EXPECT_EQ(*text,
            "understood as: злой кот (normalise, stem)\n"
            "found: 2 models, 5 offers; generation 7-00000000000000aa\n"
            "\n"
            "title                vendor         price  offers  shops  url\n"
            "Злой кот с пищалкой  Котофей  1299.50 RUB       4      3  http://a/1\n"
            "Plain cat                     100–250 RUB       1      1  http://b/2\n"
            "\n"
            "warning: unknown argument: vendr\n");
}

TEST(SearchViewTest, SaysWhatIsMissing) {
  const auto text = search_text(answer(
      R"({"complete":false,"coverage":{"missing":[3,5]},"total":{"models":0,"offers":0},"items":[],"query":{"terms":[]}})"));
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("INCOMPLETE: these shards did not answer: 3, 5\n"), std::string::npos) << *text;
  EXPECT_NE(text->find("understood as: everything\n"), std::string::npos) << *text;
  EXPECT_EQ(text->find("title"), std::string::npos) << "no table without items";
}

TEST(SearchViewTest, SaysWhenTheTotalIsALowerBound) {
  const auto text = search_text(answer(
      R"({"complete":true,"total":{"models":10,"offers":12,"relation":"at_least"},"items":[],"query":{"terms":[]}})"));
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("found: at least 10 models, 12 offers;"), std::string::npos) << *text;
}

TEST(SearchViewTest, ErrorsAreTold) {
  const auto refused = search_text(
      answer(R"({"error":{"code":"invalid_argument","message":"must be a number","argument":"price_from"}})", 400));
  ASSERT_FALSE(refused);
  EXPECT_EQ(to_string(refused.error()), "answered 400 invalid_argument: must be a number (price_from)");
  EXPECT_EQ(to_string(search_text(answer("<html>\x1b", 502)).error()), "answered 502: <html>?");
  EXPECT_EQ(search_text(answer("nonsense")).error().code, ErrorCode::kCorruption);
  EXPECT_EQ(search_text(answer("{}")).error().code, ErrorCode::kCorruption);
}

TEST(SearchViewTest, SurvivesMembersOfTheWrongType) {
  const auto text = search_text(answer(
      R"({"complete":1,"items":[7,{"title":[],"price":{"min":"x","max":null},"offers":-1,"shops":{}}],"total":[],
          "query":{"terms":[1,{"a":2}],"stages":"x"},"warnings":[{"message":"m"},5],"coverage":[]})"));
  ASSERT_TRUE(text) << to_string(text.error());
  EXPECT_NE(text->find("warning: {\"message\":\"m\"}"), std::string::npos) << *text;
}

TEST(SearchViewTest, BuildsTheRequest) {
  const auto request = search_request("злой & кот", {"vendor=A&B", "param.Цвет=красный=алый"});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->path, "/search");
  const auto pairs = net::parse_query(request->query, 10);
  ASSERT_TRUE(pairs);
  ASSERT_EQ(pairs->size(), 3U);
  EXPECT_EQ((*pairs)[0].value, "злой & кот");
  EXPECT_EQ((*pairs)[1].name, "vendor");
  EXPECT_EQ((*pairs)[1].value, "A&B");
  EXPECT_EQ((*pairs)[2].name, "param.Цвет");
  EXPECT_EQ((*pairs)[2].value, "красный=алый");
}

TEST(SearchViewTest, AFilterNeedsANameAndAValue) {
  for (const char* filter : {"vendor", "=x", ""}) {
    const auto request = search_request("cat", {filter});
    ASSERT_FALSE(request) << filter;
    EXPECT_EQ(request.error().argument, filter);
  }
}

}  // namespace
}  // namespace souk::control
