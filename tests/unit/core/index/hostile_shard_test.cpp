// SPDX-License-Identifier: Apache-2.0
// Shard files with right checksums around wrong content: each is refused, and the section is named.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/index/shard_index.h"
#include "tests/unit/core/sections.h"

namespace souk::index {
namespace {

using test::FileBytes;
using test::Sections;
using test::TestOffer;
using test::World;

// Five offers, two of them of one model; documents 0..4 in this order.
World small_world() {
  std::vector<TestOffer> offers;
  for (uint64_t id = 1; id <= 5; ++id) {
    TestOffer offer;
    offer.id = id;
    offer.slot = 1;
    offer.model = id <= 2 ? 1 : 0;
    offer.title = "кот";
    offer.description = "мышь";
    offer.category = {"Зоо"};
    offer.vendor = "Lynx";
    offer.params = {{"Цвет", "Красный"}, {"Вес", "5 кг"}};
    offers.push_back(offer);
  }
  return {offers, 1};
}

class HostileShard : public testing::Test {
 protected:
  const World world_ = small_world();
  const Sections sections_{world_.shard_files()[0], FileKind::kShard};

  static std::string refused(const Sections& changed) {
    const FileBytes file = changed.build();
    const auto opened = ShardIndex::open(file);
    if (opened) return "";
    EXPECT_EQ(opened.error().code, ErrorCode::kCorruption);
    return opened.error().argument;
  }
  template <typename T>
  std::string refused(SectionId id, size_t at, T value) const {
    Sections changed = sections_;
    auto values = changed.get<T>(id);
    values.at(at) = value;
    changed.set(id, values);
    return refused(changed);
  }
  template <typename T>
  std::string replaced(SectionId id, const std::vector<T>& values) const {
    Sections changed = sections_;
    changed.set(id, values);
    return refused(changed);
  }
};

TEST_F(HostileShard, UnchangedItOpens) {
  EXPECT_EQ(refused(sections_), "");
}

TEST_F(HostileShard, EveryMissingOrShortenedSection) {
  Sections all = sections_;
  for (const auto& [id, bytes] : all.all()) {
    Sections changed = sections_;
    changed.erase(id);
    EXPECT_EQ(refused(changed), name_of(id));
    changed.all()[id] = FileBytes(bytes.begin(), bytes.end() - 1);
    EXPECT_NE(refused(changed), "") << name_of(id);
    changed.all()[id] = bytes;
    changed.all()[id].resize(bytes.size() + 8);
    EXPECT_NE(refused(changed), "") << name_of(id);
  }
}

TEST_F(HostileShard, CountsOutOfBounds) {
  enum { kShard, kShards, kDocuments, kGroups, kCategories, kVendors, kShops, kParamValues };
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kShard, 0), "stats");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kShard, 2), "stats");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kShards, 0), "stats");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kDocuments, uint64_t{1} << 32), "stats");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kDocuments, ~uint64_t{0}), "stats");
  EXPECT_NE(refused<uint64_t>(SectionId::kStats, kDocuments, 6), "");
  EXPECT_NE(refused<uint64_t>(SectionId::kStats, kDocuments, 4), "");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kGroups, 6), "stats");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kGroups, 3), "group_keys");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kCategories, kNoOrdinal), "stats");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kCategories, 0), "categories");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kVendors, 0), "vendors");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kShops, 0), "shops");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kParamValues, 1), "param_values");
}

TEST_F(HostileShard, Postings) {
  EXPECT_EQ(refused<uint32_t>(SectionId::kMainDocs, 4, 5), "main_docs");  // beyond the last document
  EXPECT_EQ(refused<uint32_t>(SectionId::kMainDocs, 1, 0), "main_docs");  // twice
  EXPECT_EQ(refused<uint32_t>(SectionId::kMainDocs, 0, 3), "main_docs");  // descending
  EXPECT_EQ(refused<uint32_t>(SectionId::kDescriptionDocs, 4, kNoOrdinal), "description_docs");
  EXPECT_EQ(refused<uint64_t>(SectionId::kMainPostingOffsets, 0, 1), "main_posting_offsets");
  EXPECT_EQ(refused<uint64_t>(SectionId::kMainPostingOffsets, 1, 0), "main_posting_offsets");  // an empty list
  EXPECT_EQ(refused<uint64_t>(SectionId::kMainPostingOffsets, 1, ~uint64_t{0}), "main_posting_offsets");
  EXPECT_EQ(refused<uint64_t>(SectionId::kMainPostingOffsets, 2, 3), "main_posting_offsets");
  EXPECT_EQ(refused<uint64_t>(SectionId::kDescriptionPostingOffsets, 1, 4), "description_posting_offsets");
  EXPECT_EQ(refused<uint8_t>(SectionId::kMainMasks, 0, 0), "main_masks");
  EXPECT_EQ(refused<uint8_t>(SectionId::kMainMasks, 0, kDescriptionMask), "main_masks");
  EXPECT_EQ(refused<uint8_t>(SectionId::kDescriptionMasks, 0, 1), "description_masks");
}

TEST_F(HostileShard, TermsOutOfOrder) {
  EXPECT_EQ(refused<uint64_t>(SectionId::kMainTermOffsets, 1, 0), "");  // an empty first term is in order
  auto bytes = sections_.get<char>(SectionId::kMainTermBytes);
  std::ranges::reverse(bytes);
  EXPECT_EQ(replaced(SectionId::kMainTermBytes, bytes), "main_term_offsets");
  EXPECT_EQ(refused<uint64_t>(SectionId::kMainTermOffsets, 1, 1000), "main_term_offsets");
}

TEST_F(HostileShard, OrdinalsBeyondTheDictionary) {
  EXPECT_EQ(refused<uint32_t>(SectionId::kCategories, 0, 1), "categories");
  EXPECT_EQ(refused<uint32_t>(SectionId::kVendors, 4, 1), "vendors");
  EXPECT_EQ(refused<uint32_t>(SectionId::kShops, 2, 1), "shops");
  EXPECT_EQ(refused<uint32_t>(SectionId::kShops, 2, kNoOrdinal), "shops");  // every offer has a shop
  EXPECT_EQ(refused<uint32_t>(SectionId::kCategories, 0, kNoOrdinal), "");
  EXPECT_EQ(refused<uint32_t>(SectionId::kVendors, 0, kNoOrdinal), "");
}

TEST_F(HostileShard, NumbersOutOfBounds) {
  constexpr int64_t kMost = 1'000'000'000'000'000;
  EXPECT_EQ(refused<int64_t>(SectionId::kPrices, 0, 0), "prices");
  EXPECT_EQ(refused<int64_t>(SectionId::kPrices, 0, -1), "prices");
  EXPECT_EQ(refused<int64_t>(SectionId::kPrices, 0, kMost), "");
  EXPECT_EQ(refused<int64_t>(SectionId::kPrices, 0, kMost + 1), "prices");
  EXPECT_EQ(refused<int64_t>(SectionId::kOldPrices, 0, -1), "old_prices");
  EXPECT_EQ(refused<int64_t>(SectionId::kOldPrices, 0, kMost + 1), "old_prices");
  EXPECT_EQ(refused<int64_t>(SectionId::kFirstSeen, 0, -1), "first_seen");
  EXPECT_EQ(refused<uint8_t>(SectionId::kInStock, 0, 2), "in_stock");
}

TEST_F(HostileShard, Params) {
  EXPECT_EQ(refused<uint32_t>(SectionId::kParamValues, 0, 2), "param_values");
  EXPECT_EQ(refused<uint32_t>(SectionId::kParamValues, 1, 0), "param_values");  // twice
  EXPECT_EQ(refused<uint32_t>(SectionId::kParamValues, 1, 2), "param_values");  // beyond
  EXPECT_EQ(refused<uint64_t>(SectionId::kParamOffsets, 0, 1), "param_offsets");
  EXPECT_EQ(refused<uint64_t>(SectionId::kParamOffsets, 2, 1), "param_offsets");
  EXPECT_EQ(refused<uint64_t>(SectionId::kParamOffsets, 2, ~uint64_t{0}), "param_offsets");
  EXPECT_NE(refused<uint64_t>(SectionId::kParamOffsets, 5, 9), "");
}

TEST_F(HostileShard, Groups) {
  EXPECT_EQ(refused<uint32_t>(SectionId::kGroups, 0, 1), "group_docs");  // member of another group
  EXPECT_EQ(refused<uint32_t>(SectionId::kGroups, 0, 100), "group_docs");
  EXPECT_EQ(refused<uint32_t>(SectionId::kGroupDocs, 0, 5), "group_docs");
  EXPECT_EQ(refused<uint32_t>(SectionId::kGroupDocs, 0, 1), "group_docs");        // one document twice, one never
  EXPECT_EQ(refused<uint64_t>(SectionId::kGroupOffsets, 1, 0), "group_offsets");  // an empty group
  EXPECT_EQ(refused<uint64_t>(SectionId::kGroupOffsets, 1, ~uint64_t{0}), "group_offsets");
  auto keys = sections_.get<uint64_t>(SectionId::kGroupKeys);
  std::swap(keys[0], keys[1]);
  EXPECT_EQ(replaced(SectionId::kGroupKeys, keys), "group_keys");
}

TEST_F(HostileShard, OrderByKey) {
  EXPECT_EQ(refused<uint32_t>(SectionId::kKeyOrder, 0, 1), "key_order");
  EXPECT_EQ(refused<uint32_t>(SectionId::kKeyOrder, 4, 5), "key_order");
  auto keys = sections_.get<uint64_t>(SectionId::kKeys);
  keys[1] = keys[0];  // two documents of one key
  EXPECT_EQ(replaced(SectionId::kKeys, keys), "key_order");
}

TEST_F(HostileShard, Levels) {
  EXPECT_EQ(refused<uint32_t>(SectionId::kLevelBegins, 0, 1), "level_begins");
  EXPECT_EQ(refused<uint32_t>(SectionId::kLevelBegins, kLevels, 4), "level_begins");
  EXPECT_EQ(refused<uint32_t>(SectionId::kLevelBegins, 5, 6), "level_begins");
}

}  // namespace
}  // namespace souk::index
