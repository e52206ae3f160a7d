// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/index/dictionary.h"
#include "core/index/manifest.h"
#include "core/index/shard_index.h"
#include "indexer/build/analyze.h"
#include "indexer/build/generation_builder.h"
#include "tests/unit/indexer/build/full_disk.h"
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

constexpr uint64_t kPlenty = uint64_t{1} << 30;

class BuildTest : public ::testing::Test {
 protected:
  BuildTest() : market_(config::parse_market("", "market.toml").value()) { put(some_offers()); }

  void put(std::vector<feed::Offer> offers) { world_.apply(world_.shop(1), std::move(offers)); }
  static void quiet(std::string_view /*stage*/, uint64_t /*done*/, uint64_t /*total*/) {}
  Result<BuildResult> try_build(const std::string& folder, uint32_t shards = 2, uint64_t memory_bytes = kPlenty) {
    return build_generation(*world_.store, market_, {shards, path(folder), memory_bytes}, quiet);
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
  const auto built = build_generation(*world_.store, market_, {2, path("generations")}, progress);
  ASSERT_TRUE(built) << to_string(built.error());
  EXPECT_FALSE(built->reused);
  EXPECT_EQ(built->offers, 30U);
  EXPECT_EQ(built->models, 30U);
  EXPECT_TRUE(stages.contains("building shards"));
  EXPECT_EQ(built->runs, 0U);
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

// A built generation, opened.
struct Opened {
  explicit Opened(const fs::path& folder, uint32_t shards) {
    add(folder / index::kDictionaryFile);
    for (uint32_t shard = 1; shard <= shards; ++shard) add(folder / index::shard_file_name(shard));
    dictionary = index::Dictionary::open(bytes(0)).value();
    for (size_t i = 1; i < files.size(); ++i) this->shards.push_back(index::ShardIndex::open(bytes(i)).value());
  }
  void add(const fs::path& path) {
    const std::string text = read(path);
    files.emplace_back(text.size());
    std::memcpy(files.back().data(), text.data(), text.size());
  }
  index::Bytes bytes(size_t i) const { return files[i]; }

  std::vector<std::vector<std::byte>> files;
  index::Dictionary dictionary;
  std::vector<index::ShardIndex> shards;
};

// "title|value|value" as the forward index has it.
std::string forward_text(const Opened& generation, const index::ShardIndex& shard, uint32_t doc) {
  std::string text;
  for (uint64_t at = shard.forward().begin(doc); at < shard.forward().end(doc); ++at) {
    const uint32_t term = shard.forward().term(at);
    const bool is_break = term == index::ForwardIndex::kBreak;
    if (!text.empty() && !is_break && text.back() != '|') text += ' ';
    text += is_break ? "|" : generation.dictionary.terms().term(term);
  }
  return text;
}

// Masks of the offer's terms in these lists.
std::map<std::string, int> masks_of(const Opened& generation, const index::PostingLists& lists, uint32_t doc) {
  std::map<std::string, int> masks;
  for (uint32_t list = 0; list < lists.size(); ++list) {
    const index::DecodedList decoded = lists.decode(list);
    const auto found = std::ranges::lower_bound(decoded.docs, doc);
    if (found == decoded.docs.end() || *found != doc) continue;
    const auto at = static_cast<size_t>(found - decoded.docs.begin());
    EXPECT_GT(decoded.impacts[at], 0);
    masks[generation.dictionary.terms().term(lists.term(list))] = decoded.masks[at];
  }
  return masks;
}

TEST_F(BuildTest, TheShardsHoldWhatTheOffersSay) {
  std::vector<feed::Offer> offers = some_offers(40);
  offers[5].description = "Лампа и шнур";
  offers[5].old_price = 5000;
  for (const size_t i : {5, 6, 7}) offers[i].barcodes = {"4006381333931"};  // one model
  offers[6].available = false;
  offers[6].availability = feed::Availability::kOutOfStock;
  put(offers);
  world_.link_barcodes();
  const BuildResult built = build("generations", 3);
  EXPECT_EQ(built.models, 38U);
  const Opened generation(path("generations", built), 3);
  EXPECT_EQ(generation.dictionary.stats().documents, 40U);
  EXPECT_EQ(generation.dictionary.stats().models, 38U);
  size_t documents = 0;
  for (const index::ShardIndex& shard : generation.shards) documents += shard.documents();
  EXPECT_EQ(documents, 40U);

  for (const offers::StoredOffer& stored : world_.all()) {
    const DocKey group = stored.model ? stored.model : stored.key;
    const auto table = placement::even_slot_table(3);
    const index::ShardIndex& shard = generation.shards[table[group.slot() % placement::kOpenSlots] - 1U];
    const auto doc = shard.find_document(stored.key);
    ASSERT_TRUE(doc) << stored.offer.id;
    EXPECT_EQ(shard.group_keys()[shard.group_of(*doc)], group.value());
    EXPECT_EQ(static_cast<int64_t>(shard.prices()[*doc]), stored.offer.price);
    EXPECT_EQ(static_cast<int64_t>(shard.old_prices()[*doc]), stored.offer.old_price);
    EXPECT_EQ(static_cast<int64_t>(shard.first_seen()[*doc]), stored.first_seen);
    EXPECT_EQ(shard.in_stock()[*doc], stored.offer.available ? 1U : 0U);
    EXPECT_EQ(generation.dictionary.vendor_name(shard.vendors()[*doc]), stored.offer.vendor);
    EXPECT_EQ(generation.dictionary.category_name(shard.categories()[*doc]), "Лампы");
    std::set<std::string> values;
    for (uint64_t i = shard.params_begin(*doc); i < shard.params_end(*doc); ++i) {
      values.emplace(generation.dictionary.param_value(shard.param_values()[i]));
    }
    EXPECT_THAT(values, UnorderedElementsAre(stored.offer.params[0].value, stored.offer.params[1].value + " г"));
    const std::string colour = stored.offer.params[0].value == "белый" ? "бел" : "черн";
    EXPECT_EQ(forward_text(generation, shard, *doc),
              "ламп настольн " + stored.offer.id + "|" + colour + "|" + stored.offer.params[1].value + " г");
    if (stored.offer.id != "5") continue;
    EXPECT_EQ(masks_of(generation, shard.main(), *doc), (std::map<std::string, int>{{"ламп", 0x11},
                                                                                    {"настольн", 1},
                                                                                    {"5", 1},
                                                                                    {"елк", 2},
                                                                                    {"4006381333931", 8},
                                                                                    {"дом", 0x10},
                                                                                    {"черн", 0x20},
                                                                                    {"1", 0x20},
                                                                                    {"г", 0x20}}));
    EXPECT_EQ(masks_of(generation, shard.description(), *doc),
              (std::map<std::string, int>{{"ламп", 0x40}, {"и", 0x40}, {"шнур", 0x40}}));
    // Of its model one is out of stock; the level is the best one's.
    for (uint32_t d = shard.group_begin(shard.group_of(*doc)); d < shard.group_begin(shard.group_of(*doc) + 1); ++d) {
      EXPECT_EQ(shard.level(d), quality_level(stored));
    }
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
  const auto built = build_generation(*other.store, market_, {2, other.folder.path() / "generations"}, quiet);
  ASSERT_TRUE(built);
  EXPECT_EQ(built->content_hash, build().content_hash);
}

// Enough postings for several runs of a sorter that has the least it can have.
std::vector<feed::Offer> many_words(int count) {
  std::vector<feed::Offer> offers = some_offers(count);
  for (int i = 0; i < count; ++i) {
    std::string& description = offers[static_cast<size_t>(i)].description;
    for (int word = 0; word < 30; ++word) description += " слово" + std::to_string((i * 31 + word * word) % 5000);
    offers[static_cast<size_t>(i)].name += " имя" + std::to_string(i % 700) + " имя" + std::to_string(i * 7 % 900);
  }
  return offers;
}

TEST_F(BuildTest, TheMemoryLimitDoesNotShowInTheBytes) {
  put(many_words(1500));
  const auto plenty = try_build("plenty", 2, kPlenty);
  ASSERT_TRUE(plenty) << to_string(plenty.error());
  EXPECT_EQ(plenty->runs, 0U);
  const uint64_t least = plenty->memory_needed;
  EXPECT_GT(least, uint64_t{1} << 20);
  const auto tiny = try_build("tiny", 2, least);
  ASSERT_TRUE(tiny) << to_string(tiny.error());
  EXPECT_GE(tiny->runs, 20U);
  EXPECT_EQ(tiny->memory_needed, least);
  const auto between = try_build("between", 2, least + (uint64_t{2} << 20));
  ASSERT_TRUE(between);
  EXPECT_EQ(tiny->content_hash, plenty->content_hash);
  EXPECT_EQ(between->content_hash, plenty->content_hash);
  for (const char* file : {"shard-1.souk", "shard-2.souk", "dictionary.souk"}) {
    const std::string bytes = read(path("plenty", *plenty) / file);
    EXPECT_TRUE(read(path("tiny", *tiny) / file) == bytes) << file;
    EXPECT_TRUE(read(path("between", *between) / file) == bytes) << file;
  }
  EXPECT_THAT(names_in(path("tiny")), UnorderedElementsAre(hex16(tiny->content_hash), "LATEST"));
}

TEST_F(BuildTest, ALimitThatIsTooLowSaysWhatWouldDo) {
  const uint64_t least = try_build("plenty").value().memory_needed;
  for (const uint64_t limit : {uint64_t{0}, uint64_t{1} << 20, least - 1}) {
    const auto built = try_build("generations", 2, limit);
    ASSERT_FALSE(built) << limit;
    EXPECT_EQ(built.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(built.error().argument, "memory");
    EXPECT_EQ(built.error().message, "this catalogue needs " + std::to_string((least >> 20) + 1) +
                                         " MiB to be built, " + std::to_string(limit >> 20) + " are allowed");
    EXPECT_THAT(names_in(path("generations")), IsEmpty());
  }
  EXPECT_TRUE(try_build("generations", 2, least));
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
    const auto built = build_generation(*world_.store, market_, {2, folder}, quiet);
    ASSERT_FALSE(built) << folder;
    EXPECT_EQ(built.error().code, ErrorCode::kUnavailable);
    EXPECT_EQ(built.error().argument, folder);
    EXPECT_FALSE(to_string(built.error()).contains('\n'));
  }
}

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
