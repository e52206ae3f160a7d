// SPDX-License-Identifier: Apache-2.0
#include "meta/understand/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/index/fields.h"
#include "core/query/search.h"
#include "runtime/config/market.h"

namespace souk::understand {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Parameters parse(const std::string& query) {
  auto parameters = parse_parameters(query);
  EXPECT_TRUE(parameters) << query << ": " << to_string(parameters.error());
  return parameters.value_or(Parameters{});
}

std::string repeated(const std::string& piece, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(ParametersTest, Defaults) {
  const Parameters parameters = parse("");
  EXPECT_EQ(parameters.text, "");
  EXPECT_THAT(parameters.categories, IsEmpty());
  EXPECT_FALSE(parameters.model || parameters.price_from || parameters.price_to || parameters.facets);
  EXPECT_FALSE(parameters.in_stock || parameters.debug);
  EXPECT_EQ(parameters.sort, wire::SORT_RELEVANCE);
  EXPECT_EQ(parameters.group, wire::GROUP_MODEL);
  EXPECT_EQ(parameters.min_match, 0U);
  EXPECT_EQ(parameters.totals, wire::TOTALS_EXACT);
  EXPECT_FALSE(parameters.cursor);
  EXPECT_EQ(parameters.page, 1U);
  EXPECT_EQ(parameters.per_page, 20U);
  EXPECT_THAT(parameters.warnings, IsEmpty());
}

TEST(ParametersTest, EverythingAtOnce) {
  const Parameters p = parse(
      "text=%D0%BB%D0%B0%D0%BC%D0%BF%D0%B0+led&category=A+%3E+B&category=C&vendor=A%2CB&vendor=C&shop=s&"
      "model=241294492511762325&price_from=0.5&price_to=1299.05&in_stock=1&param.%D0%A6%D0%B2%D0%B5%D1%82=x&"
      "param.Size=XL&param.%D0%A6%D0%92%D0%95%D0%A2=y&sort=price_desc&group=offer&facets=vendor&facets=price&"
      "facets=vendor&page=3&per_page=50&debug=true&match=2&totals=exact");
  EXPECT_EQ(p.text, "лампа led");
  EXPECT_THAT(p.categories, ElementsAre("A > B", "C"));
  EXPECT_THAT(p.vendors, ElementsAre("A,B", "C")) << "values repeat, a comma is a comma";
  EXPECT_THAT(p.shops, ElementsAre("s"));
  EXPECT_EQ(p.model, DocKey(241294492511762325));
  EXPECT_EQ(p.price_from, 50);
  EXPECT_EQ(p.price_to, 129905);
  EXPECT_TRUE(p.in_stock);
  EXPECT_THAT(p.params, ElementsAre(Pair("цвет", ElementsAre("x", "y")), Pair("size", ElementsAre("XL"))));
  EXPECT_EQ(p.sort, wire::SORT_PRICE_DESC);
  EXPECT_EQ(p.group, wire::GROUP_OFFER);
  EXPECT_THAT(*p.facets, ElementsAre("vendor", "price"));
  EXPECT_EQ(p.page, 3U);
  EXPECT_EQ(p.per_page, 50U);
  EXPECT_TRUE(p.debug);
  EXPECT_EQ(p.min_match, 2U);
  EXPECT_THAT(p.warnings, IsEmpty());
}

TEST(ParametersTest, GoodValues) {
  for (const auto& [text, minor] :
       std::vector<std::pair<std::string, int64_t>>{{"0", 0},
                                                    {"7", 700},
                                                    {"1299.5", 129950},
                                                    {"1299.50", 129950},
                                                    {"0.05", 5},
                                                    {"00012", 1200},
                                                    {"10000000000000", 1'000'000'000'000'000}}) {
    EXPECT_EQ(parse("price_from=" + text).price_from, minor) << text;
    EXPECT_EQ(parse("price_to=" + text).price_to, minor) << text;
  }
  EXPECT_EQ(parse("sort=relevance").sort, wire::SORT_RELEVANCE);
  EXPECT_EQ(parse("sort=price").sort, wire::SORT_PRICE);
  EXPECT_EQ(parse("sort=discount").sort, wire::SORT_DISCOUNT);
  EXPECT_EQ(parse("sort=newest").sort, wire::SORT_NEWEST);
  EXPECT_EQ(parse("group=model").group, wire::GROUP_MODEL);
  EXPECT_FALSE(parse("in_stock=0").in_stock);
  EXPECT_FALSE(parse("in_stock=false").in_stock);
  EXPECT_EQ(parse("page=100&per_page=100").page, 100U) << "just within the depth";
  EXPECT_EQ(parse("price_from=5&price_to=5").price_to, 500);
  EXPECT_THAT(*parse("facets=").facets, IsEmpty()) << "none, which is not the market's choice";
  EXPECT_EQ(parse("text=" + std::string(512, 'x')).text.size(), 512U);
  EXPECT_EQ(parse(repeated("vendor=x&", 256)).vendors.size(), 256U);
  EXPECT_EQ(parse("&&text=a&").text, "a");
}

TEST(ParametersTest, RegionsDeliveryAndPlaces) {
  const Parameters p = parse("region=A&region=B%2C+C&delivery=pickup&delivery=free&adult=0&place=gifts&sort=price");
  EXPECT_THAT(p.regions, ElementsAre("A", "B, C"));
  EXPECT_EQ(p.ways, index::kPickup | index::kFreeDelivery);
  EXPECT_FALSE(p.adult);
  EXPECT_EQ(p.place, "gifts");
  EXPECT_THAT(p.given, ElementsAre("adult", "place", "sort"));
  EXPECT_EQ(parse("delivery=courier&delivery=store").ways, index::kDelivered | index::kStore);
  const Parameters none = parse("");
  EXPECT_THAT(none.regions, IsEmpty());
  EXPECT_EQ(none.ways, 0U);
  EXPECT_TRUE(none.adult);
  EXPECT_FALSE(none.place);
  const auto refused = [](const std::string& query) { return parse_parameters(query).error().argument; };
  EXPECT_EQ(refused("delivery=post"), "delivery");
  EXPECT_EQ(refused("delivery="), "delivery");
  EXPECT_EQ(refused("delivery=free&delivery=free"), "delivery");
  EXPECT_EQ(refused("adult=yes"), "adult");
  EXPECT_EQ(refused("place=a&place=a"), "place");
  EXPECT_EQ(refused(repeated("region=a&", 257)), "region");
}

// What market.toml's words are is what arguments take.
TEST(ParametersTest, TheWordsOfMarketsAreKnown) {
  for (const std::string_view sort : config::kSorts) EXPECT_TRUE(sort_called(sort)) << sort;
  for (const std::string_view group : config::kGroups) EXPECT_TRUE(group_called(group)) << group;
  for (const std::string_view way : config::kDeliveryWays) EXPECT_TRUE(way_called(way)) << way;
}

TEST(ParametersTest, WordsPagesAndTotals) {
  EXPECT_EQ(parse("match=all").min_match, 0U);
  EXPECT_EQ(parse("match=any").min_match, 1U);
  EXPECT_EQ(parse("match=1").min_match, 1U);
  EXPECT_EQ(parse("match=32").min_match, 32U);
  EXPECT_EQ(parse("totals=at_least").totals, wire::TOTALS_AT_LEAST);
  EXPECT_THAT(*parse("totals=at_least").facets, IsEmpty()) << "not the market's choice either";
  EXPECT_THAT(*parse("facets=&totals=at_least").facets, IsEmpty());
  EXPECT_EQ(parse("cursor=x&per_page=7").cursor, "x");
  EXPECT_EQ(parse("cursor=x&per_page=7").page, 1U);
  EXPECT_EQ(parse("cursor=").cursor, "") << "to be refused, not overlooked";
  EXPECT_TRUE(parse("debug=1&page=10&per_page=100").debug);
}

TEST(ParametersTest, BadValuesAreRefusedByName) {
  struct Case {
    std::string query;
    std::string argument;
  };
  const Case cases[] = {
      {"text=" + std::string(513, 'x'), "text"},
      {"text=a&text=b", "text"},
      {"text=%ff", "text"},
      {"text=%00", "text"},
      {"text=%4", "text"},
      {"page=0", "page"},
      {"page=-1", "page"},
      {"page=1.5", "page"},
      {"page=+1", "page"},
      {"page=", "page"},
      {"page=10001", "page"},
      {"page=99999999999999999999", "page"},
      {"page=1&page=2", "page"},
      {"page=501", "page"},
      {"page=101&per_page=100", "page"},
      {"per_page=0", "per_page"},
      {"per_page=101", "per_page"},
      {"per_page=ten", "per_page"},
      {"price_from=-1", "price_from"},
      {"price_from=", "price_from"},
      {"price_from=1.", "price_from"},
      {"price_from=.5", "price_from"},
      {"price_from=1.234", "price_from"},
      {"price_from=1,5", "price_from"},
      {"price_from=1.-5", "price_from"},
      {"price_from=1e3", "price_from"},
      {"price_from=10000000000001", "price_from"},
      {"price_to=nan", "price_to"},
      {"price_from=2&price_to=1", "price_from"},
      {"in_stock=yes", "in_stock"},
      {"in_stock=", "in_stock"},
      {"debug=2", "debug"},
      {"sort=cheap", "sort"},
      {"sort=PRICE", "sort"},
      {"group=", "group"},
      {"match=", "match"},
      {"match=0", "match"},
      {"match=33", "match"},
      {"match=-1", "match"},
      {"match=All", "match"},
      {"match=1&match=1", "match"},
      {"totals=", "totals"},
      {"totals=none", "totals"},
      {"totals=at_least&facets=vendor", "totals"},
      {"facets=vendor&totals=at_least", "totals"},
      {"cursor=a&cursor=a", "cursor"},
      {"cursor=a&page=1", "page"},
      {"page=2&cursor=a", "page"},
      {"debug=1&page=11&per_page=100", "debug"},
      {"model=x", "model"},
      {"model=0", "model"},
      {"model=-1", "model"},
      {"model=18446744073709551615", "model"},
      {"param.=x", "param."},
      {"param.%20=x", "param. "},
      {repeated("vendor=x&", 257), "vendor"},
      {repeated("shop=x&", 257), "shop"},
      {repeated("category=x&", 257), "category"},
      {repeated("param.a=x&", 257), "param.a"},
      {repeated("a=1&", 513), "a"},
  };
  for (const Case& test : cases) {
    const auto parameters = parse_parameters(test.query);
    ASSERT_FALSE(parameters) << test.query.substr(0, 60);
    EXPECT_EQ(parameters.error().code, ErrorCode::kInvalidArgument) << test.query.substr(0, 60);
    EXPECT_EQ(parameters.error().argument, test.argument) << test.query.substr(0, 60);
    EXPECT_FALSE(parameters.error().message.empty());
  }
}

TEST(ParametersTest, TooManyParamsAndFacets) {
  std::string params;
  std::string facets;
  for (size_t i = 0; i < 33; ++i) {
    params += "param.p" + std::to_string(i) + "=x&";
    facets += "facets=param.p" + std::to_string(i) + "&";
  }
  const auto many_params = parse_parameters(params);
  ASSERT_FALSE(many_params);
  EXPECT_EQ(many_params.error().argument, "param.p32");
  const auto many_facets = parse_parameters(facets);
  ASSERT_FALSE(many_facets);
  EXPECT_EQ(many_facets.error().argument, "facets");
}

TEST(ParametersTest, UnknownArgumentsAreToldNeverIgnored) {
  EXPECT_THAT(parse("vender=x&text=a&Text=b").warnings,
              ElementsAre("unknown argument: vender", "unknown argument: Text"));
  EXPECT_THAT(parse("param=x&price=3").warnings, ElementsAre("unknown argument: param", "unknown argument: price"));
}

// Whatever comes, the outcome is a refusal with a name or parameters within all bounds.
void check_bounds(const std::string& query) {
  const auto parameters = parse_parameters(query);
  if (!parameters) {
    RC_ASSERT(parameters.error().code == ErrorCode::kInvalidArgument);
    RC_ASSERT(!parameters.error().message.empty());
    return;
  }
  RC_ASSERT(parameters->text.size() <= kMaxTextBytes);
  RC_ASSERT(parameters->page >= 1 && parameters->per_page >= 1 && parameters->per_page <= kMaxPerPage);
  RC_ASSERT(parameters->page * parameters->per_page <= kMaxDepth);
  RC_ASSERT(parameters->vendors.size() <= kMaxValues && parameters->params.size() <= query::kMaxParamFilters);
  RC_ASSERT(parameters->min_match <= query::kMaxSlots);
  RC_ASSERT(!parameters->cursor || parameters->page == 1U);
  RC_ASSERT(parameters->totals == wire::TOTALS_EXACT || parameters->facets->empty());
  if (parameters->price_from) RC_ASSERT(*parameters->price_from >= 0);
}

RC_GTEST_PROP(ParametersTest, AnyBytesAreSafe, (const std::string& bytes)) {
  check_bounds(bytes);
}

RC_GTEST_PROP(ParametersTest, PiecesOfQueriesAreSafe, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "text", "category", "vendor", "param.", "param.x", "price_from", "price_to", "page", "per_page", "facets", "sort",
      "model", "=", "&", "=", "&", "%", "%D0", "%D0%B0", "+", "1", "9999", "-1", ".", "0.5", "price", "\xff", "true",
      "match", "any", "totals", "at_least", "cursor", std::string(600, 'x')));
  std::string query;
  for (const std::string& piece : pieces) query += piece;
  check_bounds(query);
}

}  // namespace
}  // namespace souk::understand
