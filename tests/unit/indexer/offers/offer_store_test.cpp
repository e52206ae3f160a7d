// SPDX-License-Identifier: Apache-2.0
// What every database must do.
#include "indexer/offers/offer_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/placement/slots.h"
#include "tests/unit/indexer/offers/databases.h"

namespace souk::offers {
namespace {

using OfferStoreTest = DatabaseTest;
SOUK_ON_ALL_DATABASES(OfferStoreTest);

TEST_P(OfferStoreTest, NumbersShopsOnceAndForAll) {
  const Shop first = world().shop(1);
  EXPECT_EQ(first.number, 1U);
  EXPECT_EQ(first.name, "shop-1");
  EXPECT_EQ(first.key.type(), KeyType::kShop);
  EXPECT_EQ(first.key.slot(), placement::slot_of_name("shop:shop-1"));
  world().reopen();
  OfferStore& store = *world().store;
  EXPECT_EQ(world().shop(1).key, first.key);
  EXPECT_EQ(store.put_shop(1, "other").error().code, ErrorCode::kVersionMismatch);
  EXPECT_EQ(store.put_shop(2, "shop-1").error().code, ErrorCode::kVersionMismatch);
  for (const std::string& bad : {std::string(), std::string(101, 'x'), std::string("a\nb"), std::string("\xff")}) {
    EXPECT_EQ(store.put_shop(3, bad).error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(store.put_shop(0, "zero").error().code, ErrorCode::kInvalidArgument);
  world().shop(300);
  world().shop(2);
  std::vector<uint32_t> numbers;
  for (const Shop& shop : *store.shops()) numbers.push_back(shop.number);
  EXPECT_EQ(numbers, (std::vector<uint32_t>{1, 2, 300}));
  EXPECT_EQ((*store.find_shop("shop-300"))->number, 300U);
  EXPECT_FALSE(*store.find_shop("shop-3"));
}

TEST_P(OfferStoreTest, KeepsSettingsAndState) {
  const Shop shop = world().shop(1);
  OfferStore& store = *world().store;
  ShopSettings settings;
  settings.feed_url = "https://shop.example/feed.xml";
  settings.mode = feed::Mode::kLenient;
  settings.period_seconds = 600;
  settings.token_hash = std::string(64, 'a');
  ASSERT_TRUE(store.save_settings(1, settings));
  EXPECT_EQ(*store.revision(), 0U);
  settings.regions = {"Москва", "O'Brien \\ \"x\""};
  ASSERT_TRUE(store.save_settings(1, settings));
  EXPECT_EQ(*store.revision(), 1U) << "where a shop delivers to is part of a build";
  FeedState state;
  state.etag = "\"x\"";
  state.last_modified = "Mon, 30 Nov 2026 11:00:00 GMT";
  state.fetched = 5;
  state.next_fetch = 6;
  state.failures = 7;
  state.unmodified = 8;
  state.hold = {"prices_jump", "most prices", "ff", 9, true};
  ASSERT_TRUE(store.save_state(1, state));
  world().apply(shop, {make_offer("1")});  // begun with a Shop of before
  world().reopen();
  const auto found = world().store->find_shop("shop-1");
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->settings, settings);
  EXPECT_EQ((*found)->state, state);
  EXPECT_EQ((*found)->live_offers, 1U);
  EXPECT_EQ(*world().store->revision(), 2U);
  EXPECT_EQ(world().store->save_state(2, state).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(world().store->save_settings(2, settings).error().code, ErrorCode::kInvalidArgument);
}

feed::Offer full_offer() {
  feed::Offer offer = make_offer("A 1", "Лампа");
  offer.type = "vendor.model";
  offer.vendor = "Норвик";
  offer.vendor_code = "LX";
  offer.url = "https://shop.example/1";
  offer.model = "M";
  offer.description = "Свет\n\t'\\\"";
  offer.group_id = "g";
  offer.pictures = {"http://a", "http://b"};
  offer.barcodes = {"4600000000008"};
  offer.params = {{"Цвет", "белый", ""}, {"Мощность", "10", "Вт"}};
  offer.extras = {{"sales_notes", "предоплата", ""}};
  offer.condition = "used";
  offer.old_price = 20000;
  offer.availability = feed::Availability::kPreorder;
  offer.available = false;
  offer.adult = true;
  offer.delivery.pickup = true;
  offer.delivery.delivery_options = {{30000, 1, 3, 12}};
  return offer;
}

TEST_P(OfferStoreTest, KeepsWhatWasCommitted) {
  const Shop shop = world().shop(1);
  const feed::Offer offer = full_offer();
  EXPECT_EQ(world().apply(shop, {offer, make_offer("2")}).added, 2U);
  world().reopen();
  OfferStore& store = *world().store;
  const auto found = store.find(1, "A 1");
  ASSERT_TRUE(found && *found);
  const StoredOffer& stored = **found;
  EXPECT_EQ(stored.key.type(), KeyType::kOffer);
  EXPECT_EQ(stored.key.slot(), placement::slot_of_offer(1, "A 1"));
  EXPECT_FALSE(stored.model);
  EXPECT_EQ(stored.link, LinkReason());
  EXPECT_EQ(stored.shop, 1U);
  EXPECT_EQ(stored.first_seen, 1000);
  EXPECT_EQ(stored.offer.line, 0U);
  EXPECT_EQ(stored.offer.id, offer.id);
  EXPECT_EQ(stored.offer.type, offer.type);
  EXPECT_EQ(stored.offer.name, offer.name);
  EXPECT_EQ(stored.offer.vendor_code, offer.vendor_code);
  EXPECT_EQ(stored.offer.description, offer.description);
  EXPECT_EQ(stored.offer.category_path, offer.category_path);
  EXPECT_EQ(stored.offer.params, offer.params);
  EXPECT_EQ(stored.offer.extras, offer.extras);
  EXPECT_EQ(stored.offer.pictures, offer.pictures);
  EXPECT_EQ(stored.offer.old_price, 20000);
  EXPECT_EQ(stored.offer.availability, feed::Availability::kPreorder);
  EXPECT_FALSE(stored.offer.available);
  EXPECT_TRUE(stored.offer.adult);
  EXPECT_EQ(stored.offer.delivery, offer.delivery);
  EXPECT_EQ((*store.find(stored.key))->offer.id, "A 1");
  EXPECT_FALSE((*store.find(2, "A 1")).has_value());
  EXPECT_FALSE((*store.find(1, "A")).has_value());
  const Shop after = store.shops()->front();
  EXPECT_EQ(after.display_name, "Shop");
  EXPECT_EQ(after.url, "https://shop.example/");
  EXPECT_EQ(after.currency, "RUB");
  EXPECT_EQ(after.feed_hash, "h");
  EXPECT_EQ(after.live_offers, 2U);
  EXPECT_EQ(*store.offers(), 2U);
  const auto all = world().all();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_LT(all[0].key, all[1].key);
}

TEST_P(OfferStoreTest, CountsTheDifference) {
  const Shop shop = world().shop(1);
  world().apply(shop, {make_offer("1"), make_offer("2"), make_offer("3"), make_offer("5")});
  EXPECT_EQ(*world().store->revision(), 1U);
  feed::Offer other_line = make_offer("2");
  other_line.line = 99;
  feed::Offer dear = make_offer("1", "Стол");
  dear.price = 100001;
  feed::Offer dollars = make_offer("5");
  dollars.currency = "USD";
  dollars.price = 1;
  const Difference difference = world().apply(shop, {dear, other_line, make_offer("4"), dollars}, "h2");
  EXPECT_EQ(difference.added, 1U);
  EXPECT_EQ(difference.changed, 2U);
  EXPECT_EQ(difference.removed, 1U);
  EXPECT_EQ(difference.live_before, 4U);
  EXPECT_EQ(difference.priced, 2U);
  EXPECT_EQ(difference.price_jumps, 1U);
  EXPECT_EQ(*world().store->revision(), 2U);
  EXPECT_EQ(*world().store->offers(), 4U);
  // Just ten times is no jump, and what was gone has no price before.
  dear.price = 1000010;
  feed::Offer back = make_offer("3");
  back.price = 1;
  const Difference again = world().apply(shop, {dear, other_line, back, dollars}, "h3");
  EXPECT_EQ(again.price_jumps, 0U);
  EXPECT_EQ(again.priced, 3U);
  EXPECT_EQ(again.added, 1U);
}

TEST_P(OfferStoreTest, TheSameAgainChangesNothing) {
  const Shop shop = world().shop(1);
  world().apply(shop, {make_offer("1")});
  world().clock.set_unix_seconds(5000);
  const Difference difference = world().apply(shop, {make_offer("1")});
  EXPECT_EQ(difference.added + difference.changed + difference.removed, 0U);
  EXPECT_EQ(*world().store->revision(), 1U);
  // Other bytes, equal offers: the hash is remembered, the catalogue is the same.
  world().apply(shop, {make_offer("1")}, "h2");
  EXPECT_EQ(*world().store->revision(), 1U);
  EXPECT_EQ(world().store->shops()->front().feed_hash, "h2");
}

TEST_P(OfferStoreTest, GoneOffersComeBackUnderTheirKeys) {
  const Shop shop = world().shop(1);
  OfferStore* store = world().store.get();
  world().apply(shop, {make_offer("1"), make_offer("2")});
  const DocKey key = (*store->find(1, "1"))->key;
  world().clock.set_unix_seconds(2000);
  EXPECT_EQ(world().apply(shop, {make_offer("2")}).removed, 1U);
  EXPECT_FALSE((*store->find(1, "1")).has_value());
  EXPECT_FALSE((*store->find(key)).has_value());
  EXPECT_EQ(*store->key_of(1, "1"), key) << "its key stays";
  EXPECT_EQ(world().all().size(), 1U);
  EXPECT_EQ(*store->offers(), 1U);
  EXPECT_EQ(world().apply(shop, {make_offer("2")}).removed, 0U);
  world().reopen();
  EXPECT_EQ(world().apply(shop, {make_offer("1"), make_offer("2")}).added, 1U);
  const auto again = world().store->find(1, "1");
  EXPECT_EQ((*again)->key, key);
  EXPECT_EQ((*again)->first_seen, 1000);
  EXPECT_EQ(*world().store->offers(), 2U);
}

TEST_P(OfferStoreTest, ADroppedUpdateLeavesNothing) {
  const Shop shop = world().shop(1);
  OfferStore& store = *world().store;
  world().apply(shop, {make_offer("1")});
  {
    auto update = store.begin(shop);
    ASSERT_TRUE((*update)->put(make_offer("1", "Стол")));
    feed::Offer other = make_offer("2");
    other.category_path = {"Сад"};
    ASSERT_TRUE((*update)->put(std::move(other)));
    EXPECT_EQ((*update)->difference()->added, 1U);
    EXPECT_EQ((*update)->difference()->changed, 1U);
    EXPECT_EQ(*store.offers(), 1U) << "reads see what was committed";
    EXPECT_FALSE(*store.find(1, "2"));
    EXPECT_EQ(store.begin(shop).error().code, ErrorCode::kInternal);
    EXPECT_EQ(store.begin_relink().error().code, ErrorCode::kInternal);
    FeedState state;
    state.fetched = 1;
    EXPECT_EQ(store.save_state(1, state).error().code, ErrorCode::kInternal);
    EXPECT_EQ(store.trim_changes(1).error().code, ErrorCode::kInternal);
    EXPECT_EQ((*update)->put(make_offer("3")).error().code, ErrorCode::kInternal) << "after difference()";
  }
  EXPECT_EQ(*store.revision(), 1U);
  EXPECT_EQ(world().all().size(), 1U);
  EXPECT_EQ(world().all()[0].offer.name, "Лампа");
  EXPECT_EQ(store.categories()->size(), 2U);
  const uint16_t slot = placement::slot_of_offer(1, "2");
  EXPECT_EQ(*store.last_position(slot), 0U);
  EXPECT_EQ(world().apply(shop, {make_offer("1"), make_offer("2")}).added, 1U);
  EXPECT_EQ((*store.key_of(1, "2"))->local(), 1U);
}

TEST_P(OfferStoreTest, WhatIsCommittedIsInNobodysWay) {
  const Shop shop = world().shop(1);
  OfferStore& store = *world().store;
  auto update = must(store.begin(shop));
  must(update->put(make_offer("1")));
  must(update->commit({}, "h"));
  FeedState state;
  state.fetched = 1;
  EXPECT_TRUE(store.save_state(1, state));
  auto relink = must(store.begin_relink());
  EXPECT_EQ(must(relink->commit()), 0U);
  EXPECT_TRUE(store.begin(shop));
  EXPECT_EQ(update->commit({}, "h").error().code, ErrorCode::kInternal);
  EXPECT_EQ(update->put(make_offer("1")).error().code, ErrorCode::kInternal);
}

TEST_P(OfferStoreTest, AnIdPutTwiceIsTheCallersError) {
  const Shop shop = world().shop(1);
  OfferStore& store = *world().store;
  world().apply(shop, {make_offer("1")});
  {
    auto update = store.begin(shop);
    ASSERT_TRUE((*update)->put(make_offer("1")));
    EXPECT_EQ((*update)->put(make_offer("1")).error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ((*update)->commit({}, "x").error().code, ErrorCode::kInternal) << "it ended with the error";
  }
  {
    auto update = store.begin(shop);
    ASSERT_TRUE((*update)->put(make_offer("2")));
    ASSERT_TRUE((*update)->put(make_offer("2")));
    EXPECT_EQ((*update)->difference().error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ((*update)->commit({}, "x").error().code, ErrorCode::kInternal);
  }
  for (const std::string& bad : {std::string(), std::string("a\0b", 3), std::string("\xff"), std::string(1021, 'x')}) {
    auto update = store.begin(shop);
    EXPECT_EQ((*update)->put(make_offer(bad)).error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(*store.revision(), 1U);
  Shop stranger;
  stranger.number = 9;
  EXPECT_EQ(store.begin(stranger).error().code, ErrorCode::kInvalidArgument);
}

TEST_P(OfferStoreTest, ShopsDoNotTouchEachOther) {
  world().apply(world().shop(1), {make_offer("1")});
  world().apply(world().shop(2), {make_offer("1")});
  EXPECT_EQ(world().apply(world().shop(2), {make_offer("2")}).removed, 1U);
  EXPECT_TRUE((*world().store->find(1, "1")).has_value());
}

TEST_P(OfferStoreTest, OneCategoryTreeInTheFirstSpelling) {
  feed::Offer other = make_offer("1");
  world().apply(world().shop(1), {other});
  other.category_path = {"ДОМ", " лампы", "Настольные"};
  feed::Offer none = make_offer("2");
  none.category_path.clear();
  none.category_id.clear();
  world().apply(world().shop(2), {other, none});
  OfferStore& store = *world().store;
  const auto categories = store.categories();
  ASSERT_EQ(categories->size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(*categories, {}, &StoredCategory::key));
  const auto stored = store.find(2, "1");
  EXPECT_EQ((*stored)->offer.category_path, (std::vector<std::string>{"ДОМ", " лампы", "Настольные"}));
  EXPECT_EQ((*stored)->category.type(), KeyType::kCategory);
  const auto first = store.find(1, "1");
  EXPECT_EQ((*first)->offer.category_path, (std::vector<std::string>{"Дом", "Лампы"}));
  EXPECT_EQ((*first)->category.slot(), placement::slot_of_name("category:дом\x1fлампы"));
  EXPECT_FALSE((*store.find(2, "2"))->category);
  // The same offer elsewhere in the tree is a change.
  other.category_path = {"Дом"};
  EXPECT_EQ(world().apply(world().shop(2), {other, none}).changed, 1U);
}

TEST_P(OfferStoreTest, CategoriesGetTheirKeysBeforeAnyOffer) {
  OfferStore& store = *world().store;
  const std::vector<std::vector<std::string>> paths{{"Дом", "Лампы"}, {"Сад"}, {"ДОМ"}};
  const auto keys = store.put_categories(paths);
  ASSERT_TRUE(keys) << to_string(keys.error());
  ASSERT_EQ(keys->size(), 3U);
  EXPECT_EQ(store.categories()->size(), 3U);
  EXPECT_EQ(*store.put_categories(paths), *keys);
  world().apply(world().shop(1), {make_offer("1")});
  EXPECT_EQ((*store.find(1, "1"))->category, (*keys)[0]);
  EXPECT_EQ(store.categories()->size(), 3U);
  EXPECT_EQ(*store.revision(), 1U);
}

TEST_P(OfferStoreTest, ScanStopsWithTheCallersError) {
  world().apply(world().shop(1), {make_offer("1"), make_offer("2")});
  int calls = 0;
  const Status status = world().store->scan([&](const StoredOffer&) -> Status {
    ++calls;
    return fail(ErrorCode::kOverloaded, "enough");
  });
  EXPECT_EQ(status.error().code, ErrorCode::kOverloaded);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(world().all().size(), 2U) << "and can be read again";
}

TEST_P(OfferStoreTest, CanBeReadBesideItsWriter) {
  const Shop shop = world().shop(1);
  world().apply(shop, {make_offer("1"), make_offer("2")}, "first");
  world().apply(shop, {make_offer("1")}, "second");
  auto reader = read_opener(GetParam())((world().folder.path() / "offers").string(), world().clock);
  ASSERT_TRUE(reader) << to_string(reader.error());
  EXPECT_EQ((*reader)->shops()->front().feed_hash, "second");
  const auto key = (*reader)->key_of(1, "1");
  ASSERT_TRUE(key && *key);
  EXPECT_EQ((*(*reader)->find(1, "1"))->key, **key);
  EXPECT_TRUE(*(*reader)->key_of(1, "2")) << "gone, its key stays";
  EXPECT_FALSE(*(*reader)->find(1, "2"));
  EXPECT_FALSE(*(*reader)->key_of(1, "3"));
  EXPECT_EQ((*reader)->put_shop(2, "other").error().code, ErrorCode::kUnavailable);
  EXPECT_EQ((*reader)->trim_changes(1).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ((*reader)->begin(shop).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ((*reader)->begin_relink().error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(world().apply(shop, {make_offer("1"), make_offer("3")}, "third").added, 1U);
}

TEST_P(OfferStoreTest, HasOneWriter) {
  auto second = world().open((world().folder.path() / "offers").string(), world().clock);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(second.error().message, ::testing::HasSubstr("in use by another process"));
}

}  // namespace
}  // namespace souk::offers
