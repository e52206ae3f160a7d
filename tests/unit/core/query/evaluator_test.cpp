// SPDX-License-Identifier: Apache-2.0
// The evaluator and the merge against the naive model: whatever the offers, the query and the number of shards.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/core/query/naive.h"

namespace souk::test {
namespace {

namespace gen = rc::gen;

const std::vector<std::string> kWords = {"кот", "мышь", "злой", "игрушка", "toy"};
const std::vector<Path> kPaths = {{"Зоо"}, {"Зоо", "Игрушки"}, {"Зоо", "Корм", "Сухой"}, {"Дети"}, {"Дети", "Игрушки"}};
const std::vector<std::string> kVendors = {"Lynx", "Cygnus", "Ёж"};
const std::vector<std::string> kParamNames = {"Цвет", "Вес"};
const std::vector<std::string> kParamValues = {"а", "б", "в"};

bool chance(int percent) {
  return *gen::inRange(0, 100) < percent;
}

template <typename T>
std::vector<T> some_of(const std::vector<T>& all, int percent) {
  std::vector<T> some;
  for (const T& one : all) {
    if (chance(percent)) some.push_back(one);
  }
  return some;
}

std::string text() {
  std::string words;
  for (const std::string& word : some_of(kWords, 40)) words += word + (chance(20) ? " " + word + " " : " ");
  return words;
}

rc::Gen<TestOffer> offers_one_by_one() {
  return gen::exec([] {
    TestOffer offer;
    offer.model = chance(30) ? 0 : *gen::inRange<uint64_t>(1, 8);
    offer.title = text();
    offer.description = chance(50) ? text() : "";
    if (chance(80)) offer.category = *gen::elementOf(kPaths);
    if (chance(80)) offer.vendor = *gen::elementOf(kVendors);
    offer.shop = *gen::inRange<uint32_t>(1, 5);
    offer.price = *gen::element<int64_t>(100, 100, 200, 300, 1'000'000'000'000'000);
    offer.old_price = *gen::element<int64_t>(0, 0, 100, 250, 1'000'000'000'000'000);
    offer.in_stock = chance(70);
    offer.first_seen = *gen::inRange<int64_t>(0, 4);
    offer.level = *gen::element<uint8_t>(0, 1, 15);
    for (const std::string& name : kParamNames) {
      for (const std::string& value : some_of(kParamValues, 30)) offer.params.emplace_back(name, value);
    }
    return offer;
  });
}

std::vector<TestOffer> any_offers() {
  auto offers = *gen::container<std::vector<TestOffer>>(offers_one_by_one());
  for (size_t i = 0; i < offers.size(); ++i) offers[i].id = i + 1;
  return offers;
}

Query any_query(const std::vector<TestOffer>& offers) {
  Query query;
  if (chance(60)) query.words = some_of<std::string>({"кот", "мышей", "злая", "toys", "слон"}, 30);
  query.with_description = chance(40);
  if (chance(25)) query.categories = some_of(kPaths, 30);
  if (chance(25)) query.vendors = some_of<std::string>({"Lynx", "Cygnus", "Nobody"}, 50);
  if (chance(25)) query.shops = some_of<uint32_t>({1, 2, 3, 9}, 50);
  if (chance(25)) query.price_from = *gen::element<int64_t>(-5, 100, 150, 300);
  if (chance(25)) query.price_to = *gen::element<int64_t>(-5, 100, 250, 1'000'000'000'000'000);
  query.in_stock = chance(25);
  for (const std::string& name : some_of(kParamNames, 25)) query.params.emplace_back(name, some_of(kParamValues, 50));
  if (!offers.empty() && chance(15)) query.model = (*gen::elementOf(offers)).group();
  if (!offers.empty() && chance(10)) query.offer = (*gen::elementOf(offers)).key();
  query.facets =
      some_of<wire::FacetKind>({wire::FACET_CATEGORY, wire::FACET_VENDOR, wire::FACET_SHOP, wire::FACET_PRICE}, 50);
  query.param_facets = some_of<std::string>({"Цвет", "Вес", "Нет"}, 50);
  query.sort = *gen::element(wire::SORT_RELEVANCE, wire::SORT_PRICE, wire::SORT_PRICE_DESC, wire::SORT_DISCOUNT,
                             wire::SORT_NEWEST);
  query.group = *gen::element(wire::GROUP_MODEL, wire::GROUP_OFFER);
  query.limit = *gen::element<uint32_t>(0, 1, 3, 10, 10'100);
  query.quality_weight = *gen::element<uint32_t>(0, 1, 1000, 1'000'000);
  query.explain = chance(50);
  return query;
}

std::string digest(const World& world, const Query& query) {
  return merge::result_digest(world.ask(to_request(world, query)).value(), 0, query.limit);
}

RC_GTEST_PROP(Evaluator, OneShardAndEightGiveWhatTheNaiveModelGives, ()) {
  const std::vector<TestOffer> offers = any_offers();
  const World one(offers, 1);
  const World eight(offers, 8);
  for (int i = 0; i < 20; ++i) {
    const Query query = any_query(offers);
    RC_LOG() << query << '\n';
    const std::vector<std::string> expected = naive_answer(one, query);
    RC_ASSERT(engine_answer(one, query) == expected);
    RC_ASSERT(engine_answer(eight, query) == expected);
    RC_ASSERT(digest(one, query) == digest(eight, query));
  }
}

// Facets and totals do not depend on how many hits are wanted, and a filter never makes a count of another facet grow.
RC_GTEST_PROP(Evaluator, CountsDoNotDependOnTheLimitAndFiltersOnlyNarrow, ()) {
  const std::vector<TestOffer> offers = any_offers();
  const World world(offers, 3);
  Query query = any_query(offers);
  query.facets = {wire::FACET_CATEGORY, wire::FACET_VENDOR, wire::FACET_SHOP};
  query.limit = 10;
  const auto request = to_request(world, query);
  const auto before = world.ask(request).value();

  query.limit = 0;
  const auto unlimited = world.ask(to_request(world, query)).value();
  RC_ASSERT(unlimited.total_offers == before.total_offers);
  for (size_t f = 0; f < before.facets.size(); ++f) {
    RC_ASSERT(named(world.dictionary(), request.facets(static_cast<int>(f)), unlimited.facets[f]) ==
              named(world.dictionary(), request.facets(static_cast<int>(f)), before.facets[f]));
  }

  query.in_stock = true;
  const auto narrowed = world.ask(to_request(world, query)).value();
  for (size_t f = 0; f < before.facets.size(); ++f) {
    const wire::Facet& facet = request.facets(static_cast<int>(f));
    NamedCounts wide = named(world.dictionary(), facet, before.facets[f]);
    for (const auto& [value, count] : named(world.dictionary(), facet, narrowed.facets[f])) {
      RC_ASSERT(count.first <= wide[value].first);
      RC_ASSERT(count.second <= wide[value].second);
      RC_ASSERT(count.second <= count.first);
    }
  }
}

}  // namespace
}  // namespace souk::test
