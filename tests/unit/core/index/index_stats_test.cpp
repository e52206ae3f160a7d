// SPDX-License-Identifier: Apache-2.0
#include "core/index/index_stats.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/unit/core/index/lists_file.h"
#include "tests/unit/core/sections.h"
#include "tests/unit/core/world.h"

namespace souk::index {
namespace {

using test::TestOffer;
using test::World;

uint64_t sum(const PartBytes& parts) {
  return std::accumulate(parts.begin(), parts.end(), uint64_t{0});
}

// 20 offers of 10 models: "лампа" in all, "бра" in two, the rest in one each.
World twenty_offers() {
  std::vector<TestOffer> offers;
  for (uint64_t id = 1; id <= 20; ++id) {
    TestOffer offer;
    offer.id = id;
    offer.model = id % 10 + 1;
    offer.title = "лампа " + std::string(id <= 2 ? "бра" : "x" + std::to_string(id));
    offer.vendor = "Lynx";
    if (id % 2 == 0) offer.params = {{"Цвет", "Белый"}};
    offers.push_back(offer);
  }
  return {std::move(offers), 1};
}

TEST(IndexStats, CountsAShard) {
  const World world = twenty_offers();
  const auto stats = measure_file(world.shard_files()[0]);
  ASSERT_TRUE(stats) << to_string(stats.error());
  ASSERT_TRUE(stats->shard);
  EXPECT_FALSE(stats->dictionary);
  EXPECT_EQ(stats->bytes, world.shard_files()[0].size());
  EXPECT_EQ(sum(stats->parts), stats->bytes);
  EXPECT_EQ(stats->sections, world.shards()[0].section_bytes());
  EXPECT_EQ(stats->shard->counts.documents, 20U);
  EXPECT_EQ(stats->shard->counts.groups, 10U);
  EXPECT_EQ(stats->shard->param_values, 10U);
  EXPECT_EQ(bytes_of(stats->parts, Part::kKeys), 20U * (8 + 8 + 4));
  EXPECT_EQ(bytes_of(stats->parts, Part::kGroups), 10U * 8 + 11U * 4);
  // The title's two words; a break and the param's word behind half of them.
  EXPECT_EQ(stats->shard->words, 20U * 2 + 10U * 2);

  const PostingStats& main = stats->shard->main;
  EXPECT_EQ(main.bytes, bytes_of(stats->parts, Part::kMainPostings));
  EXPECT_EQ(main.terms, world.shards()[0].main().size());
  EXPECT_EQ(main.single_lists.count + main.short_lists.count + main.chunked_lists.count, main.terms);
  EXPECT_EQ(main.single_lists.postings + main.short_lists.postings + main.chunked_lists.postings, main.postings);
  EXPECT_EQ(main.single_lists.count, 18U);  // x3 to x20
  EXPECT_EQ(main.short_lists.count, 1U);    // бра
  EXPECT_EQ(main.short_lists.postings, 2U);
  EXPECT_EQ(main.chunked_lists.count, 3U);  // лампа, lynx, белый
  EXPECT_EQ(main.chunked_lists.postings, 50U);
  EXPECT_EQ(stats->shard->description.terms, 0U);
  EXPECT_EQ(stats->shard->params.terms, 1U);
  EXPECT_EQ(stats->shard->params.postings, 10U);
}

TEST(IndexStats, CountsADictionary) {
  const World world = twenty_offers();
  const auto stats = measure_file(world.dictionary_file());
  ASSERT_TRUE(stats) << to_string(stats.error());
  ASSERT_TRUE(stats->dictionary);
  EXPECT_FALSE(stats->shard);
  EXPECT_EQ(sum(stats->parts), stats->bytes);
  EXPECT_EQ(stats->dictionary->counts.terms, world.dictionary().terms().size());
  EXPECT_EQ(stats->dictionary->counts.documents, 20U);
  EXPECT_EQ(stats->dictionary->vendors, 1U);
  EXPECT_EQ(stats->dictionary->param_values, 1U);
  EXPECT_GT(bytes_of(stats->parts, Part::kLexicon), 8 * stats->dictionary->counts.terms);
  EXPECT_GT(bytes_of(stats->parts, Part::kNames), 0U);
  EXPECT_EQ(bytes_of(stats->parts, Part::kMainPostings), 0U);
}

TEST(IndexStats, RefusesWhatANodeWouldRefuse) {
  const World world = twenty_offers();
  for (const test::FileBytes& file : {world.shard_files()[0], world.dictionary_file()}) {
    test::FileBytes damaged = file;
    damaged[64] ^= std::byte{1};  // the first section
    const auto stats = measure_file(damaged);
    ASSERT_FALSE(stats);
    EXPECT_EQ(stats.error().code, ErrorCode::kCorruption);
    EXPECT_FALSE(stats.error().argument.empty()) << "which section it is";
  }
  EXPECT_EQ(measure_file(Bytes()).error().code, ErrorCode::kCorruption);
}

// One list of each form: a single, a short one, one of an array and a bitmap.
TEST(IndexStats, CountsEveryFormOfPostingLists) {
  constexpr uint32_t kDocuments = 2 * kChunkDocuments;
  for (const PostingSections& sections : {kMainLists, kParamLists}) {
    test::Postings postings;
    const auto add = [&](uint32_t term, uint32_t doc) {
      const uint8_t impact = sections.weighted ? 7 : 0, mask = sections.weighted ? 1 : 0;
      postings.push_back({.term = term, .doc = doc, .impact = impact, .mask = mask});
    };
    add(1, 70'000);
    for (uint32_t i = 0; i < 10; ++i) add(2, 1000 * i);
    for (uint32_t i = 0; i < 300; ++i) add(3, i);
    for (uint32_t i = 0; i < 5000; ++i) add(3, kChunkDocuments + 2 * i);
    const test::ListsFile file = test::write_lists(kDocuments, sections, postings);
    const auto lists = test::open_lists(file.bytes, file);
    ASSERT_TRUE(lists) << to_string(lists.error());
    const auto container = Container::open(file.bytes, FileKind::kShard);
    ASSERT_TRUE(container);
    const PostingStats stats = posting_stats(*lists, sections, container->section_bytes());
    const uint64_t weights = sections.weighted ? 2 : 0;
    EXPECT_EQ(stats.single_lists.bytes, 20U);
    EXPECT_EQ(stats.short_lists.bytes, 20 + 13 + 10 * weights);  // nine gaps of 999, so 10 bits each
    EXPECT_EQ(stats.array_chunks.count, 1U);
    EXPECT_EQ(stats.array_chunks.postings, 300U);
    EXPECT_EQ(stats.array_chunks.bytes, 16 + 300 * (2 + weights) + 17 * 2 + (sections.weighted ? 2 : 0));
    EXPECT_EQ(stats.bitmap_chunks.count, 1U);
    EXPECT_EQ(stats.bitmap_chunks.postings, 5000U);
    EXPECT_EQ(stats.bitmap_chunks.bytes, 16 + 8192 + 256 + 5000 * weights + (sections.weighted ? 16 : 0));
    EXPECT_EQ(stats.chunked_lists.bytes, 20 + stats.array_chunks.bytes + stats.bitmap_chunks.bytes);
    const uint64_t all = stats.single_lists.bytes + stats.short_lists.bytes + stats.chunked_lists.bytes;
    EXPECT_GE(stats.bytes, all + kOverRead);
    EXPECT_LT(stats.bytes, all + kOverRead + 16) << "no more than alignment lies between the lists";
  }
}

TEST(IndexStats, EverySectionHasAPart) {
  const World world = twenty_offers();
  for (const test::FileBytes& file : {world.shard_files()[0], world.dictionary_file()}) {
    const auto stats = measure_file(file);
    ASSERT_TRUE(stats);
    for (const auto& [id, bytes] : stats->sections) {
      const bool other = id == SectionId::kStats || id == SectionId::kMarket;
      EXPECT_EQ(part_of(id) == Part::kOther, other) << name_of(id);
    }
  }
}

}  // namespace
}  // namespace souk::index
