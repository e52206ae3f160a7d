// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/placement/slots.h"
#include "tests/unit/indexer/offers/databases.h"

namespace souk::offers {
namespace {

using ChangeLogTest = DatabaseTest;
SOUK_ON_ALL_DATABASES(ChangeLogTest);

std::vector<std::pair<Change::Kind, uint64_t>> kinds(const std::vector<Change>& changes) {
  std::vector<std::pair<Change::Kind, uint64_t>> kinds;
  for (const Change& change : changes) kinds.emplace_back(change.kind, change.revision);
  return kinds;
}

TEST_P(ChangeLogTest, TellsEachChangeInItsSlot) {
  const Shop shop = world().shop(1);
  OfferStore& store = *world().store;
  const uint16_t slot = placement::slot_of_offer(1, "1");
  EXPECT_TRUE(store.changes(slot, 0, 10)->empty());
  EXPECT_EQ(*store.last_position(slot), 0U);
  feed::Offer offer = make_offer("1");
  offer.barcodes = {"4600000000008"};
  world().apply(shop, {offer, make_offer("2")});
  world().link_barcodes();
  offer.name = "Стол";
  world().apply(shop, {offer, make_offer("2")}, "h2");
  world().apply(shop, {make_offer("2")}, "h3");
  world().apply(shop, {make_offer("2")}, "h4");
  world().reopen();
  const auto changes = world().store->changes(slot, 0, 10);
  ASSERT_TRUE(changes) << to_string(changes.error());
  using enum Change::Kind;
  EXPECT_EQ(kinds(*changes),
            (std::vector<std::pair<Change::Kind, uint64_t>>{{kPut, 1}, {kLinked, 2}, {kPut, 3}, {kGone, 4}}));
  for (size_t i = 0; i < changes->size(); ++i) {
    EXPECT_EQ((*changes)[i].position, i + 1);
    EXPECT_EQ((*changes)[i].key, *world().store->key_of(1, "1"));
  }
  EXPECT_EQ(*world().store->last_position(slot), 4U);
  EXPECT_EQ(kinds(*world().store->changes(slot, 1, 2)),
            (std::vector<std::pair<Change::Kind, uint64_t>>{{kLinked, 2}, {kPut, 3}}));
  EXPECT_TRUE(world().store->changes(slot, 4, 10)->empty());
  EXPECT_EQ(world().store->changes(placement::slot_of_offer(1, "2"), 0, 10)->size(), 1U);
}

TEST_P(ChangeLogTest, SaysWhenWhatIsAskedForWasTrimmed) {
  const Shop shop = world().shop(1);
  const uint16_t slot = placement::slot_of_offer(1, "1");
  for (const char* name : {"a", "b", "c"}) world().apply(shop, {make_offer("1", name), make_offer("2")}, name);
  ASSERT_TRUE(world().store->trim_changes(2));
  ASSERT_TRUE(world().store->trim_changes(1)) << "earlier than before: nothing to do";
  world().reopen();
  OfferStore& store = *world().store;
  EXPECT_EQ(store.changes(slot, 0, 10).error().code, ErrorCode::kGone);
  EXPECT_EQ(store.changes(slot, 1, 10).error().code, ErrorCode::kGone);
  EXPECT_EQ(kinds(*store.changes(slot, 2, 10)),
            (std::vector<std::pair<Change::Kind, uint64_t>>{{Change::Kind::kPut, 3}}));
  EXPECT_EQ(*store.last_position(slot), 3U);
  const uint16_t other = placement::slot_of_offer(1, "2");
  EXPECT_EQ(store.changes(other, 0, 10).error().code, ErrorCode::kGone);
  EXPECT_TRUE(store.changes(other, 1, 10)->empty());
  world().apply(shop, {make_offer("1", "d")}, "d");
  EXPECT_EQ(store.changes(slot, 2, 10)->back().position, 4U) << "positions go on";
  EXPECT_EQ(store.changes(other, 1, 10)->front().position, 2U);
  ASSERT_TRUE(store.trim_changes(99));
  EXPECT_TRUE(store.changes(slot, 4, 10)->empty());
  EXPECT_EQ(*store.last_position(slot), 4U);
}

}  // namespace
}  // namespace souk::offers
