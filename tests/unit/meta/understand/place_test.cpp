// SPDX-License-Identifier: Apache-2.0
#include "meta/understand/place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "meta/understand/plan.h"
#include "meta/understand/query_text.h"
#include "tests/unit/core/world.h"

namespace souk::understand {
namespace {

using ::testing::IsEmpty;

const config::Market& market() {
  static const config::Market market = config::parse_market(R"(
[[regions]]
name = "Россия"
[[places]]
name = "toys"
category = ["Зоо > Игрушки", "Нет такой"]
vendor = ["lynx"]
shop = ["Shop 2"]
region = ["химки"]
delivery = ["pickup", "free"]
price_from = 1.5
price_to = 1000
in_stock = true
adult = false
sorts = ["price", "newest"]
group = "offer"
per_page = 100
facets = ["vendor", "param.Никто"]
[[places]]
name = "open"
)",
                                                            "market.toml")
                                           .value();
  return market;
}

// One model in two shops, and another offer.
const test::World& world() {
  static const test::World world = [] {
    std::vector<test::TestOffer> offers(3);
    for (uint64_t i = 0; i < offers.size(); ++i) {
      offers[i] = {.id = i + 1,
                   .model = i < 2 ? 1U : 0U,
                   .title = "кот",
                   .category = {"Зоо", "Игрушки"},
                   .vendor = "Lynx",
                   .shop = static_cast<uint32_t>(i + 1)};
    }
    return test::World(offers, 2);
  }();
  return world;
}

Catalogue cat_catalogue() {
  static const placement::SlotTable slots = placement::even_slot_table(2);
  return {GenerationId{1, 1}, 2, &slots, &world().dictionary(), &market()};
}

Result<Plan> plan_of(const std::string& query) {
  auto parameters = parse_parameters(query);
  if (!parameters) return std::unexpected(parameters.error());
  if (Status done = apply_place(market(), *parameters); !done) return std::unexpected(done.error());
  text::Analyzer analyzer;
  return make_plan(*parameters, read_query_text(analyzer, parameters->text).value(), cat_catalogue());
}

TEST(Place, WhatItFixesIsBesideWhatIsAsked) {
  const Plan plan = plan_of("place=toys&vendor=lynx&price_from=5").value();
  EXPECT_TRUE(query::check_request(plan.request, world().dictionary()));
  const wire::Filters& fixed = plan.request.fixed();
  ASSERT_EQ(fixed.categories().ranges_size(), 1);
  EXPECT_EQ(world().dictionary().category_name(fixed.categories().ranges(0).begin()), "Игрушки");
  EXPECT_EQ(fixed.vendors().values_size(), 1);
  EXPECT_EQ(fixed.shops().values_size(), 1);
  ASSERT_EQ(fixed.regions().values_size(), 1);
  EXPECT_EQ(world().dictionary().region_name(fixed.regions().values(0)), "Химки");
  EXPECT_EQ(fixed.ways(), index::kPickup | index::kFreeDelivery);
  EXPECT_EQ(fixed.price_from(), 150);
  EXPECT_EQ(fixed.price_to(), 100'000);
  EXPECT_TRUE(fixed.in_stock() && fixed.no_adult());
  EXPECT_EQ(plan.request.filters().price_from(), 500);
  EXPECT_FALSE(plan.request.filters().has_categories() || plan.request.filters().in_stock());
  EXPECT_EQ(plan.warnings, std::vector<std::string>{"no such category: Нет такой"});
}

TEST(Place, SaysWhatTheRequestDoesNot) {
  const Plan plan = plan_of("place=toys").value();
  EXPECT_EQ(plan.request.sort(), wire::SORT_PRICE);
  EXPECT_EQ(plan.request.group(), wire::GROUP_OFFER);
  EXPECT_EQ(plan.request.limit(), 110U);
  ASSERT_EQ(plan.facets.size(), 1U) << "a param that nothing has is no facet";
  EXPECT_EQ(plan.facets[0].name, "vendor");
  const Plan other = plan_of("place=toys&sort=newest&group=model&per_page=3&facets=shop").value();
  EXPECT_EQ(other.request.sort(), wire::SORT_NEWEST);
  EXPECT_EQ(other.request.group(), wire::GROUP_MODEL);
  EXPECT_EQ(other.request.limit(), 13U);
  EXPECT_EQ(other.facets[0].name, "shop");
  EXPECT_THAT(plan_of("place=toys&totals=at_least").value().facets, IsEmpty());
  const Plan open = plan_of("place=open").value();
  EXPECT_EQ(open.request.fixed().ByteSizeLong(), 0U);
  EXPECT_EQ(open.request.limit(), 30U);
  EXPECT_EQ(open.facets.size(), 4U) << "the market's";
}

TEST(Place, RefusesWhatItDoesNotHave) {
  EXPECT_EQ(plan_of("place=toy").error().argument, "place");
  EXPECT_EQ(plan_of("place=").error().argument, "place");
  EXPECT_EQ(plan_of("place=toys&sort=relevance").error().argument, "sort");
  EXPECT_EQ(plan_of("place=toys&page=101").error().argument, "page");
  EXPECT_EQ(plan_of("place=toys&debug=1&page=11").error().argument, "debug");
  EXPECT_TRUE(plan_of("place=toys&page=100"));
  EXPECT_TRUE(plan_of("place=open&sort=discount"));
  Parameters parameters;
  parameters.place = "toy";
  EXPECT_EQ(make_plan(parameters, {}, cat_catalogue()).error().argument, "place") << "also when it was not applied";
}

}  // namespace
}  // namespace souk::understand
