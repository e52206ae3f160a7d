// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/index/manifest.h"
#include "indexer/build/generation_builder.h"
#include "tests/unit/indexer/offers/store_fixture.h"

namespace souk::build {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) names.insert(entry.path().filename().string());
  return names;
}

std::vector<feed::Offer> some_offers(int count = 30) {
  std::vector<feed::Offer> offers;
  for (int i = 0; i < count; ++i) {
    offers.push_back(offers::make_offer(std::to_string(i), "Лампа настольная " + std::to_string(i)));
    offers.back().vendor = i % 3 == 0 ? "Sony" : "Ёлка";
    offers.back().params = {{"Цвет", i % 2 == 0 ? "белый" : "чёрный", ""}, {"Вес", std::to_string(i % 4), "г"}};
    offers.back().price = 1000 + i;
  }
  return offers;
}

class BuildTest : public ::testing::Test {
 protected:
  BuildTest() : market_(config::parse_market("", "market.toml").value()) { put(some_offers()); }

  void put(std::vector<feed::Offer> offers) { world_.apply(world_.shop(1), std::move(offers)); }
  Result<BuildResult> try_build(const std::string& folder, uint32_t shards = 2) {
    return build_generation(*world_.store, market_, shards, path(folder), [](std::string_view, uint64_t, uint64_t) {});
  }
  BuildResult build(const std::string& folder = "generations", uint32_t shards = 2) {
    auto built = try_build(folder, shards);
    EXPECT_TRUE(built) << to_string(built.error());
    return built.value_or(BuildResult{});
  }
  fs::path path(const std::string& folder) const { return world_.folder.path() / folder; }
  fs::path path(const std::string& folder, const BuildResult& built) const {
    return path(folder) / hex16(built.content_hash);
  }

  offers::World world_;
  config::Market market_;
};

TEST_F(BuildTest, AWholeGeneration) {
  std::set<std::string> stages;
  const auto progress = [&](std::string_view stage, uint64_t done, uint64_t total) {
    stages.emplace(stage);
    EXPECT_TRUE(total == 0 || done <= total);
  };
  const auto built = build_generation(*world_.store, market_, 2, path("generations"), progress);
  ASSERT_TRUE(built) << to_string(built.error());
  EXPECT_FALSE(built->reused);
  EXPECT_EQ(built->offers, 30U);
  EXPECT_EQ(built->models, 30U);
  EXPECT_TRUE(stages.contains("building shards"));
  const std::string name = hex16(built->content_hash);
  EXPECT_THAT(names_in(path("generations")), UnorderedElementsAre(name, "LATEST"));
  EXPECT_EQ(read(path("generations") / "LATEST"), name + "\n");
  EXPECT_EQ(*latest_generation(path("generations")), built->content_hash);
  EXPECT_THAT(names_in(path("generations") / name), ElementsAre("build.json", "dictionary.souk", "manifest.json",
                                                                "shard-1.souk", "shard-2.souk", "snippets.sst"));
  const auto manifest = index::parse_manifest(read(path("generations") / name / "manifest.json"));
  ASSERT_TRUE(manifest);
  EXPECT_EQ(manifest->content_hash, built->content_hash);
  EXPECT_EQ(index::content_hash_of(*manifest), built->content_hash);
  EXPECT_EQ(manifest->offers, 30U);
  for (const index::Manifest::File& file : {manifest->dictionary, manifest->snippets, manifest->shard_files[1]}) {
    const std::string bytes = read(path("generations") / name / file.name);
    Sha256 hash;
    hash.update(bytes);
    EXPECT_EQ(file.size, bytes.size());
    EXPECT_EQ(file.sha256, hash.hex());
  }
}

TEST_F(BuildTest, TheSameStoreGivesTheSameBytes) {
  const BuildResult one = build("one");
  const BuildResult two = build("two");
  EXPECT_EQ(one.content_hash, two.content_hash);
  EXPECT_FALSE(two.reused);
  for (const char* file : {"shard-1.souk", "shard-2.souk", "dictionary.souk"}) {
    EXPECT_TRUE(read(path("one", one) / file) == read(path("two", two) / file)) << file;
    EXPECT_GT(fs::file_size(path("one", one) / file), 0U);
  }
}

TEST_F(BuildTest, TheSameFeedsInAnotherStoreGiveTheSameBytes) {
  offers::World other;
  other.apply(other.shop(1), some_offers());
  const auto built = build_generation(*other.store, market_, 2, (other.folder.path() / "generations").string(),
                                      [](std::string_view, uint64_t, uint64_t) {});
  ASSERT_TRUE(built);
  EXPECT_EQ(built->content_hash, build().content_hash);
}

TEST_F(BuildTest, NothingChangedBuildsNothing) {
  const BuildResult first = build();
  const auto written = fs::last_write_time(path("generations", first) / "manifest.json");
  world_.reopen();
  const BuildResult again = build();
  EXPECT_TRUE(again.reused);
  EXPECT_EQ(again.content_hash, first.content_hash);
  EXPECT_EQ(again.offers, 30U);
  EXPECT_EQ(again.models, 30U);
  EXPECT_EQ(fs::last_write_time(path("generations", first) / "manifest.json"), written);
}

TEST_F(BuildTest, AChangedPriceBuildsAnotherAndBackIsTheFirst) {
  const BuildResult first = build();
  std::vector<feed::Offer> offers = some_offers();
  offers[3].price += 1;
  put(offers);
  const BuildResult second = build();
  EXPECT_FALSE(second.reused);
  EXPECT_NE(second.content_hash, first.content_hash);
  EXPECT_TRUE(fs::exists(path("generations", first) / "manifest.json")) << "the old one stays";
  EXPECT_EQ(*latest_generation(path("generations")), second.content_hash);
  put(some_offers());
  const BuildResult third = build();
  EXPECT_EQ(third.content_hash, first.content_hash);
  EXPECT_EQ(*latest_generation(path("generations")), first.content_hash);
  EXPECT_TRUE(build().reused);
  EXPECT_EQ(names_in(path("generations")).size(), 3U);
}

TEST_F(BuildTest, MarketAndShardsBelongToTheContent) {
  const BuildResult plain = build();
  const BuildResult four = build("generations", 4);
  EXPECT_NE(four.content_hash, plain.content_hash);
  EXPECT_FALSE(four.reused);
  market_ = config::parse_market("name = \"другой\"", "market.toml").value();
  EXPECT_NE(build().content_hash, plain.content_hash);
}

TEST_F(BuildTest, UnfinishedFoldersAreRemoved) {
  fs::create_directories(path("generations") / "building-77" / "deep");
  std::ofstream(path("generations") / "building-77" / "spool-1") << "half";
  fs::create_directories(path("generations") / "other");
  const BuildResult built = build();
  EXPECT_THAT(names_in(path("generations")), UnorderedElementsAre(hex16(built.content_hash), "LATEST", "other"));
}

TEST_F(BuildTest, ADamagedGenerationIsBuiltAnew) {
  const BuildResult first = build();
  const std::string shard = read(path("generations", first) / "shard-2.souk");
  fs::remove(path("generations", first) / "shard-2.souk");
  const BuildResult again = build();
  EXPECT_FALSE(again.reused);
  EXPECT_EQ(again.content_hash, first.content_hash);
  EXPECT_TRUE(read(path("generations", first) / "shard-2.souk") == shard);
  std::ofstream(path("generations", first) / "dictionary.souk", std::ios::trunc) << "cut";
  EXPECT_FALSE(build().reused);
  EXPECT_TRUE(build().reused);
}

TEST_F(BuildTest, AnEmptyStoreIsRefused) {
  const BuildResult before = build();
  put({});
  const auto built = try_build("generations");
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(built.error().message, "the offer store is empty: there is nothing to build");
  EXPECT_EQ(*latest_generation(path("generations")), before.content_hash) << "what there was stays";
  EXPECT_EQ(names_in(path("generations")).size(), 2U);
  const auto none = try_build("new");
  ASSERT_FALSE(none);
  EXPECT_THAT(names_in(path("new")), IsEmpty());
  EXPECT_EQ(latest_generation(path("new")).error().code, ErrorCode::kNotFound);
}

TEST_F(BuildTest, FoldersThatCannotBeWritten) {
  std::ofstream(path("file")) << "in the way";
  for (const std::string& folder :
       {path("file").string(), path("file/generations").string(), std::string("/proc/nowhere")}) {
    const auto built = build_generation(*world_.store, market_, 2, folder, [](std::string_view, uint64_t, uint64_t) {});
    ASSERT_FALSE(built) << folder;
    EXPECT_EQ(built.error().code, ErrorCode::kUnavailable);
    EXPECT_EQ(built.error().argument, folder);
    EXPECT_FALSE(to_string(built.error()).contains('\n'));
  }
}

// Files of this process cannot grow beyond so many bytes while it lives: what a full disk looks like to a writer.
class FullDisk {
 public:
  explicit FullDisk(uint64_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*signal_)(int);
  rlimit before_{};
};

TEST_F(BuildTest, AFullDiskIsOneErrorAndLeavesNothing) {
  // Fails in one file after the other until there is room for the largest.
  std::set<std::string> failed_in;
  std::optional<BuildResult> built;
  for (uint64_t room = 1; !built; room += room / 3 + 1) {
    ASSERT_LT(room, 1U << 20);
    auto result = [&] {
      const FullDisk full(room);
      return try_build("generations");
    }();
    if (result) {
      built = *result;
      break;
    }
    const Error& error = result.error();
    EXPECT_EQ(error.code, ErrorCode::kUnavailable) << to_string(error);
    EXPECT_THAT(to_string(error), HasSubstr("File too large"));
    EXPECT_FALSE(to_string(error).contains('\n'));
    EXPECT_THAT(error.argument, HasSubstr(path("generations").string())) << "the error names the file";
    failed_in.insert(fs::path(error.argument).filename().string());
    EXPECT_FALSE(latest_generation(path("generations")));
    EXPECT_THAT(names_in(path("generations")), IsEmpty()) << room;
  }
  EXPECT_GE(failed_in.size(), 3U);
  EXPECT_THAT(names_in(path("generations")), UnorderedElementsAre(hex16(built->content_hash), "LATEST"));
  EXPECT_EQ(build("elsewhere").content_hash, built->content_hash);
}

TEST_F(BuildTest, AFullDiskLeavesTheOldGenerationAlone) {
  const BuildResult before = build();
  std::vector<feed::Offer> offers = some_offers();
  offers[0].price += 1;
  put(offers);
  {
    const FullDisk full(2000);
    EXPECT_FALSE(try_build("generations"));
  }
  EXPECT_EQ(*latest_generation(path("generations")), before.content_hash);
  EXPECT_THAT(names_in(path("generations")), UnorderedElementsAre(hex16(before.content_hash), "LATEST"));
  EXPECT_NE(build().content_hash, before.content_hash);
}

TEST_F(BuildTest, LatestThatSaysNonsenseIsNoGeneration) {
  fs::create_directories(path("generations"));
  for (const char* text : {"", "\n", "xyz\n", "00000000000000AA0\n", "../../etc\n"}) {
    std::ofstream(path("generations") / "LATEST", std::ios::trunc) << text;
    EXPECT_FALSE(latest_generation(path("generations"))) << text;
  }
  EXPECT_FALSE(build().reused) << "and a build puts it right";
  EXPECT_TRUE(build().reused);
}

}  // namespace
}  // namespace souk::build
