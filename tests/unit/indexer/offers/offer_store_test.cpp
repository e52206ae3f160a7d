// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/offer_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/placement/slots.h"
#include "indexer/offers/identity.h"
#include "tests/unit/indexer/offers/store_fixture.h"

namespace souk::offers {
namespace {

TEST(OfferStore, NumbersShopsOnceAndForAll) {
  World world;
  const Shop first = world.shop(1);
  EXPECT_EQ(first.number, 1U);
  EXPECT_EQ(first.name, "shop-1");
  EXPECT_EQ(first.key.type(), KeyType::kShop);
  EXPECT_EQ(first.key.slot(), placement::slot_of_name("shop:shop-1"));
  world.reopen();
  EXPECT_EQ(world.shop(1).key, first.key);
  EXPECT_EQ(world.store->put_shop(1, "other").error().code, ErrorCode::kVersionMismatch);
  EXPECT_EQ(world.store->put_shop(2, "shop-1").error().code, ErrorCode::kVersionMismatch);
  for (const std::string& bad : {std::string(), std::string(101, 'x'), std::string("a\nb"), std::string("\xff")}) {
    EXPECT_EQ(world.store->put_shop(3, bad).error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(world.store->put_shop(0, "zero").error().code, ErrorCode::kInvalidArgument);
  world.shop(300);
  world.shop(2);
  std::vector<uint32_t> numbers;
  for (const Shop& shop : *world.store->shops()) numbers.push_back(shop.number);
  EXPECT_EQ(numbers, (std::vector<uint32_t>{1, 2, 300}));
}

TEST(OfferStore, KeepsWhatWasCommitted) {
  World world;
  const Shop shop = world.shop(1);
  feed::Offer offer = make_offer("A 1", "Лампа");
  offer.vendor = "Норвик";
  offer.vendor_code = "LX";
  offer.url = "https://shop.example/1";
  offer.model = "M";
  offer.description = "Свет";
  offer.group_id = "g";
  offer.pictures = {"http://a", "http://b"};
  offer.barcodes = {"4600000000008"};
  offer.params = {{"Цвет", "белый", ""}, {"Мощность", "10", "Вт"}};
  offer.old_price = 20000;
  offer.available = false;
  EXPECT_EQ(world.apply(shop, {offer, make_offer("2")}).added, 2U);
  world.reopen();
  const auto found = world.store->find(1, "A 1");
  ASSERT_TRUE(found && *found);
  const StoredOffer& stored = **found;
  EXPECT_EQ(stored.key.type(), KeyType::kOffer);
  EXPECT_EQ(stored.key.slot(), placement::slot_of_offer(1, "A 1"));
  EXPECT_EQ(stored.model.slot(), placement::slot_of_name("model:b:4600000000008"));
  EXPECT_EQ(stored.shop, 1U);
  EXPECT_EQ(stored.first_seen, 1000);
  EXPECT_EQ(stored.offer.line, 0U);
  EXPECT_EQ(stored.offer.name, "Лампа");
  EXPECT_EQ(stored.offer.vendor_code, "LX");
  EXPECT_EQ(stored.offer.category_path, offer.category_path);
  EXPECT_EQ(stored.offer.params, offer.params);
  EXPECT_EQ(stored.offer.pictures, offer.pictures);
  EXPECT_EQ(stored.offer.old_price, 20000);
  EXPECT_FALSE(stored.offer.available);
  EXPECT_EQ((*world.store->find(stored.key))->offer.id, "A 1");
  EXPECT_FALSE((*world.store->find(2, "A 1")).has_value());
  EXPECT_FALSE((*world.store->find(1, "A")).has_value());
  const Shop after = world.store->shops()->front();
  EXPECT_EQ(after.display_name, "Shop");
  EXPECT_EQ(after.url, "https://shop.example/");
  EXPECT_EQ(after.feed_hash, "h");
  const auto all = world.all();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_LT(all[0].key, all[1].key);
}

TEST(OfferStore, CountsTheDifference) {
  World world;
  const Shop shop = world.shop(1);
  world.apply(shop, {make_offer("1"), make_offer("2"), make_offer("3")});
  EXPECT_EQ(*world.store->revision(), 1U);
  feed::Offer other_line = make_offer("2");
  other_line.line = 99;
  const Difference difference = world.apply(shop, {make_offer("1", "Стол"), other_line, make_offer("4")}, "h2");
  EXPECT_EQ(difference.added, 1U);
  EXPECT_EQ(difference.changed, 1U);
  EXPECT_EQ(difference.removed, 1U);
  EXPECT_EQ(*world.store->revision(), 2U);
}

TEST(OfferStore, TheSameAgainChangesNothing) {
  World world;
  const Shop shop = world.shop(1);
  world.apply(shop, {make_offer("1")});
  world.clock.set_unix_seconds(5000);
  const Difference difference = world.apply(shop, {make_offer("1")});
  EXPECT_EQ(difference.added + difference.changed + difference.removed, 0U);
  EXPECT_EQ(*world.store->revision(), 1U);
  // Other bytes, equal offers: the hash is remembered, the catalogue is the same.
  world.apply(shop, {make_offer("1")}, "h2");
  EXPECT_EQ(*world.store->revision(), 1U);
  EXPECT_EQ(world.store->shops()->front().feed_hash, "h2");
}

TEST(OfferStore, GoneOffersComeBackUnderTheirKeys) {
  World world;
  const Shop shop = world.shop(1);
  world.apply(shop, {make_offer("1"), make_offer("2")});
  const DocKey key = (*world.store->find(1, "1"))->key;
  world.clock.set_unix_seconds(2000);
  EXPECT_EQ(world.apply(shop, {make_offer("2")}).removed, 1U);
  EXPECT_FALSE((*world.store->find(1, "1")).has_value());
  EXPECT_FALSE((*world.store->find(key)).has_value());
  EXPECT_EQ(world.all().size(), 1U);
  EXPECT_EQ(world.apply(shop, {make_offer("2")}).removed, 0U);
  world.reopen();
  EXPECT_EQ(world.apply(shop, {make_offer("1"), make_offer("2")}).added, 1U);
  const auto again = world.store->find(1, "1");
  EXPECT_EQ((*again)->key, key);
  EXPECT_EQ((*again)->first_seen, 1000);
}

TEST(OfferStore, ADroppedUpdateLeavesNothing) {
  World world;
  const Shop shop = world.shop(1);
  world.apply(shop, {make_offer("1")});
  {
    auto update = world.store->begin(shop);
    ASSERT_TRUE((*update)->put(make_offer("1", "Стол")));
    feed::Offer other = make_offer("2");
    other.category_path = {"Сад"};
    ASSERT_TRUE((*update)->put(std::move(other)));
    EXPECT_EQ(world.store->begin(shop).error().code, ErrorCode::kInternal);
  }
  EXPECT_EQ(*world.store->revision(), 1U);
  EXPECT_EQ(world.all().size(), 1U);
  EXPECT_EQ(world.all()[0].offer.name, "Лампа");
  EXPECT_EQ(world.store->categories()->size(), 2U);
  EXPECT_EQ(world.apply(shop, {make_offer("1"), make_offer("2")}).added, 1U);
}

TEST(OfferStore, ShopsDoNotTouchEachOther) {
  World world;
  world.apply(world.shop(1), {make_offer("1")});
  world.apply(world.shop(2), {make_offer("1")});
  EXPECT_EQ(world.apply(world.shop(2), {make_offer("2")}).removed, 1U);
  EXPECT_TRUE((*world.store->find(1, "1")).has_value());
}

TEST(OfferStore, OneModelOverShops) {
  World world;
  const auto with = [](const std::string& id, const std::string& barcode, const std::string& code,
                       const std::string& group) {
    feed::Offer offer = make_offer(id);
    if (!barcode.empty()) offer.barcodes = {barcode};
    if (!code.empty()) offer.vendor = "Норвик", offer.vendor_code = code;
    offer.group_id = group;
    return offer;
  };
  world.apply(world.shop(1), {with("upc", "036000291452", "", ""), with("code", "", "Ёx-1", ""),
                              with("group", "", "", "5"), with("none", "", "", "")});
  feed::Offer folded = with("code", "", "еX-1", "6");
  folded.vendor = " НОРВИК";
  world.apply(world.shop(2), {with("ean", "0036000291452", "zz", ""), folded, with("group", "", "", "5")});
  const auto model = [&](uint32_t shop, const char* id) { return (*world.store->find(shop, id))->model; };
  EXPECT_TRUE(model(1, "upc"));
  EXPECT_EQ(model(1, "upc").type(), KeyType::kModel);
  EXPECT_EQ(model(1, "upc"), model(2, "ean"));
  EXPECT_EQ(model(1, "code"), model(2, "code"));
  EXPECT_NE(model(1, "group"), model(2, "group"));
  EXPECT_FALSE(model(1, "none"));
}

TEST(OfferStore, OneCategoryTreeInTheFirstSpelling) {
  World world;
  feed::Offer other = make_offer("1");
  world.apply(world.shop(1), {other});
  other.category_path = {"ДОМ", " лампы", "Настольные"};
  world.apply(world.shop(2), {other});
  const auto categories = world.store->categories();
  ASSERT_EQ(categories->size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(*categories, {}, &StoredCategory::key));
  const auto stored = world.store->find(2, "1");
  EXPECT_EQ((*stored)->offer.category_path, (std::vector<std::string>{"ДОМ", " лампы", "Настольные"}));
  EXPECT_EQ((*stored)->category.type(), KeyType::kCategory);
  const auto first = world.store->find(1, "1");
  EXPECT_EQ((*first)->offer.category_path, (std::vector<std::string>{"Дом", "Лампы"}));
  EXPECT_EQ((*first)->category.slot(), placement::slot_of_name("category:дом\x1fлампы"));
}

TEST(OfferStore, ScanStopsWithTheCallersError) {
  World world;
  world.apply(world.shop(1), {make_offer("1"), make_offer("2")});
  int calls = 0;
  const Status status = world.store->scan([&](const StoredOffer&) -> Status {
    ++calls;
    return fail(ErrorCode::kOverloaded, "enough");
  });
  EXPECT_EQ(status.error().code, ErrorCode::kOverloaded);
  EXPECT_EQ(calls, 1);
}

TEST(OfferStore, SaysClearlyWhyItDoesNotOpen) {
  World world;
  const auto second = open_rocksdb_store((world.folder.path() / "offers").string(), world.clock);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(second.error().message, ::testing::HasSubstr("in use by another process"));
  const std::filesystem::path file = world.folder.path() / "file";
  std::ofstream(file) << "x";
  const auto not_a_folder = open_rocksdb_store((file / "offers").string(), world.clock);
  ASSERT_FALSE(not_a_folder);
  EXPECT_EQ(not_a_folder.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(to_string(not_a_folder.error()).find('\n'), std::string::npos);
}

TEST(OfferStore, CanBeReadWhileAnotherProcessHasIt) {
  World world;
  const std::string folder = (world.folder.path() / "offers").string();
  const Shop shop = world.shop(1);
  world.apply(shop, {make_offer("1"), make_offer("2")}, "first");
  world.apply(shop, {make_offer("1")}, "second");
  auto reader = open_rocksdb_store_to_read(folder, world.clock);
  ASSERT_TRUE(reader) << to_string(reader.error());
  EXPECT_EQ((*reader)->shops()->front().feed_hash, "second");
  const auto key = (*reader)->key_of(1, "1");
  ASSERT_TRUE(key && *key);
  EXPECT_EQ((*(*reader)->find(1, "1"))->key, **key);
  EXPECT_TRUE(*(*reader)->key_of(1, "2")) << "gone, its key stays";
  EXPECT_FALSE(*(*reader)->find(1, "2"));
  EXPECT_FALSE(*(*reader)->key_of(1, "3"));
  const auto written = (*reader)->put_shop(2, "other");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kUnavailable);
  world.apply(shop, {make_offer("1"), make_offer("3")}, "third");
  EXPECT_FALSE(*(*reader)->key_of(1, "3")) << "it reads what was there when it opened";

  const std::filesystem::path none = world.folder.path() / "none";
  EXPECT_EQ(open_rocksdb_store_to_read(none.string(), world.clock).error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(none));
}

TEST(Identity, PrefersTheBestEvidence) {
  feed::Offer offer = make_offer("1");
  EXPECT_EQ(model_identity(5, offer), "");
  offer.group_id = "9";
  EXPECT_EQ(model_identity(5, offer),
            "g:5\x1f"
            "9");
  offer.vendor_code = "X";
  EXPECT_EQ(model_identity(5, offer),
            "g:5\x1f"
            "9");
  offer.vendor = "V  V";
  EXPECT_EQ(model_identity(5, offer), "v:v v\x1fx");
  offer.barcodes = {"96385074", "4600000000008"};
  EXPECT_EQ(model_identity(5, offer), "b:96385074");
}

}  // namespace
}  // namespace souk::offers
