// SPDX-License-Identifier: Apache-2.0
// Every evaluator and the merge against the naive model: whatever the offers, the query and the number of shards.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <sstream>

#include "tests/unit/core/query/evaluators.h"
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
    if (chance(50)) offer.flags = *gen::element<uint8_t>(0, 1, 2, 4, 6, 7, 9, 15, 16, 17, 31);
    if (chance(25)) {
      offer.currency = *gen::element<std::string>("USD", "KZT", "ZZZ");
      offer.own_price = *gen::element<int64_t>(1, 5, 1'000'000'000'000'000);
      offer.own_old_price = *gen::element<int64_t>(0, 7);
    }
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

Query::Numbers any_words(const Query& query, size_t most) {
  const auto words = static_cast<uint32_t>(query.words.size());
  Query::Numbers numbers(*gen::inRange<size_t>(1, most + 1));
  for (uint32_t& number : numbers) number = *gen::inRange<uint32_t>(0, words);
  return numbers;
}

void add_words(Query& query) {
  query.words = some_of<std::string>({"кот", "мышей", "злая", "toys", "слон"}, 35);
  if (query.words.empty()) return;
  if (chance(15)) query.words.push_back(query.words.front());  // twice the same
  while (query.slots.size() < 3 && chance(40)) query.slots.push_back(any_words(query, 3));
  const size_t slots = query.slots.empty() ? query.words.size() : query.slots.size();
  if (chance(50)) query.min_match = *gen::inRange<uint32_t>(0, static_cast<uint32_t>(slots) + 1);
  while (query.phrases.size() < 2 && chance(20)) query.phrases.push_back(any_words(query, 3));
  while (query.variants.size() < 4 && chance(35)) query.variants.push_back(*gen::inRange<uint32_t>(1, 1U << slots));
}

void add_filters(Query& query, const std::vector<TestOffer>& offers) {
  if (chance(25)) query.categories = some_of(kPaths, 30);
  if (chance(25)) query.vendors = some_of<std::string>({"Lynx", "Cygnus", "Nobody"}, 50);
  if (chance(25)) query.shops = some_of<uint32_t>({1, 2, 3, 9}, 50);
  if (chance(25)) query.price_from = *gen::element<int64_t>(-5, 100, 150, 300);
  if (chance(25)) query.price_to = *gen::element<int64_t>(-5, 100, 250, 1'000'000'000'000'000);
  query.in_stock = chance(25);
  if (chance(20)) query.ways = *gen::element<uint32_t>(1, 2, 4, 8, 10, 15);
  if (chance(20)) query.regions = some_of(kRegions, 40);
  query.no_adult = chance(20);
  if (chance(10)) query.fixed.categories = some_of(kPaths, 50);
  if (chance(10)) query.fixed.vendors = some_of(kVendors, 60);
  if (chance(10)) query.fixed.regions = some_of(kRegions, 60);
  if (chance(10)) query.fixed.price_from = 200;
  query.fixed.in_stock = chance(10);
  for (const std::string& name : some_of(kParamNames, 25)) query.params.emplace_back(name, some_of(kParamValues, 50));
  if (!offers.empty() && chance(15)) query.model = (*gen::elementOf(offers)).group();
  if (!offers.empty() && chance(10)) query.offer = (*gen::elementOf(offers)).key();
}

Query any_query(const std::vector<TestOffer>& offers) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  Query query;
  if (chance(70)) add_words(query);
  query.with_description = chance(40);
  add_filters(query, offers);
  query.facets =
      some_of<wire::FacetKind>({wire::FACET_CATEGORY, wire::FACET_VENDOR, wire::FACET_SHOP, wire::FACET_PRICE}, 50);
  query.param_facets = some_of<std::string>({"Цвет", "Вес", "Нет"}, 50);
  query.sort = *gen::element(wire::SORT_RELEVANCE, wire::SORT_PRICE, wire::SORT_PRICE_DESC, wire::SORT_DISCOUNT,
                             wire::SORT_NEWEST);
  query.group = *gen::element(wire::GROUP_MODEL, wire::GROUP_OFFER);
  query.limit = *gen::element<uint32_t>(0, 1, 3, 10, 10'100);
  query.quality_weight = *gen::element<uint32_t>(0, 1, 1000, 1'000'000);
  query.explain = chance(50);
  if (chance(25)) {
    query.totals = wire::TOTALS_AT_LEAST;
    query.facets.clear();
    query.param_facets.clear();
    query.variants.clear();
  }
  if (!offers.empty() && chance(15)) {
    query.after = {.order = *gen::element<int64_t>(-kMost, -300, -200, -100, 0, 1, 100, 200, 400, 5000, kMost),
                   .group = (*gen::elementOf(offers)).group(),
                   .key = (*gen::elementOf(offers)).key()};
  }
  return query;
}

std::string describe(const std::string& evaluator, const Query& query, const Answer& answer, const Answer& expected) {
  std::ostringstream text;
  text << query << "\n" << evaluator << " gives\n" << answer << "instead of\n" << expected;
  return text.str();
}

std::string digest(const World& world, const Query& query, const Evaluator& evaluator) {
  return merge::result_digest(world.ask(to_request(world, query), evaluator).value(), 0, query.limit);
}

RC_GTEST_PROP(EveryEvaluator, OneShardAndEightGiveWhatTheNaiveModelGives, ()) {
  const std::vector<TestOffer> offers = any_offers();
  const World one(offers, 1);
  const World eight(offers, 8);
  for (int i = 0; i < 20; ++i) {
    const Query query = any_query(offers);
    const Answer expected = naive_answer(one, query);
    const std::string expected_digest = digest(one, query, oracle::search_exhaustively);
    for (const NamedEvaluator& evaluator : evaluators()) {
      for (const World* world : {&one, &eight}) {
        const Answer answer = engine_answer(*world, query, evaluator.evaluate);
        if (!agrees(answer, expected)) RC_FAIL(describe(evaluator.name, query, answer, expected));
        RC_ASSERT(!answer.at_least || query.totals == wire::TOTALS_AT_LEAST);
        RC_ASSERT(digest(*world, query, evaluator.evaluate) == expected_digest);
      }
    }
  }
}

// Page by page through cursors is one long page, whatever its shards; totals and facets are on every page.
void check_walk(const NamedEvaluator& evaluator, const World& one, const World& eight, Query query,
                const Answer& whole) {
  Answer walked{.offers = whole.offers, .models = whole.models, .lines = {}};
  for (size_t page = 0;; ++page) {
    const World& world = page % 2 == 0 ? one : eight;
    const wire::ShardRequest request = to_request(world, query);
    const merge::Merged merged = world.ask(request, evaluator.evaluate).value();
    const Answer answer = answer_of(world, request, merged);
    RC_ASSERT(answer.offers == whole.offers && answer.models == whole.models);
    const auto hits = answer.lines.begin() + static_cast<ptrdiff_t>(merged.hits.size());
    walked.lines.insert(walked.lines.end(), answer.lines.begin(), hits);
    if (merged.hits.size() < query.limit) {
      walked.lines.insert(walked.lines.end(), hits, answer.lines.end());  // facets and variants
      break;
    }
    const merge::Hit& last = merged.hits.back();
    query.after = {.order = last.order, .group = last.group, .key = last.key};
  }
  if (!agrees(walked, whole)) RC_FAIL(describe(evaluator.name, query, walked, whole));
}

RC_GTEST_PROP(EveryEvaluator, CursorsGiveEveryHitOnce, ()) {
  const std::vector<TestOffer> offers = any_offers();
  const World one(offers, 1);
  const World eight(offers, 8);
  Query query = any_query(offers);
  query.after.reset();
  query.totals = wire::TOTALS_EXACT;
  query.limit = 10'100;
  const Answer whole = naive_answer(one, query);
  query.limit = *gen::inRange<uint32_t>(1, 5);
  for (const NamedEvaluator& evaluator : evaluators()) check_walk(evaluator, one, eight, query, whole);
}

void check_narrowed(const World& world, const wire::Facet& facet, const merge::FacetTotals& before,
                    const merge::FacetTotals& after) {
  NamedCounts wide = named(world.dictionary(), facet, before);
  for (const auto& [value, count] : named(world.dictionary(), facet, after)) {
    RC_ASSERT(count.first <= wide[value].first);
    RC_ASSERT(count.second <= wide[value].second);
    RC_ASSERT(count.second <= count.first);
  }
}

void check_counts(const NamedEvaluator& evaluator, const World& world, Query query) {
  const auto ask = [&](uint32_t limit, bool in_stock) {
    query.limit = limit;
    query.in_stock = in_stock;
    return world.ask(to_request(world, query), evaluator.evaluate).value();
  };
  const merge::Merged before = ask(10, false);
  const merge::Merged without_hits = ask(0, false);
  const merge::Merged narrowed = ask(10, true);
  RC_ASSERT(without_hits.total_offers == before.total_offers);
  RC_ASSERT(narrowed.total_offers <= before.total_offers);
  const auto request = to_request(world, query);
  for (size_t f = 0; f < before.facets.size(); ++f) {
    const wire::Facet& facet = request.facets(static_cast<int>(f));
    RC_ASSERT(named(world.dictionary(), facet, without_hits.facets[f]) ==
              named(world.dictionary(), facet, before.facets[f]));
    check_narrowed(world, facet, before.facets[f], narrowed.facets[f]);
  }
}

// Facets and totals do not depend on how many hits are wanted, and a filter never makes a count of another facet grow.
RC_GTEST_PROP(EveryEvaluator, CountsDoNotDependOnTheLimitAndFiltersOnlyNarrow, ()) {
  const std::vector<TestOffer> offers = any_offers();
  const World world(offers, 3);
  Query query = any_query(offers);
  query.totals = wire::TOTALS_EXACT;
  query.facets = {wire::FACET_CATEGORY, wire::FACET_VENDOR, wire::FACET_SHOP};
  for (const NamedEvaluator& evaluator : evaluators()) check_counts(evaluator, world, query);
}

}  // namespace
}  // namespace souk::test
