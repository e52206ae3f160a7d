// SPDX-License-Identifier: Apache-2.0
#include "control/cli/size_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/index/container.h"
#include "core/index/manifest.h"
#include "tests/unit/indexer/offers/store_fixture.h"

namespace souk::control {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr uint64_t kMiB = 1 << 20;

std::string shard_file(size_t posting_bytes) {
  std::string file;
  index::ContainerWriter writer(index::FileKind::kShard, [&file](std::string_view bytes) -> Status {
    file += bytes;
    return {};
  });
  using enum index::SectionId;
  const auto add = [&writer](index::SectionId id, size_t size) {
    EXPECT_TRUE(writer.add(id, std::vector<char>(size)));
  };
  add(kStats, 10);
  add(kMainTerms, 100);
  add(kMainBytes, posting_bytes);
  add(kDescriptionBytes, 50);
  add(kParamListBytes, 40);
  add(kKeys, 8);
  add(kPrices, 7);
  add(kParamValues, 6);
  add(kGroupKeys, 9);
  add(kForwardTerms, 5);
  EXPECT_TRUE(writer.finish());
  return file;
}

TEST(SizeEstimateTest, MeasuresTheLastBuild) {
  const offers::TemporaryFolder folder;
  const std::filesystem::path generation = folder.path() / "generations" / "00000000000000aa";
  EXPECT_EQ(measure_last_built(folder.path()).error().code, ErrorCode::kNotFound);
  std::filesystem::create_directories(generation);
  std::ofstream(folder.path() / "generations" / "LATEST") << "00000000000000aa\n";
  index::Manifest manifest;
  manifest.content_hash = 0xaa;
  manifest.shards = 2;
  manifest.offers = 5;
  manifest.models = 4;
  manifest.slots = placement::even_slot_table(2);
  manifest.dictionary = {"dictionary.souk", 77, std::string(64, 'a')};
  const std::string first = shard_file(1000);
  const std::string second = shard_file(2000);
  manifest.shard_files = {{"shard-1.souk", first.size(), std::string(64, 'b')},
                          {"shard-2.souk", second.size(), std::string(64, 'c')}};
  std::ofstream(generation / "manifest.json") << index::to_json(manifest);
  std::ofstream(generation / "shard-1.souk") << first;
  EXPECT_EQ(measure_last_built(folder.path()).error().code, ErrorCode::kNotFound) << "a shard is missing";
  std::ofstream(generation / "shard-2.souk") << second;

  const auto size = measure_last_built(folder.path());
  ASSERT_TRUE(size) << to_string(size.error());
  EXPECT_EQ(size->shards, 2U);
  EXPECT_EQ(size->offers, 5U);
  EXPECT_EQ(size->dictionary_bytes, 77U);
  std::vector<std::pair<std::string, uint64_t>> parts;
  for (const auto& part : size->parts) parts.emplace_back(part.name, part.bytes);
  ASSERT_EQ(parts.size(), 9U);
  EXPECT_EQ(parts.back().first, "headers and padding");
  parts.pop_back();
  EXPECT_THAT(parts, ElementsAre(Pair("main postings", 3200U), Pair("description postings", 100U),
                                 Pair("param lists", 80U), Pair("forward index", 10U), Pair("columns", 14U),
                                 Pair("params", 12U), Pair("keys", 16U), Pair("groups", 18U)));
  uint64_t all = 0;
  for (const auto& part : size->parts) all += part.bytes;
  EXPECT_EQ(all, first.size() + second.size());

  std::ofstream(generation / "shard-2.souk") << "nonsense";
  EXPECT_EQ(measure_last_built(folder.path()).error().code, ErrorCode::kCorruption);
}

GenerationSize measured() {
  return {2, 1000, {{"postings", 300 * 1024}, {"columns", 100 * 1024}}, 50 * 1024};
}

TEST(SizeEstimateTest, GrowsAsTheOffersDo) {
  const auto text = size_table(measured(), {.offers = 1'024'000, .replicas = 3, .node_ram_gib = {}});
  ASSERT_TRUE(text);
  EXPECT_EQ(*text,
            "measured: 1000 offers in 2 shards; asked: 1024000 offers\n"
            "\n"
            "part      bytes per offer  a shard, MiB\n"
            "postings            307.2         150.0\n"
            "columns             102.4          50.0\n"
            "all                 409.6         200.0\n"
            "\n"
            "RAM of a node for a shard, two generations loaded: 0.39 GiB\n"
            "and twice the dictionary: 0.0 MiB now, at most 50.0 MiB then (it grows slower than the offers)\n"
            "nodes: 2 shards x 3 replicas = 6\n");
}

TEST(SizeEstimateTest, ChoosesTheFewestShardsThatFit) {
  // A node of 1 GiB has 409.6 MiB for a generation's shard; those of 1,024,000 offers take 400 in all.
  const auto shards_of = [](uint64_t offers, uint64_t ram) {
    const auto text = size_table(measured(), {.offers = offers, .replicas = 1, .node_ram_gib = ram});
    EXPECT_TRUE(text) << to_string(text.error());
    return text.value_or("");
  };
  EXPECT_THAT(shards_of(1'024'000, 1), HasSubstr("nodes: 1 shards x 1 replicas = 1\n"));
  EXPECT_THAT(shards_of(1'100'000, 1), HasSubstr("nodes: 2 shards x 1 replicas = 2\n"));
  EXPECT_THAT(shards_of(1'100'000, 2), HasSubstr("nodes: 1 shards x 1 replicas = 1\n"));
  EXPECT_THAT(shards_of(1, 1), HasSubstr("nodes: 1 shards x 1 replicas = 1\n"));
}

TEST(SizeEstimateTest, SaysWhenNothingFits) {
  const GenerationSize large{1, 1, {{"postings", kMiB}}, 0};
  const auto shards = size_table(large, {.offers = 1'000'000'000, .replicas = 1, .node_ram_gib = 1});
  ASSERT_FALSE(shards);
  EXPECT_EQ(shards.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(shards.error().message, HasSubstr("shards would be needed, 4096 are possible"));
}

}  // namespace
}  // namespace souk::control
