// SPDX-License-Identifier: Apache-2.0
#include "core/index/shard_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "core/index/currency_code.h"
#include "core/index/shard_writer.h"
#include "tests/unit/core/world.h"

namespace souk::index {
namespace {

using test::FileBytes;
using test::TestOffer;
using test::World;

std::vector<TestOffer> offers() {
  std::vector<TestOffer> all;
  for (uint64_t id = 1; id <= 40; ++id) {
    TestOffer offer;
    offer.id = id;
    offer.model = id % 5 == 0 ? 0 : id % 7 + 1;
    offer.title = id % 2 == 0 ? "злой кот" : "мышь с пищалкой";
    offer.description = id % 3 == 0 ? "подарок для кота" : "";
    if (id % 4 != 0) offer.category = {"Зоо", id % 8 < 4 ? "Игрушки" : "Корм"};
    if (id % 3 != 0) offer.vendor = id % 3 == 1 ? "Lynx" : "Cygnus";
    offer.shop = static_cast<uint32_t>(id % 4 + 1);
    offer.price = static_cast<int64_t>(id * 100);
    offer.old_price = id % 2 == 0 ? offer.price + 50 : 0;
    offer.in_stock = id % 6 != 0;
    offer.first_seen = static_cast<int64_t>(1'700'000'000 + id);
    offer.level = static_cast<uint8_t>(id % 16);
    if (id % 5 != 0) offer.flags = static_cast<uint8_t>(id % 8);
    if (id % 4 == 1) {
      offer.currency = id % 8 == 1 ? "USD" : "KZT";
      offer.own_price = static_cast<int64_t>(id);
      offer.own_old_price = static_cast<int64_t>(id % 3);
    }
    if (id % 2 == 0) offer.params = {{"Цвет", "Красный"}, {"Вес", std::to_string(id % 3) + " кг"}};
    all.push_back(offer);
  }
  return all;
}

std::string ordinal_name(uint32_t ordinal, std::string_view (Dictionary::*name)(uint32_t) const,
                         const Dictionary& dictionary) {
  return ordinal == kNoOrdinal ? "" : std::string((dictionary.*name)(ordinal));
}

// The level of a model is the best one of its offers.
uint8_t level_of(const World& world, const TestOffer& offer) {
  uint8_t level = 0;
  for (const TestOffer& other : world.offers()) {
    if (other.group() == offer.group()) level = std::max(level, other.level);
  }
  return level;
}

void expect_columns(const World& world, const ShardIndex& shard, uint32_t doc, const TestOffer& offer) {
  const Dictionary& dictionary = world.dictionary();
  EXPECT_EQ(shard.keys()[doc], offer.key().value());
  EXPECT_EQ(shard.versions()[doc], offer.version());
  EXPECT_EQ(shard.group_keys()[shard.group_of(doc)], offer.group().value());
  EXPECT_EQ(ordinal_name(shard.categories()[doc], &Dictionary::category_name, dictionary),
            offer.category.empty() ? "" : offer.category.back());
  EXPECT_EQ(ordinal_name(shard.vendors()[doc], &Dictionary::vendor_name, dictionary), offer.vendor);
  EXPECT_EQ(dictionary.shop_key(shard.shops()[doc]), test::shop_key(offer.shop));
  EXPECT_EQ(static_cast<int64_t>(shard.prices()[doc]), offer.price);
  EXPECT_EQ(static_cast<int64_t>(shard.old_prices()[doc]), offer.old_price);
  EXPECT_EQ(static_cast<int64_t>(shard.first_seen()[doc]), offer.first_seen);
  EXPECT_EQ(shard.in_stock()[doc], offer.in_stock ? 1U : 0U);
  EXPECT_EQ(shard.level(doc), level_of(world, offer));
  EXPECT_EQ(shard.flags(doc), offer.flags);
  const auto own = shard.own_price(doc);
  ASSERT_EQ(own.has_value(), !offer.currency.empty());
  if (own) {
    EXPECT_EQ(currency_name(own->currency), offer.currency);
    EXPECT_EQ(own->price, offer.own_price);
    EXPECT_EQ(own->old_price, offer.own_old_price);
  }
  std::set<std::string> values, expected;
  for (uint64_t i = shard.params_begin(doc); i < shard.params_end(doc); ++i) {
    values.emplace(dictionary.param_value(shard.param_values()[i]));
  }
  for (const auto& [name, value] : offer.params) expected.insert(value);
  EXPECT_EQ(values, expected);
}

TEST(ShardIndex, EveryColumnComesBack) {
  const World world(offers(), 3);
  size_t documents = 0;
  for (const ShardIndex& shard : world.shards()) documents += shard.documents();
  EXPECT_EQ(documents, world.offers().size());
  for (const TestOffer& offer : world.offers()) {
    int found = 0;
    for (const ShardIndex& shard : world.shards()) {
      const auto doc = shard.find_document(offer.key());
      if (!doc) continue;
      ++found;
      expect_columns(world, shard, *doc, offer);
    }
    EXPECT_EQ(found, 1) << offer;
  }
}

TEST(ShardIndex, AMarketOfOneCurrencyAndOneWayHasNoColumnsForThem) {
  std::vector<TestOffer> plain = offers();
  for (TestOffer& offer : plain) {
    offer.flags = kDefaultFlags;
    offer.currency.clear();
  }
  const World world(plain, 1);
  for (const auto& [id, bytes] : world.shards()[0].section_bytes()) {
    EXPECT_NE(id, SectionId::kFlags);
    EXPECT_NE(id, SectionId::kForeignDocs);
  }
  EXPECT_EQ(world.shards()[0].flags(3), kDefaultFlags);
  EXPECT_EQ(world.shards()[0].own_price(3), std::nullopt);
}

TEST(CurrencyCode, ThreeCapitalLettersAndBack) {
  std::set<uint32_t> codes;
  for (char a = 'A'; a <= 'Z'; ++a) {
    for (const std::string rest : {"AA", "AZ", "ZA", "ZZ", "UB"}) {
      const std::string name = a + rest;
      EXPECT_EQ(currency_name(currency_code(name)), name);
      EXPECT_TRUE(codes.insert(currency_code(name)).second);
    }
  }
  EXPECT_EQ(*codes.begin(), 1U);
  EXPECT_EQ(*codes.rbegin(), kMostCurrency);
  for (const char* name : {"", "RU", "RUBL", "rub", "R B"}) EXPECT_EQ(currency_code(name), 0U) << name;
}

TEST(ShardIndex, PostingsComeBack) {
  const World world(offers(), 2);
  std::map<std::pair<std::string, uint64_t>, test::TermWeights> read;
  for (const ShardIndex& shard : world.shards()) {
    for (uint32_t list = 0; list < shard.main().size(); ++list) {
      const DecodedList decoded = shard.main().decode(list);
      const std::string term = world.dictionary().terms().term(shard.main().term(list));
      for (size_t i = 0; i < decoded.docs.size(); ++i) {
        auto& weights = read[{term, shard.keys()[decoded.docs[i]]}];
        weights.main_impact = decoded.impacts[i];
        weights.main_mask = decoded.masks[i];
      }
    }
    for (uint32_t list = 0; list < shard.description().size(); ++list) {
      const DecodedList decoded = shard.description().decode(list);
      const std::string term = world.dictionary().terms().term(shard.description().term(list));
      for (size_t i = 0; i < decoded.docs.size(); ++i) {
        EXPECT_EQ(decoded.masks[i], kDescriptionMask);
        read[{term, shard.keys()[decoded.docs[i]]}].description_impact = decoded.impacts[i];
      }
    }
  }
  size_t expected = 0;
  for (size_t i = 0; i < world.offers().size(); ++i) {
    for (const auto& [term, weights] : world.terms()[i]) {
      const auto& got = read[{term, world.offers()[i].key().value()}];
      EXPECT_EQ(got.main_impact, weights.main_impact);
      EXPECT_EQ(got.main_mask, weights.main_mask);
      EXPECT_EQ(got.description_impact, weights.description_impact);
      ++expected;
    }
  }
  EXPECT_EQ(read.size(), expected);
}

TEST(ShardIndex, ParamListsSayWhatTheColumnsDo) {
  const World world(offers(), 2);
  for (const ShardIndex& shard : world.shards()) {
    std::set<std::pair<uint32_t, uint32_t>> columns, lists;  // value, document
    for (uint32_t doc = 0; doc < shard.documents(); ++doc) {
      for (uint64_t i = shard.params_begin(doc); i < shard.params_end(doc); ++i) {
        columns.emplace(shard.param_values()[i], doc);
      }
    }
    for (uint32_t list = 0; list < shard.param_lists().size(); ++list) {
      for (const uint32_t doc : shard.param_lists().decode(list).docs)
        lists.emplace(shard.param_lists().term(list), doc);
    }
    EXPECT_FALSE(columns.empty());
    EXPECT_EQ(columns, lists);
  }
}

TEST(ShardIndex, WordsComeBackInTheirOrder) {
  const World world(offers(), 2);
  for (size_t i = 0; i < world.offers().size(); ++i) {
    std::vector<std::string> expected;
    for (const std::vector<std::string>& run : world.words()[i]) {
      if (&run != &world.words()[i].front()) expected.emplace_back("|");
      expected.insert(expected.end(), run.begin(), run.end());
    }
    for (const ShardIndex& shard : world.shards()) {
      const auto doc = shard.find_document(world.offers()[i].key());
      if (!doc) continue;
      std::vector<std::string> words;
      for (uint64_t at = shard.forward().begin(*doc); at < shard.forward().end(*doc); ++at) {
        const uint32_t term = shard.forward().term(at);
        words.push_back(term == ForwardIndex::kBreak ? "|" : world.dictionary().terms().term(term));
      }
      EXPECT_EQ(words, expected);
    }
  }
}

TEST(ShardIndex, DocumentsAreOrderedByLevelThenGroupThenKey) {
  const World world(offers(), 1);
  const ShardIndex& shard = world.shards()[0];
  const auto place = [&](uint32_t doc) {
    return std::tuple(-static_cast<int>(shard.level(doc)), shard.group_keys()[shard.group_of(doc)], shard.keys()[doc]);
  };
  for (uint32_t doc = 1; doc < shard.documents(); ++doc) EXPECT_LT(place(doc - 1), place(doc));
}

TEST(ShardIndex, GroupsAreFoundAndWhole) {
  const World world(offers(), 1);
  const ShardIndex& shard = world.shards()[0];
  std::map<DocKey, std::set<uint64_t>> expected;
  for (const TestOffer& offer : world.offers()) expected[offer.group()].insert(offer.key().value());
  ASSERT_EQ(shard.groups(), expected.size());
  for (const auto& [key, members] : expected) {
    const auto group = shard.find_group(key);
    ASSERT_TRUE(group.has_value());
    std::set<uint64_t> read;
    for (uint32_t doc = shard.group_begin(*group); doc < shard.group_begin(*group + 1); ++doc) {
      EXPECT_EQ(shard.group_of(doc), *group);
      read.insert(shard.keys()[doc]);
    }
    EXPECT_EQ(read, members);
  }
  EXPECT_FALSE(shard.find_group(DocKey(1)));
  EXPECT_FALSE(shard.find_group(DocKey(~uint64_t{0})));
  EXPECT_FALSE(shard.find_document(DocKey(1)));
  EXPECT_FALSE(shard.find_document(DocKey(~uint64_t{0})));
}

TEST(ShardIndex, LevelsAtTheirEdges) {
  std::vector<TestOffer> all;
  for (const int level : {15, 15, 9, 0}) {
    TestOffer offer;
    offer.id = all.size() + 1;
    offer.level = static_cast<uint8_t>(level);
    all.push_back(offer);
  }
  const World world(all, 1);
  const ShardIndex& shard = world.shards()[0];
  std::vector<uint32_t> levels;
  for (uint32_t doc = 0; doc < 4; ++doc) levels.push_back(shard.level(doc));
  EXPECT_EQ(levels, (std::vector<uint32_t>{15, 15, 9, 0}));
}

TEST(ShardIndex, TheOrderOfAddingDoesNotCount) {
  const World world(offers(), 4);
  for (unsigned seed = 0; seed < 10; ++seed) {
    std::vector<TestOffer> shuffled = offers();
    std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(seed));
    const World other(shuffled, 4);
    ASSERT_EQ(other.dictionary_file(), world.dictionary_file());
    ASSERT_EQ(other.shard_files(), world.shard_files());
  }
}

TEST(ShardIndex, AnEmptyShardOpens) {
  const World world(std::vector<TestOffer>{}, 2);
  EXPECT_EQ(world.shards()[1].documents(), 0U);
  EXPECT_FALSE(world.shards()[1].find_document(DocKey(5)));
  EXPECT_FALSE(world.shards()[1].find_group(DocKey(5)));
  EXPECT_FALSE(world.shards()[1].main().find(0));
}

TEST(ShardIndex, EveryTruncationIsRefused) {
  const World world(std::vector<TestOffer>{TestOffer{.id = 1, .title = "кот"}}, 1);
  const FileBytes& file = world.shard_files()[0];
  for (size_t size = 0; size < file.size(); ++size) {
    const FileBytes cut(file.begin(), file.begin() + static_cast<ptrdiff_t>(size));
    ASSERT_FALSE(ShardIndex::open(cut)) << size;
  }
}

TEST(ShardIndex, EveryFlippedBitIsRefused) {
  const World world(std::vector<TestOffer>{TestOffer{.id = 1, .title = "кот"}}, 1);
  FileBytes file = world.shard_files()[0];
  for (size_t bit = 0; bit < file.size() * 8; ++bit) {
    file[bit / 8] ^= std::byte{1} << (bit % 8);
    ASSERT_FALSE(ShardIndex::open(file)) << "byte " << bit / 8 << " bit " << bit % 8;
    file[bit / 8] ^= std::byte{1} << (bit % 8);
  }
}

}  // namespace
}  // namespace souk::index
