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

// Five offers of ids 3, 4, 5 and, of one model, 1, 2: documents 0..4 in this order, groups 0, 1, 2, 3, 3. "5 кг" is
// param value 0 and of all; 1 is of documents 1 and 4, 2 of the others.
World five_offers() {
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
    offer.params = {{"Цвет", id % 2 == 0 ? "Белый" : "Красный"}, {"Вес", "5 кг"}};
    offers.push_back(offer);
  }
  return {offers, 1};
}

class HostileShard : public testing::Test {
 protected:
  const World world_ = five_offers();
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
  // One number of a narrow column of one per document.
  std::string refused_number(SectionId id, size_t at, uint64_t value) const {
    auto values = sections_.column(id, 5);
    values.at(at) = value;
    return replaced(id, values);
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
    if (!bytes.empty()) {
      changed.all()[id] = FileBytes(bytes.begin(), bytes.end() - 1);
      EXPECT_NE(refused(changed), "") << name_of(id);
    }
    changed.all()[id] = bytes;
    changed.all()[id].resize(bytes.size() + 8);
    EXPECT_NE(refused(changed), "") << name_of(id);
  }
}

TEST_F(HostileShard, CountsOutOfBounds) {
  enum { kShard, kShards, kDocuments, kGroups, kCategories, kVendors, kShops, kParamValues, kTerms };
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
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kCategories, 0), "category_list_terms");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kVendors, 0), "vendor_list_terms");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kShops, 0), "shops");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kParamValues, 1), "param_list_terms");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kTerms, kNoOrdinal), "stats");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kTerms, 1), "main_terms");
  EXPECT_EQ(refused<uint64_t>(SectionId::kStats, kTerms, kNoOrdinal - 1), "");  // the dictionary must have as many
}

// More of it: hostile_postings_test.cpp.
TEST_F(HostileShard, PostingsOfEverySet) {
  for (const PostingSections& sections : {kMainLists, kDescriptionLists, kParamLists}) {
    EXPECT_EQ(refused<uint32_t>(sections.terms, 0, kNoOrdinal), name_of(sections.terms));
    EXPECT_EQ(refused<uint32_t>(sections.entries, 0, 0), name_of(sections.entries));  // its df
    EXPECT_EQ(replaced(sections.chunks, std::vector<Chunk>(1)), name_of(sections.chunks));
    EXPECT_EQ(replaced(sections.bytes, std::vector<uint8_t>(63)), name_of(sections.bytes));
  }
  // "мышь" is in every description: no gaps, 5 impacts, 5 masks.
  EXPECT_EQ(refused<uint8_t>(SectionId::kDescriptionBytes, 4, 0), "description_bytes");
  EXPECT_EQ(refused<uint8_t>(SectionId::kDescriptionBytes, 9, kMainMask), "description_bytes");
}

TEST_F(HostileShard, OrdinalsBeyondTheDictionary) {
  EXPECT_EQ(refused<uint8_t>(SectionId::kCategories, 0, 1), "categories");
  EXPECT_EQ(refused<uint8_t>(SectionId::kVendors, 4, 1), "vendors");
  EXPECT_EQ(refused<uint8_t>(SectionId::kShops, 2, 1), "shops");
  EXPECT_EQ(refused<uint8_t>(SectionId::kShops, 2, 0xFF), "shops");  // every offer has a shop
  EXPECT_EQ(refused<uint8_t>(SectionId::kCategories, 0, 0xFF), "category_list_bytes");
  EXPECT_EQ(refused<uint8_t>(SectionId::kVendors, 0, 0xFF), "vendor_list_bytes");
  EXPECT_EQ(refused_number(SectionId::kVendors, 0, 0), "vendors");  // 8 bytes each
}

TEST_F(HostileShard, NumbersOutOfBounds) {
  constexpr uint64_t kMost = 1'000'000'000'000'000;
  EXPECT_EQ(refused_number(SectionId::kPrices, 0, 0), "prices");
  EXPECT_EQ(refused_number(SectionId::kPrices, 0, ~uint64_t{0}), "prices");
  EXPECT_EQ(refused_number(SectionId::kPrices, 0, kMost), "");
  EXPECT_EQ(refused_number(SectionId::kPrices, 0, kMost + 1), "prices");
  EXPECT_EQ(refused_number(SectionId::kOldPrices, 0, kMost + 1), "old_prices");
  EXPECT_EQ(refused_number(SectionId::kFirstSeen, 4, kMost + 1), "first_seen");
  EXPECT_EQ(refused_number(SectionId::kInStock, 0, 2), "in_stock");
  EXPECT_EQ(refused_number(SectionId::kInStock, 0, 256), "in_stock");
}

TEST_F(HostileShard, SectionsThatNeedNotBeThere) {
  std::vector<TestOffer> offers = world_.offers();
  offers[1].flags = 31;
  for (const size_t i : {1U, 3U}) {
    offers[i].currency = "USD";
    offers[i].own_price = 5;
  }
  const World world(offers, 1);
  const Sections sections{world.shard_files()[0], FileKind::kShard};
  const auto with = [&](SectionId id, auto values) {
    Sections changed = sections;
    changed.set(id, values);
    return refused(changed);
  };
  using Wide = std::vector<uint64_t>;
  using Docs = std::vector<uint32_t>;
  EXPECT_EQ(refused(sections), "");
  EXPECT_EQ(with(SectionId::kFlags, Wide{0, 1, 9, 31, 7}), "");
  EXPECT_EQ(with(SectionId::kFlags, Wide{0, 1, 8, 31, 7}), "flags") << "free, but not delivered";
  EXPECT_EQ(with(SectionId::kFlags, Wide{0, 1, 32, 31, 7}), "flags");
  EXPECT_EQ(with(SectionId::kFlags, Wide{0, 1, 1, 31}), "flags");
  EXPECT_EQ(with(SectionId::kForeignDocs, Docs{0, 4}), "");
  EXPECT_EQ(with(SectionId::kForeignDocs, Docs{0, 5}), "foreign_docs");
  EXPECT_EQ(with(SectionId::kForeignDocs, Docs{4, 4}), "foreign_docs");
  EXPECT_EQ(with(SectionId::kForeignDocs, Docs{0}), "foreign_currencies") << "two rows of them";
  EXPECT_EQ(with(SectionId::kForeignCurrencies, Wide{1, 0}), "foreign_currencies");
  EXPECT_EQ(with(SectionId::kForeignCurrencies, Wide{1, 17'577}), "foreign_currencies");
  EXPECT_EQ(with(SectionId::kForeignPrices, Wide{1, 0}), "foreign_prices");
  EXPECT_EQ(with(SectionId::kForeignOldPrices, Wide{1, 1'000'000'000'000'001}), "foreign_old_prices");
  for (const SectionId id : {SectionId::kForeignCurrencies, SectionId::kForeignPrices, SectionId::kForeignOldPrices}) {
    Sections changed = sections;
    changed.erase(id);
    EXPECT_EQ(refused(changed), name_of(id));
  }
}

TEST_F(HostileShard, Params) {
  EXPECT_EQ(refused<uint8_t>(SectionId::kParamValues, 0, 3), "param_values");
  EXPECT_EQ(refused<uint8_t>(SectionId::kParamValues, 1, 0), "param_values");  // twice
  EXPECT_EQ(refused<uint8_t>(SectionId::kParamValues, 1, 3), "param_values");  // beyond
  EXPECT_EQ(refused<uint8_t>(SectionId::kParamValues, 1, 0xFF), "param_values");
  EXPECT_EQ(refused<uint8_t>(SectionId::kParamOffsets, 0, 1), "param_offsets");
  EXPECT_EQ(refused<uint8_t>(SectionId::kParamOffsets, 2, 1), "param_offsets");
  EXPECT_EQ(refused<uint8_t>(SectionId::kParamOffsets, 2, 0xFF), "param_offsets");
  EXPECT_EQ(refused<uint8_t>(SectionId::kParamOffsets, 1, 1), "param_values");
  EXPECT_EQ(refused<uint8_t>(SectionId::kParamOffsets, 5, 9), "param_values");
  EXPECT_EQ(refused<uint8_t>(SectionId::kParamOffsets, 5, 11), "param_values");
}

TEST_F(HostileShard, ParamListsThatSayOtherThanTheColumns) {
  auto bytes = sections_.get<uint8_t>(SectionId::kParamListBytes);
  ASSERT_EQ(bytes[0], 0b1001);  // value 1: gaps 1 and 2
  bytes[0] = 0b1100;            // documents 0 and 4
  EXPECT_EQ(replaced(SectionId::kParamListBytes, bytes), "param_list_bytes");
  EXPECT_EQ(refused<uint8_t>(SectionId::kParamValues, 1, 1), "param_list_bytes");

  Sections changed = sections_;  // without value 2
  auto terms = changed.get<uint32_t>(SectionId::kParamListTerms);
  auto entries = changed.get<TermEntry>(SectionId::kParamListEntries);
  terms.pop_back();
  entries.pop_back();
  bytes.pop_back();
  bytes[0] = 0b1001;
  bytes[1] = 0;
  changed.set(SectionId::kParamListTerms, terms);
  changed.set(SectionId::kParamListEntries, entries);
  changed.set(SectionId::kParamListBytes, bytes);
  EXPECT_EQ(refused(changed), "param_list_entries");
}

TEST_F(HostileShard, Groups) {
  EXPECT_EQ(refused<uint32_t>(SectionId::kGroupBegins, 1, 0), "group_begins");  // an empty group
  EXPECT_EQ(refused<uint32_t>(SectionId::kGroupBegins, 0, 1), "group_begins");
  EXPECT_EQ(refused<uint32_t>(SectionId::kGroupBegins, 4, 4), "group_begins");
  EXPECT_EQ(refused<uint32_t>(SectionId::kGroupBegins, 1, kNoOrdinal), "group_begins");
  EXPECT_EQ(refused<uint32_t>(SectionId::kGroupBegins, 3, 4), "keys");
  auto keys = sections_.get<uint64_t>(SectionId::kGroupKeys);
  std::swap(keys[0], keys[1]);
  EXPECT_EQ(replaced(SectionId::kGroupKeys, keys), "group_keys");
  keys[0] = keys[1];
  EXPECT_EQ(replaced(SectionId::kGroupKeys, keys), "group_keys");
  EXPECT_EQ(refused<uint64_t>(SectionId::kGroupKeys, 0, 0), "group_keys");
}

TEST_F(HostileShard, GroupsOfSeveralLevels) {
  Sections changed = sections_;
  auto begins = changed.get<uint32_t>(SectionId::kLevelBegins);
  std::fill(begins.begin() + 1, begins.end() - 1, 1U);  // document 0 is of level 15
  changed.set(SectionId::kLevelBegins, begins);
  EXPECT_EQ(refused(changed), "");
  auto keys = changed.get<uint64_t>(SectionId::kGroupKeys);
  std::swap(keys[0], keys[1]);  // of different levels: no order between them
  changed.set(SectionId::kGroupKeys, keys);
  EXPECT_EQ(refused(changed), "");
  keys[0] = keys[3];  // but none may occur twice
  changed.set(SectionId::kGroupKeys, keys);
  EXPECT_EQ(refused(changed), "group_keys");
}

TEST_F(HostileShard, OrderByKey) {
  EXPECT_EQ(refused<uint32_t>(SectionId::kKeyOrder, 0, 1), "key_order");
  EXPECT_EQ(refused<uint32_t>(SectionId::kKeyOrder, 4, 5), "key_order");
  EXPECT_EQ(refused<uint32_t>(SectionId::kKeyOrder, 4, kNoOrdinal), "key_order");
  auto keys = sections_.get<uint64_t>(SectionId::kKeys);
  std::swap(keys[3], keys[4]);  // of one group
  EXPECT_EQ(replaced(SectionId::kKeys, keys), "keys");
  std::swap(keys[3], keys[4]);
  keys[1] = keys[0];  // two documents of one key
  EXPECT_EQ(replaced(SectionId::kKeys, keys), "key_order");
  EXPECT_EQ(refused<uint64_t>(SectionId::kKeys, 3, 0), "key_order");  // none is 0
}

TEST_F(HostileShard, Levels) {
  EXPECT_EQ(refused<uint32_t>(SectionId::kLevelBegins, 0, 1), "level_begins");
  EXPECT_EQ(refused<uint32_t>(SectionId::kLevelBegins, kLevels, 4), "level_begins");
  EXPECT_EQ(refused<uint32_t>(SectionId::kLevelBegins, 5, 6), "level_begins");
  auto begins = sections_.get<uint32_t>(SectionId::kLevelBegins);
  std::fill(begins.begin() + 1, begins.end() - 1, 4U);  // between two offers of one model
  EXPECT_EQ(replaced(SectionId::kLevelBegins, begins), "level_begins");
}

TEST_F(HostileShard, Words) {
  EXPECT_EQ(refused<uint8_t>(SectionId::kForwardOffsets, 0, 1), "forward_offsets");
  EXPECT_EQ(refused<uint8_t>(SectionId::kForwardOffsets, 2, 0xFF), "forward_offsets");
  EXPECT_EQ(refused<uint8_t>(SectionId::kForwardTerms, 0, 100), "forward_terms");
  EXPECT_EQ(refused<uint8_t>(SectionId::kForwardTerms, 0, 0xFF), "");  // a break
}

}  // namespace
}  // namespace souk::index
