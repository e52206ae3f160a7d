// SPDX-License-Identifier: Apache-2.0
#include "meta/understand/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "core/query/search.h"
#include "core/rank/bm25f.h"
#include "searcher/generation/generation.h"
#include "tests/world/world.h"

namespace souk::understand {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kMarket = R"(
default_facets = ["category", "price", "param.Цвет", "param.Никто"]
[category_facets]
"Дом" = ["shop"]
"Дом > Свет" = ["vendor", "param.Цоколь"]
)";

// Six offers; "Свет" is below "Дом" and below "Авто".
struct Built {
  Built() : world({.shards = 4, .market = kMarket}) {
    add("1", {"Дом", "Свет", "Лампы"}, "IKEA", {{"Цвет", "Белый", ""}, {"Цоколь", "E27", ""}});
    add("2", {"Дом", "Свет", "Лампы"}, "Ёлка", {{"Цвет", "Чёрный", ""}});
    add("3", {"Авто", "Свет"}, "Hella", {{"Цвет", "Белый", ""}, {"Вес", "500", "г"}});
    add("4", {"Авто", "Масла"}, "Shell", {});
    add("5", {"Дом"}, "2024", {});
    for (int i = 0; i < 300; ++i) add("many-" + std::to_string(i), {"Отдел " + std::to_string(i), "Прочее"}, "", {});
    world.put_offers("Лавка", std::move(offers));
    const GenerationId id = world.publish();
    generation = std::move(*generation::load_generation(world.folder() + "/generations", id, 0));
    catalogue = {id, generation->manifest.shards, &generation->manifest.slots, &generation->dictionary,
                 &generation->market};
  }
  void add(const std::string& id, std::vector<std::string> path, std::string vendor, std::vector<feed::Param> params) {
    feed::Offer offer = world::make_offer(id, "Лампа " + id);
    offer.category_path = std::move(path);
    offer.vendor = std::move(vendor);
    offer.params = std::move(params);
    offers.push_back(std::move(offer));
  }
  world::World world;
  std::vector<feed::Offer> offers;
  std::shared_ptr<const generation::Generation> generation;
  Catalogue catalogue;
};

const Built& built() {
  static const Built built;
  return built;
}
const Catalogue& catalogue() {
  return built().catalogue;
}
const index::Dictionary& dictionary() {
  return *built().catalogue.dictionary;
}

Result<Plan> try_plan(const Parameters& parameters) {
  text::Analyzer analyzer;
  return make_plan(parameters, read_query_text(analyzer, parameters.text).value(), catalogue());
}

Plan plan(const Parameters& parameters) {
  auto plan = try_plan(parameters);
  EXPECT_TRUE(plan) << to_string(plan.error());
  if (!plan) return {};
  EXPECT_TRUE(query::check_request(plan->request, dictionary())) << "a plan is within a shard's bounds";
  return std::move(*plan);
}

uint32_t category(const std::vector<std::string>& folded_path) {
  const auto found = dictionary().find_categories(folded_path);
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? 0 : found[0];
}

// Categories that pass the filter, by name.
std::vector<std::string> passing(const Plan& plan) {
  std::vector<std::string> names;
  EXPECT_TRUE(plan.request.filters().has_categories());
  for (const wire::OrdinalRange& range : plan.request.filters().categories().ranges()) {
    for (uint32_t c = range.begin(); c < range.end(); ++c) names.emplace_back(dictionary().category_name(c));
  }
  return names;
}

std::vector<std::string> facet_names(const Plan& plan) {
  EXPECT_EQ(plan.facets.size(), static_cast<size_t>(plan.request.facets_size()));
  std::vector<std::string> names;
  for (size_t i = 0; i < plan.facets.size(); ++i) {
    names.push_back(plan.facets[i].name);
    EXPECT_EQ(plan.facets[i].kind, plan.request.facets(static_cast<int>(i)).kind());
  }
  return names;
}

Parameters with_categories(std::vector<std::string> categories) {
  Parameters parameters;
  parameters.categories = std::move(categories);
  return parameters;
}

TEST(PlanTest, PlainQuery) {
  Parameters parameters;
  parameters.page = 3;
  parameters.per_page = 50;
  parameters.sort = wire::SORT_NEWEST;
  parameters.group = wire::GROUP_OFFER;
  parameters.debug = true;
  parameters.price_from = 100;
  parameters.in_stock = true;
  parameters.warnings = {"unknown argument: x"};
  const Plan plan = understand::plan(parameters);
  const wire::ShardRequest& request = plan.request;
  EXPECT_EQ(request.generation_number(), catalogue().generation.number);
  EXPECT_EQ(request.generation_hash(), catalogue().generation.content_hash);
  EXPECT_EQ(request.limit(), 150 + kSpareHits);
  EXPECT_EQ(request.sort(), wire::SORT_NEWEST);
  EXPECT_EQ(request.group(), wire::GROUP_OFFER);
  EXPECT_TRUE(request.explain());
  EXPECT_EQ(request.quality_weight(), 2000U);
  EXPECT_TRUE(request.filters().has_price_from());
  EXPECT_FALSE(request.filters().has_price_to());
  EXPECT_TRUE(request.filters().in_stock());
  EXPECT_FALSE(request.filters().has_categories() || request.filters().has_vendors() || request.filters().has_shops());
  EXPECT_THAT(plan.shards, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(plan.warnings, ElementsAre("unknown argument: x"));
}

TEST(PlanTest, TermsAreWeighedByTheWholeGeneration) {
  Parameters parameters;
  parameters.text = "лампы ikea nobody";
  Plan plan = understand::plan(parameters);
  ASSERT_EQ(plan.request.terms_size(), 3);
  const uint64_t documents = dictionary().stats().documents;
  EXPECT_THAT(plan.main_df, ElementsAre(305, 1, 0));
  EXPECT_EQ(plan.request.terms(0).weight(), rank::idf_weight(documents, 305));
  EXPECT_EQ(plan.request.terms(1).weight(), rank::idf_weight(documents, 1));
  EXPECT_EQ(plan.request.terms(2).weight(), rank::idf_weight(documents, 0));
  EXPECT_FALSE(plan.request.with_description());
  widen_to_description(plan, catalogue());
  EXPECT_TRUE(plan.request.with_description());
  EXPECT_EQ(plan.request.terms(1).weight(), rank::idf_weight(documents, plan.any_df[1]));
}

wire::After some_hit() {
  wire::After after;
  after.set_order(-7);
  after.set_group(DocKey::make(3, KeyType::kModel, 1).value());
  after.set_key(DocKey::make(3, KeyType::kOffer, 2).value());
  return after;
}

TEST(PlanTest, ACursorContinuesItsStage) {
  Parameters parameters;
  parameters.text = "лампа";
  parameters.per_page = 5;
  Plan first = understand::plan(parameters);
  EXPECT_FALSE(first.request.has_after());
  for (const bool description : {false, true}) {
    if (description) widen_to_description(first, catalogue());
    parameters.cursor = next_cursor(first, some_hit());
    parameters.per_page = 50;
    parameters.facets = {"vendor"};
    const Plan plan = understand::plan(parameters);
    EXPECT_EQ(plan.request.after().SerializeAsString(), some_hit().SerializeAsString());
    EXPECT_EQ(plan.request.with_description(), description);
    EXPECT_EQ(plan.request.terms(0).weight(), first.request.terms(0).weight());
    EXPECT_EQ(plan.request.limit(), 50 + kSpareHits);
    EXPECT_EQ(next_cursor(plan, some_hit()), *parameters.cursor);
  }
}

TEST(PlanTest, ACursorOfAnotherQueryOrGenerationIsRefused) {
  Parameters parameters;
  Plan plan = understand::plan(parameters);
  const std::string good = next_cursor(plan, some_hit());
  plan.request.set_generation_number(catalogue().generation.number + 1);
  const std::string later = next_cursor(plan, some_hit());
  Parameters other;
  other.sort = wire::SORT_PRICE;
  other.cursor = good;
  const auto expect_refused = [](const Parameters& asked, const std::string& what) {
    const auto refused = try_plan(asked);
    ASSERT_FALSE(refused) << what;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(refused.error().argument, "cursor");
    EXPECT_TRUE(refused.error().message.starts_with(what)) << refused.error().message;
  };
  expect_refused(other, "of another query");
  parameters.cursor = later;
  expect_refused(parameters, "of generation 2-");
  parameters.cursor = good.substr(1);
  expect_refused(parameters, "not the next_cursor");
  parameters.cursor = "";
  expect_refused(parameters, "not the next_cursor");
}

TEST(PlanTest, TotalsAtLeastAreAskedWithoutFacets) {
  EXPECT_EQ(plan({}).request.totals(), wire::TOTALS_EXACT);
  const Plan plan = understand::plan(parse_parameters("totals=at_least").value());
  EXPECT_EQ(plan.request.totals(), wire::TOTALS_AT_LEAST);
  EXPECT_THAT(facet_names(plan), IsEmpty());
}

TEST(PlanTest, CategoriesByKeyNameAndPath) {
  const uint32_t lamps = category({"дом", "свет", "лампы"});
  EXPECT_THAT(passing(plan(with_categories({to_string(dictionary().category_key(lamps))}))), ElementsAre("Лампы"));
  EXPECT_THAT(passing(plan(with_categories({"лампы"}))), ElementsAre("Лампы"));
  EXPECT_THAT(passing(plan(with_categories({"ДОМ>свет"}))), ElementsAre("Свет", "Лампы")) << "with its subtree";
  EXPECT_THAT(passing(plan(with_categories({" Дом  >  Свет > Лампы "}))), ElementsAre("Лампы"));
  EXPECT_THAT(passing(plan(with_categories({"Дом > Свет", "Масла"}))), ElementsAre("Свет", "Лампы", "Масла"));
}

TEST(PlanTest, AnAmbiguousNameMeansAllOfThem) {
  const Plan plan = understand::plan(with_categories({"Свет"}));
  EXPECT_THAT(passing(plan), ::testing::UnorderedElementsAre("Свет", "Лампы", "Свет"));
  EXPECT_THAT(plan.warnings, IsEmpty());
}

TEST(PlanTest, MoreCategoriesThanAFilterHoldsAreTold) {
  const Plan plan = understand::plan(with_categories({"Прочее"}));
  EXPECT_EQ(passing(plan).size(), query::kMaxFilterValues);
  EXPECT_THAT(plan.warnings, ElementsAre("not all categories of this name are searched: Прочее"));
}

TEST(PlanTest, UnknownNamesMatchNothingAndAreTold) {
  Parameters parameters = with_categories({"Нет такой", "Свет > Дом", "5", ""});
  parameters.vendors = {"Никто"};
  parameters.shops = {"Нигде", "7"};
  parameters.params = {{"цвет", {"ультрафиолетовый"}}, {"запах", {"сильный"}}};
  const Plan plan = understand::plan(parameters);
  EXPECT_THAT(plan.warnings,
              ElementsAre("no such category: Нет такой", "no such category: Свет > Дом", "no such category: 5",
                          "no such category: ", "no such vendor: Никто", "no such shop: Нигде", "no such shop: 7",
                          "no such value of param цвет: ультрафиолетовый", "no such param: запах"));
  const wire::Filters& filters = plan.request.filters();
  EXPECT_TRUE(filters.has_categories() && filters.has_vendors() && filters.has_shops());
  EXPECT_EQ(filters.categories().ranges_size(), 0) << "present and empty: nothing passes";
  EXPECT_EQ(filters.vendors().values_size(), 0);
  EXPECT_EQ(filters.shops().values_size(), 0);
  ASSERT_EQ(filters.params_size(), 2);
  EXPECT_EQ(filters.params(0).values_size(), 0);
  EXPECT_EQ(filters.params(1).values_size(), 0);
}

TEST(PlanTest, VendorsShopsAndParamsBecomeOrdinals) {
  Parameters parameters;
  parameters.vendors = {"ikea", "ЁЛКА", "елка", "2024", "Никто"};
  parameters.shops = {"лавка", to_string(dictionary().shop_key(0))};
  parameters.params = {{"цвет", {"БЕЛЫЙ", "черный"}}, {"вес", {"500 г"}}};
  const Plan plan = understand::plan(parameters);
  const auto vendor = [](const char* folded) { return *dictionary().find_vendor(folded); };
  EXPECT_THAT(plan.request.filters().vendors().values(),
              ElementsAre(vendor("ikea"), vendor("елка"), vendor("елка"), vendor("2024")));
  EXPECT_THAT(plan.request.filters().shops().values(), ElementsAre(0, 0));
  EXPECT_EQ(plan.request.filters().params(0).values_size(), 2);
  EXPECT_EQ(plan.request.filters().params(1).values_size(), 1);
  EXPECT_THAT(plan.warnings, ElementsAre("no such vendor: Никто"));
}

TEST(PlanTest, FacetsAreTheMarketsChoiceForTheCategory) {
  const std::vector<std::string> market = {"category", "price", "param.Цвет"};  // nobody has the fourth now
  const Plan plan = understand::plan({});
  EXPECT_EQ(facet_names(plan), market);
  EXPECT_THAT(plan.warnings, IsEmpty());
  EXPECT_THAT(facet_names(understand::plan(with_categories({"Дом"}))), ElementsAre("shop"));
  EXPECT_THAT(facet_names(understand::plan(with_categories({"Дом > Свет"}))), ElementsAre("vendor", "param.Цоколь"));
  EXPECT_THAT(facet_names(understand::plan(with_categories({"Лампы"}))), ElementsAre("vendor", "param.Цоколь"))
      << "the nearest configured ancestor";
  EXPECT_EQ(facet_names(understand::plan(with_categories({"Масла"}))), market);
  EXPECT_EQ(facet_names(understand::plan(with_categories({"Свет"}))), market) << "two categories are called so";
  EXPECT_EQ(facet_names(understand::plan(with_categories({"Лампы", "Масла"}))), market);
  EXPECT_EQ(facet_names(understand::plan(with_categories({"Нет такой"}))), market);
}

TEST(PlanTest, FacetsThatAreAskedFor) {
  Parameters parameters = with_categories({"Дом"});
  parameters.facets = {"param.ЦВЕТ", "shop", "param.цвет", "param.Запах", "price"};
  parameters.params = {{"вес", {"500 г"}}, {"цвет", {"Белый"}}};
  const Plan plan = understand::plan(parameters);
  EXPECT_THAT(facet_names(plan), ElementsAre("param.ЦВЕТ", "shop", "price"));
  EXPECT_THAT(plan.warnings, ElementsAre("no such param: Запах"));
  EXPECT_EQ(plan.request.facets(0).own_filter(), 1) << "it ignores its own filter";
  EXPECT_EQ(plan.request.facets(1).own_filter(), -1);
  const uint32_t color = *dictionary().find_param("цвет");
  EXPECT_EQ(plan.request.facets(0).param().begin(), dictionary().param_begin(color));
  EXPECT_EQ(plan.request.facets(0).param().end(), dictionary().param_begin(color + 1));

  parameters.facets.emplace();
  EXPECT_THAT(facet_names(understand::plan(parameters)), IsEmpty());
  for (const char* name : {"colour", "", "param", "Vendor"}) {
    parameters.facets = {name};
    const auto refused = try_plan(parameters);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(refused.error().argument, "facets");
  }
}

TEST(PlanTest, AModelIsAskedOfItsShardAlone) {
  for (const uint16_t slot : {0, 1023, 1024, 4095, 4096, 65535}) {
    Parameters parameters;
    parameters.model = DocKey::make(slot, KeyType::kModel, 1);
    const Plan plan = understand::plan(parameters);
    ASSERT_EQ(plan.shards.size(), 1U);
    EXPECT_EQ(plan.shards[0], slot % 4096 / 1024 + 1) << slot;
    EXPECT_EQ(plan.request.filters().model(), parameters.model->value());
  }
}

}  // namespace
}  // namespace souk::understand
