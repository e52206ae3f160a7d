// SPDX-License-Identifier: Apache-2.0
#include "core/placement/slots.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace souk::placement {
namespace {

TEST(Slots, PublishedVector) {
  EXPECT_EQ(slot_of_name("1.2.3.4"), 1537);
}

TEST(Slots, OfferIsNamedByShopNumberAndId) {
  EXPECT_EQ(slot_of_offer(12, "ab:c"), slot_of_name("12:ab:c"));
}

RC_GTEST_PROP(Slots, EvenTableIsWholeAndBalanced, ()) {
  const auto shards = *rc::gen::inRange<uint32_t>(1, 257);
  const SlotTable table = even_slot_table(shards);
  RC_ASSERT(check_slot_table(table, shards).has_value());
  std::map<uint16_t, uint32_t> slots;
  for (const uint16_t shard : table) ++slots[shard];
  for (const auto& [shard, count] : slots) {
    RC_ASSERT(count >= kOpenSlots / shards);
    RC_ASSERT(count <= kOpenSlots / shards + 1);
  }
}

TEST(Slots, BrokenTablesAreRefused) {
  EXPECT_FALSE(check_slot_table({}, 1));
  SlotTable table = even_slot_table(8);
  EXPECT_FALSE(check_slot_table(table, 9));  // nobody holds shard 9
  table[5] = 9;
  EXPECT_FALSE(check_slot_table(table, 8));
  table[5] = 0;
  EXPECT_FALSE(check_slot_table(table, 8));
}

}  // namespace
}  // namespace souk::placement
