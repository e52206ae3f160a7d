// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/placement/slots.h"
#include "tests/unit/indexer/offers/databases.h"

namespace souk::offers {
namespace {

using RelinkTest = DatabaseTest;
SOUK_ON_ALL_DATABASES(RelinkTest);

const LinkReason kBarcode{LinkReason::Kind::kBarcode, "4600000000008"};

TEST_P(RelinkTest, LinksStayWhileOffersChangeGoAndComeBack) {
  const Shop shop = world().shop(1);
  world().apply(shop, {make_offer("1"), make_offer("2"), make_offer("3")});
  OfferStore* store = world().store.get();
  DocKey model;
  {
    auto relink = store->begin_relink();
    model = *(*relink)->new_model("model:x");
    EXPECT_EQ(model.type(), KeyType::kModel);
    EXPECT_EQ(model.slot(), placement::slot_of_name("model:x"));
    ASSERT_TRUE((*relink)->link(**store->key_of(1, "1"), model, kBarcode));
    ASSERT_TRUE((*relink)->link(**store->key_of(1, "2"), model, {LinkReason::Kind::kRule, "правило 'a'"}));
    EXPECT_FALSE((*store->find(1, "1"))->model);
    EXPECT_EQ(*(*relink)->commit(), 2U);
  }
  EXPECT_EQ(*store->revision(), 2U);
  EXPECT_EQ(world().apply(shop, {make_offer("1", "Стол"), make_offer("3")}, "h2").changed, 1U);
  EXPECT_EQ((*store->find(1, "1"))->model, model);
  EXPECT_EQ((*store->find(1, "1"))->link, kBarcode);
  world().reopen();
  store = world().store.get();
  world().apply(shop, {make_offer("1"), make_offer("2", "Шкаф"), make_offer("3")}, "h3");
  EXPECT_EQ((*store->find(1, "2"))->model, model) << "a tombstone keeps its model";
  EXPECT_EQ((*store->find(1, "2"))->link.evidence, "правило 'a'");
  EXPECT_FALSE((*store->find(1, "3"))->model);
  std::map<std::string, DocKey> scanned;
  for (const StoredOffer& offer : world().all()) scanned[offer.offer.id] = offer.model;
  EXPECT_EQ(scanned, (std::map<std::string, DocKey>{{"1", model}, {"2", model}, {"3", DocKey()}}));
}

TEST_P(RelinkTest, NothingNewWritesNothing) {
  const Shop shop = world().shop(1);
  world().apply(shop, {make_offer("1")});
  OfferStore& store = *world().store;
  const DocKey offer = **store.key_of(1, "1");
  {
    auto relink = store.begin_relink();
    ASSERT_TRUE((*relink)->link(offer, DocKey(), {}));
    EXPECT_TRUE((*relink)->new_model("model:y"));
    EXPECT_EQ(*(*relink)->commit(), 0U);
    EXPECT_EQ((*relink)->commit().error().code, ErrorCode::kInternal);
  }
  EXPECT_EQ(*store.revision(), 1U);
  EXPECT_TRUE(store.models()->empty());
  {
    auto relink = store.begin_relink();
    ASSERT_TRUE((*relink)->link(offer, *(*relink)->new_model("model:x"), kBarcode));
    // Dropped.
  }
  EXPECT_FALSE((*store.find(1, "1"))->model);
  EXPECT_TRUE(store.models()->empty());
}

TEST_P(RelinkTest, RefusesWhatCannotBe) {
  const Shop shop = world().shop(1);
  world().apply(shop, {make_offer("1")});
  OfferStore& store = *world().store;
  const DocKey offer = **store.key_of(1, "1");
  {
    auto relink = store.begin_relink();
    EXPECT_EQ((*relink)->link(offer, DocKey(), kBarcode).error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ((*relink)->link(offer, DocKey(5), {}).error().code, ErrorCode::kInvalidArgument);
  }
  auto relink = store.begin_relink();
  ASSERT_TRUE((*relink)->link(DocKey::make(offer.slot(), KeyType::kOffer, 77), *(*relink)->new_model("x"), kBarcode));
  EXPECT_EQ((*relink)->commit().error().code, ErrorCode::kInvalidArgument);
  relink->reset();
  EXPECT_EQ(*store.revision(), 1U);
}

TEST_P(RelinkTest, ModelsAreBornInOrderAndNeverTwice) {
  const Shop shop = world().shop(1);
  constexpr int kOffers = 1100;  // more than one batch
  std::vector<feed::Offer> offers;
  for (int i = 0; i < kOffers; ++i) offers.push_back(make_offer(std::to_string(i)));
  world().apply(shop, offers);
  OfferStore& store = *world().store;
  const auto round = [&] {
    const auto all = world().all();
    auto relink = store.begin_relink();
    std::vector<DocKey> models;
    for (int i = 0; i < 3; ++i) models.push_back(*(*relink)->new_model("model:x"));
    for (const StoredOffer& offer : all) {
      EXPECT_TRUE((*relink)->link(offer.key, models[offer.key.slot() % 3U], kBarcode));
    }
    EXPECT_EQ(*(*relink)->commit(), uint64_t{kOffers});
    return models;
  };
  const auto first = round();
  world().reopen();
  auto relink = world().store->begin_relink();
  ASSERT_TRUE((*relink)->link(**world().store->key_of(1, "7"), *(*relink)->new_model("model:x"), kBarcode));
  EXPECT_EQ(*(*relink)->commit(), 1U);
  const auto models = world().store->models();
  ASSERT_EQ(models->size(), 4U);
  for (size_t i = 0; i < models->size(); ++i) {
    EXPECT_EQ((*models)[i].born, i + 1) << "in one slot the order of keys is that of birth";
    EXPECT_EQ((*models)[i].key.slot(), placement::slot_of_name("model:x"));
  }
  for (size_t i = 0; i < first.size(); ++i) EXPECT_EQ((*models)[i].key, first[i]);
}

}  // namespace
}  // namespace souk::offers
