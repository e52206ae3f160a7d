// SPDX-License-Identifier: Apache-2.0
// What the market's rates and regions and the shops' terms make of offers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "core/index/currency_code.h"
#include "core/index/dictionary.h"
#include "core/index/shard_index.h"
#include "core/wire/snippet.pb.h"
#include "indexer/build/base_price.h"
#include "indexer/build/generation_builder.h"
#include "indexer/build/offer_terms.h"
#include "indexer/build/snippet_doc.h"
#include "tests/unit/indexer/offers/store_fixture.h"

namespace souk::build {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

feed::Offer priced(const std::string& id, const std::string& currency, int64_t price, int64_t old_price = 0) {
  feed::Offer offer = offers::make_offer(id, "Лампа " + id);
  offer.currency = currency;
  offer.price = price;
  offer.old_price = old_price;
  return offer;
}

std::vector<std::byte> bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  const auto bytes = std::as_bytes(std::span(text.view()));
  return {bytes.begin(), bytes.end()};
}

class MarketBuildTest : public ::testing::Test {
 protected:
  BuildResult build(const std::string& market, uint32_t shards = 1) {
    const auto parsed = config::parse_market(market, "market.toml");
    EXPECT_TRUE(parsed) << to_string(parsed.error());
    const auto quiet = [](std::string_view, uint64_t, uint64_t) {};
    auto built = build_generation(*world_.store, *parsed, {shards, folder().string()}, quiet);
    EXPECT_TRUE(built) << to_string(built.error());
    if (!built) return {};
    const auto generation = folder() / hex16(built->content_hash);
    shard_file_ = bytes_of(generation / "shard-1.souk");
    dictionary_file_ = bytes_of(generation / "dictionary.souk");
    return *built;
  }
  index::ShardIndex shard() const { return index::ShardIndex::open(shard_file_).value(); }
  index::Dictionary dictionary() const { return index::Dictionary::open(dictionary_file_).value(); }
  uint32_t doc(const std::string& id) {
    return shard().find_document(world_.store->key_of(1, id).value().value()).value();
  }
  std::filesystem::path folder() const { return world_.folder.path() / "generations"; }

  offers::World world_;
  std::vector<std::byte> shard_file_, dictionary_file_;
};

TEST_F(MarketBuildTest, PricesAreInTheBaseCurrencyAndTheOwnOnesAreKept) {
  world_.apply(world_.shop(1), {priced("rub", "RUB", 10'050, 20'000), priced("usd", "USD", 1999, 2500)});
  EXPECT_THAT(build("[currencies]\nUSD = 92.5").warnings, IsEmpty());
  const index::ShardIndex shard = this->shard();
  EXPECT_EQ(shard.prices()[doc("rub")], 10'050U);
  EXPECT_EQ(shard.own_price(doc("rub")), std::nullopt);
  EXPECT_EQ(shard.prices()[doc("usd")], 184'908U) << "1849.075 rounded half up";
  EXPECT_EQ(shard.old_prices()[doc("usd")], 231'250U);
  EXPECT_EQ(shard.own_price(doc("usd")), (index::ShardIndex::OwnPrice{index::currency_code("USD"), 1999, 2500}));
}

TEST_F(MarketBuildTest, WhatHasLostItsRateIsLeftOutAndTold) {
  world_.apply(world_.shop(1), {priced("a", "RUB", 100), priced("b", "USD", 100), priced("c", "USD", 200),
                                priced("d", "KZT", 1), priced("e", "BTC", 1'000'000'000'000'000)});
  const std::string market = "[currencies]\nKZT = 0.19\nBTC = 7000000";
  const BuildResult built = build(market);
  EXPECT_EQ(built.offers, 1U);
  EXPECT_EQ(built.left_out, 4U);
  EXPECT_THAT(built.warnings, ElementsAre("offers left out: 2, no rate for USD",
                                          "offers left out: 1, prices in BTC that are nothing or too much in RUB",
                                          "offers left out: 1, prices in KZT that are nothing or too much in RUB"));
  const BuildResult again = build(market);
  EXPECT_TRUE(again.reused);
  EXPECT_EQ(again.left_out, 4U);
  EXPECT_EQ(again.warnings, built.warnings) << "told again when nothing changed";
  const BuildResult with_rate = build(market + "\nUSD = 92.5");
  EXPECT_FALSE(with_rate.reused);
  EXPECT_EQ(with_rate.offers, 3U);
}

TEST_F(MarketBuildTest, NothingInACurrencyOfTheMarketIsNoGeneration) {
  world_.apply(world_.shop(1), {priced("b", "USD", 100)});
  const auto quiet = [](std::string_view, uint64_t, uint64_t) {};
  const auto market = config::parse_market("", "m").value();
  const auto built = build_generation(*world_.store, market, {1, folder().string()}, quiet);
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(built.error().message, "no offer is in a currency of the market");
}

TEST_F(MarketBuildTest, ShopsServeTheirRegions) {
  for (uint32_t number = 1; number <= 3; ++number) {
    const offers::Shop shop = world_.shop(number);
    world_.apply(shop, {priced("x", "RUB", 100)});
    offers::ShopSettings settings = shop.settings;
    if (number == 2) settings.regions = {"Химки", "москва"};
    if (number == 3) settings.regions = {"Атлантида"};
    ASSERT_TRUE(world_.store->save_settings(number, settings));
  }
  const BuildResult built = build("[[regions]]\nname = 'Москва'\n[[regions]]\nname = 'Химки'\nparent = 'Москва'");
  EXPECT_THAT(built.warnings,
              ElementsAre("shops deliver to regions that the market does not have: 1, the first is of 'shop-3'"));
  const index::Dictionary dictionary = this->dictionary();
  ASSERT_EQ(dictionary.regions(), 2U);
  EXPECT_EQ(dictionary.region_parent(1), 0U);
  const auto regions = [&](uint32_t shop) {
    const DocKey key = world_.store->find_shop("shop-" + std::to_string(shop)).value()->key;
    const auto span = dictionary.shop_regions(dictionary.find_shop(key).value());
    return std::vector<uint32_t>(span.begin(), span.end());
  };
  EXPECT_THAT(regions(1), ElementsAre(index::kNoOrdinal));
  EXPECT_THAT(regions(2), ElementsAre(0, 1));
  EXPECT_THAT(regions(3), IsEmpty());
}

TEST(BasePrice, NothingWhereItRoundsToNothingOrIsTooMuch) {
  const config::ExchangeRate tiny(1'000'000);  // a thousandth
  EXPECT_EQ(base_price(priced("a", "X", 499), tiny), std::nullopt);
  EXPECT_EQ(base_price(priced("a", "X", 500), tiny)->price, 1);
  const config::ExchangeRate large(2 * config::ExchangeRate::kOne);
  EXPECT_EQ(base_price(priced("a", "X", 600'000'000'000'000), large), std::nullopt);
  const auto without_old = base_price(priced("a", "X", 1, 600'000'000'000'000), large);
  EXPECT_EQ(without_old->price, 2);
  EXPECT_EQ(without_old->old_price, 0) << "an old price that is too much is none";
}

offers::Shop shop_with(feed::DeliveryTerms terms) {
  offers::Shop shop;
  shop.currency = "RUB";
  shop.delivery = std::move(terms);
  return shop;
}

TEST(OfferTerms, TheOffersOverTheShops) {
  feed::Offer offer = priced("a", "USD", 100);
  EXPECT_EQ(flags_of(terms_of(offer, shop_with({})), false), index::kDelivered);
  const offers::Shop shop = shop_with({.delivery = false,
                                       .pickup = true,
                                       .store = true,
                                       .delivery_options = {{.cost = 0}},
                                       .pickup_options = {{.cost = 5}}});
  EXPECT_EQ(flags_of(terms_of(offer, shop), true), index::kPickup | index::kStore | index::kAdult);
  EXPECT_TRUE(terms_of(offer, shop).delivery_options.options.empty()) << "it is not delivered";
  offer.delivery.delivery = true;
  offer.delivery.pickup = false;
  EXPECT_EQ(flags_of(terms_of(offer, shop), false), index::kDelivered | index::kFreeDelivery | index::kStore);
  EXPECT_EQ(terms_of(offer, shop).delivery_options.currency, "RUB") << "of the shop's own";
  offer.delivery.delivery_options = {{.cost = 700}, {.cost = 30, .days_to = 5}, {.cost = 30, .days_to = 2}};
  const OfferTerms terms = terms_of(offer, shop);
  EXPECT_EQ(flags_of(terms, false), index::kDelivered | index::kStore);
  EXPECT_EQ(terms.delivery_options.currency, "USD");
  EXPECT_EQ(cheapest(terms.delivery_options.options)->days_to, 2);
  EXPECT_EQ(cheapest({}), nullptr);
}

TEST(OfferTerms, TheSnippetHasTheCheapestFirst) {
  offers::StoredOffer stored;
  stored.offer = priced("a", "USD", 100);
  stored.offer.delivery.delivery_options = {{.cost = 700}, {.cost = 0, .days_to = 5}, {.cost = 30}};
  stored.offer.extras = {{"sales_notes", "Предоплата", ""}};
  stored.link = {offers::LinkReason::Kind::kBarcode, "4006381333931"};
  wire::SnippetDoc doc;
  ASSERT_TRUE(doc.ParseFromString(make_snippet(stored, shop_with({})).bytes));
  ASSERT_EQ(doc.delivery_options_size(), 3);
  EXPECT_EQ(doc.delivery_options(0).cost(), 0);
  EXPECT_EQ(doc.delivery_options(0).days_to(), 5U);
  EXPECT_EQ(doc.delivery_options(0).order_before(), 24U);
  EXPECT_EQ(doc.delivery_options(1).cost(), 700);
  EXPECT_EQ(doc.delivery_options(2).currency(), "USD");
  EXPECT_EQ(doc.extras(0).value(), "Предоплата");
  EXPECT_EQ(doc.model_reason(), "barcode");
  EXPECT_EQ(doc.model_evidence(), "4006381333931");
}

}  // namespace
}  // namespace souk::build
