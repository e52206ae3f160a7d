// SPDX-License-Identifier: Apache-2.0
// Cases made after public bug reports of other search engines (the report is named at each), in souk's terms: repeated
// values of a param mean OR, and a facet ignores its own filter. Each on 1 shard and on 8.
#include <gtest/gtest.h>

#include <set>

#include "tests/unit/core/query/evaluators.h"

namespace souk::test {
namespace {

class SearchCase : public testing::TestWithParam<std::tuple<NamedEvaluator, uint32_t>> {
 protected:
  uint32_t shards() const { return std::get<1>(GetParam()); }
  Result<merge::Merged> ask(const World& world, const wire::ShardRequest& request) const {
    return world.ask(request, std::get<0>(GetParam()).evaluate);
  }
};
INSTANTIATE_TEST_SUITE_P(Evaluators, SearchCase,
                         testing::Combine(testing::ValuesIn(evaluators()), testing::Values(1U, 8U)),
                         [](const auto& info) {
                           return std::get<0>(info.param).name + "_on_" + std::to_string(std::get<1>(info.param));
                         });

TestOffer tagged(uint64_t id, const std::string& title, const std::vector<std::string>& tags) {
  TestOffer offer{.id = id, .title = title};
  for (const std::string& tag : tags) offer.params.emplace_back("tags", tag);
  return offer;
}

// typesense/typesense#456: counts of selected values exceed the number of hits.
TEST_P(SearchCase, FacetOfSeveralSelectedValues) {
  const World world({tagged(1, "x", {"a", "b"}), tagged(2, "x", {"a", "b", "c"}), tagged(3, "x", {"a"}),
                     tagged(4, "x", {"b"}), tagged(5, "x", {"c"})},
                    shards());
  wire::ShardRequest request = world.request();
  world.add_param_facet(request, "tags", world.add_param_filter(request, "tags", {"a", "b"}));
  const auto merged = ask(world, request).value();
  EXPECT_EQ(merged.total_offers, 4U);
  EXPECT_EQ(named(world.dictionary(), request.facets(0), merged.facets[0]),
            (NamedCounts{{"a", {3, 3}}, {"b", {3, 3}}, {"c", {2, 2}}}));
}

// meilisearch/meilisearch#4634: a filter makes a count grow. The tags are no words of the query: params are searched
// too.
TEST_P(SearchCase, AFilterNeverMakesACountGrow) {
  std::vector<TestOffer> offers;
  for (uint64_t n = 1; n <= 40; ++n) {
    const std::vector<std::string> tags =
        n % 2 == 0 ? std::vector<std::string>{"bag", "rucksack"} : std::vector<std::string>{"bag"};
    offers.push_back(tagged(n, "Сумка городская " + std::to_string(n), tags));
  }
  for (uint64_t n = 41; n <= 50; ++n) offers.push_back(tagged(n, "Сумочка " + std::to_string(n), {"bag"}));
  const World world(offers, shards());
  const NamedCounts expected{{"bag", {40, 40}}, {"rucksack", {20, 20}}};
  for (const uint32_t limit : {0U, 5U, 50U}) {
    wire::ShardRequest request = world.request();
    request.set_limit(limit);
    world.add_text(request, "сумка");
    world.add_param_facet(request, "tags");
    const auto all = ask(world, request).value();
    EXPECT_EQ(all.total_offers, 40U);
    EXPECT_EQ(named(world.dictionary(), request.facets(0), all.facets[0]), expected);

    request.mutable_facets(0)->set_own_filter(world.add_param_filter(request, "tags", {"rucksack"}));
    const auto filtered = ask(world, request).value();
    EXPECT_EQ(filtered.total_offers, 20U);
    EXPECT_EQ(named(world.dictionary(), request.facets(0), filtered.facets[0]), expected);
  }
}

// elastic/elasticsearch#1305: a value that is small on every shard and the largest in sum.
TEST_P(SearchCase, AFacetIsExactOverShards) {
  std::vector<TestOffer> offers;
  for (uint16_t s = 0; s < 8; ++s) {
    const auto add = [&](const std::string& vendor) {
      TestOffer offer{.id = offers.size() + 1, .vendor = vendor};
      offer.slot = s;
      offers.push_back(offer);
    };
    for (int i = 0; i < 3; ++i) add("A" + std::to_string(s));
    for (int i = 0; i < 2; ++i) add("B" + std::to_string(s));
    add("Zeta");
  }
  placement::SlotTable table(placement::kOpenSlots);
  for (size_t slot = 0; slot < table.size(); ++slot) table[slot] = static_cast<uint16_t>(slot % shards() + 1);
  const World world(offers, table);
  for (const index::ShardIndex& shard : world.shards()) EXPECT_EQ(shard.documents(), 48 / shards());
  wire::ShardRequest request = world.request();
  request.add_facets()->set_kind(wire::FACET_VENDOR);
  const auto merged = ask(world, request).value();
  const NamedCounts counts = named(world.dictionary(), request.facets(0), merged.facets[0]);
  EXPECT_EQ(counts.size(), 17U);
  EXPECT_EQ(counts.at("Zeta").first, 8U);
  for (int s = 0; s < 8; ++s) {
    EXPECT_EQ(counts.at("A" + std::to_string(s)).first, 3U);
    EXPECT_EQ(counts.at("B" + std::to_string(s)).first, 2U);
  }
}

std::vector<TestOffer> three_models() {
  std::vector<TestOffer> offers;
  const auto add = [&offers](uint64_t model, int64_t price, const char* colour) {
    offers.push_back({.id = offers.size() + 1,
                      .model = model,
                      .shop = static_cast<uint32_t>(offers.size() + 1),
                      .price = price,
                      .params = {{"colour", colour}}});
  };
  add(1, 100, "red");
  add(1, 200, "red");
  add(1, 300, "blue");
  add(1, 400, "green");
  add(1, 500, "green");
  add(2, 900, "red");
  add(2, 50, "blue");
  add(3, 300, "red");
  return offers;
}

// meilisearch/meilisearch#2152, typesense/typesense#2622, elastic/elasticsearch#24130: grouped totals, facets, prices.
TEST_P(SearchCase, GroupedTotalsFacetsAndPricesAgree) {
  const World world(three_models(), shards());
  wire::ShardRequest request = world.request();
  world.add_param_facet(request, "colour");
  request.add_facets()->set_kind(wire::FACET_PRICE);
  std::set<DocKey> seen;
  for (uint32_t page = 1; page <= 4; ++page) {  // one group a page
    request.set_limit(page);
    const auto merged = ask(world, request).value();
    EXPECT_EQ(merged.total_models, 3U);
    EXPECT_EQ(merged.total_offers, 8U);
    EXPECT_EQ(merged.hits.size(), std::min(page, 3U));
    EXPECT_EQ(seen.insert(merged.hits.back().group).second, page <= 3);
    const NamedCounts colours = named(world.dictionary(), request.facets(0), merged.facets[0]);
    EXPECT_EQ(colours, (NamedCounts{{"red", {4, 3}}, {"blue", {2, 2}}, {"green", {2, 1}}}));
    EXPECT_EQ(merged.facets[1].price_min, 50);
    EXPECT_EQ(merged.facets[1].price_max, 900);
    for (const merge::Hit& hit : merged.hits) {
      const bool first = hit.group == world.offers()[0].group();
      if (first)
        EXPECT_EQ(std::tuple(hit.price_min, hit.price_max, hit.offers, hit.shop_count), std::tuple(100, 500, 5U, 5U));
    }
  }
  world.add_param_filter(request, "colour", {"blue"});
  request.mutable_facets(0)->set_own_filter(0);
  const auto blue = ask(world, request).value();
  EXPECT_EQ(blue.total_models, 2U);
  EXPECT_EQ(blue.total_offers, 2U);
  EXPECT_EQ(blue.facets[1].price_min, 50);
  EXPECT_EQ(blue.facets[1].price_max, 300);
}

// opensearch-project/OpenSearch#17064, elastic/elasticsearch#18977: equal sort keys over pages.
TEST_P(SearchCase, PagesOfEqualPricesGiveEveryOfferOnce) {
  constexpr size_t kOffers = 3000;
  constexpr uint32_t kPerPage = 50;
  std::vector<TestOffer> offers;
  for (uint64_t id = 1; id <= kOffers; ++id) offers.push_back({.id = id, .price = 100});
  const World world(offers, shards());
  std::ranges::reverse(offers);
  const World replica(offers, shards());  // the same offers in another order
  wire::ShardRequest request = world.request();
  request.set_sort(wire::SORT_PRICE);
  request.set_limit(kOffers);
  const auto whole = ask(world, request).value();
  std::vector<DocKey> walked;
  for (uint32_t page = 1; page <= kOffers / kPerPage; ++page) {
    request.set_limit(page * kPerPage);
    const auto merged = (page % 2 == 0 ? world : replica).ask(request).value();
    ASSERT_EQ(merged.total_offers, kOffers);
    ASSERT_EQ(merged.hits.size(), page * kPerPage);
    for (size_t i = merged.hits.size() - kPerPage; i < merged.hits.size(); ++i) walked.push_back(merged.hits[i].key);
  }
  ASSERT_EQ(walked.size(), whole.hits.size());
  for (size_t i = 0; i < walked.size(); ++i) ASSERT_EQ(walked[i], whole.hits[i].key) << i;
  EXPECT_EQ(std::set<DocKey>(walked.begin(), walked.end()).size(), kOffers);
}

// typesense/typesense-instantsearch-adapter#186: 64-bit numbers in facet statistics.
TEST_P(SearchCase, LargeNumbersAreExact) {
  const World world({{.id = 1, .price = 1, .first_seen = 1'695'306'256'000},
                     {.id = 2, .price = 1'695'306'256'001},
                     {.id = 3, .price = 999'999'999'999'999}},
                    shards());
  wire::ShardRequest request = world.request();
  request.add_facets()->set_kind(wire::FACET_PRICE);
  request.set_sort(wire::SORT_PRICE_DESC);
  auto merged = ask(world, request).value();
  EXPECT_EQ(merged.facets[0].price_min, 1);
  EXPECT_EQ(merged.facets[0].price_max, 999'999'999'999'999);
  ASSERT_EQ(merged.hits.size(), 3U);
  EXPECT_EQ(merged.hits[0].price, 999'999'999'999'999);
  EXPECT_EQ(merged.hits[1].price, 1'695'306'256'001);
  request.set_sort(wire::SORT_NEWEST);
  merged = ask(world, request).value();
  EXPECT_EQ(merged.hits[0].order, 1'695'306'256'000);
  request.mutable_filters()->set_price_from(1'695'306'256'001);
  request.mutable_filters()->set_price_to(1'695'306'256'001);
  EXPECT_EQ(ask(world, request)->total_offers, 1U);
  request.mutable_filters()->set_price_from(1'695'306'256'002);
  EXPECT_EQ(ask(world, request)->total_offers, 0U);
}

}  // namespace
}  // namespace souk::test
