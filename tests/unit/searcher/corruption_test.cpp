// SPDX-License-Identifier: Apache-2.0
// Damage of every kind to every file of a generation: single flipped bits and truncations are refused, naming the file,
// and a node goes on serving what it had.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "core/base/hash.h"
#include "searcher/generation/generation.h"
#include "snippet/client/snippet_client.h"
#include "snippet/store/snippet_store.h"
#include "tests/unit/searcher/generation/built_generations.h"

namespace souk::generation {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr int kOffers = 400;
constexpr size_t kPage = 4096;
constexpr uint64_t kSeed = 20261130;

std::vector<feed::Offer> offers(int64_t price_step) {
  std::vector<feed::Offer> all;
  for (int i = 1; i <= kOffers; ++i) {
    const std::string number = std::to_string(i);
    all.push_back(world::make_offer(number, "Лампа настольная " + number, price_step * i));
    all.back().vendor = "Свет " + std::to_string(i % 50);
    all.back().description = "Описание товара " + number + ", каких ещё " + std::to_string(i * i);
    all.back().params = {{"Мощность", std::to_string(i % 40), "Вт"}};
  }
  return all;
}

void flip(std::string& bytes, size_t bit) {
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
}

// One built generation in two shards, of which every test damages a copy.
struct Built {
  Built() {
    world.put_offers("shop", offers(1000));
    id = world.publish();
  }
  world::World world;
  GenerationId id;
};

class CorruptionTest : public ::testing::Test {
 protected:
  CorruptionTest() {
    static const Built built;
    id_ = built.id;
    fs::copy(fs::path(built.world.folder()) / "generations" / hex16(id_.content_hash), path(""));
  }

  fs::path path(std::string_view file) const { return copy_.path() / hex16(id_.content_hash) / file; }

  void expect_refused(std::string_view file, const std::string& how) const {
    const auto loaded = load_generation(copy_.path().string(), id_, 1);
    ASSERT_FALSE(loaded) << file << " was loaded with " << how;
    ASSERT_TRUE(to_string(loaded.error()).contains(file)) << how << ": " << to_string(loaded.error());
  }

  void expect_flips_refused(std::string_view file, int count) {
    std::string bytes = read(path(file));
    for (int i = 0; i < count; ++i) {
      const size_t bit = random_() % (bytes.size() * 8);
      flip(bytes, bit);
      write(path(file), bytes);
      expect_refused(file, "bit " + std::to_string(bit) + " flipped");
      flip(bytes, bit);
    }
    write(path(file), bytes);
    ASSERT_TRUE(load_generation(copy_.path().string(), id_, 1)) << "whole again";
  }

  void expect_truncations_refused(std::string_view file) {
    const std::string bytes = read(path(file));
    ASSERT_GT(bytes.size(), kPage) << "the test's files should have some pages";
    for (size_t size = 0; size < bytes.size(); size += kPage) {
      fs::resize_file(path(file), size);
      expect_refused(file, "cut to " + std::to_string(size) + " bytes");
      write(path(file), bytes);
    }
  }

  world::TemporaryFolder copy_;
  GenerationId id_;
  std::mt19937_64 random_{kSeed};
};

TEST_F(CorruptionTest, FlippedBits) {
  expect_flips_refused("shard-1.souk", 360);
  expect_flips_refused("dictionary.souk", 360);
  expect_flips_refused("manifest.json", 240);
}

TEST_F(CorruptionTest, Truncations) {
  for (const char* file : {"shard-1.souk", "dictionary.souk", "manifest.json"}) expect_truncations_refused(file);
}

// The files' own checksums, as when the damage came before the manifest was written: they name the section too.
TEST_F(CorruptionTest, TheFilesOwnChecksums) {
  for (const bool shard : {true, false}) {
    const std::string text = read(path(shard ? "shard-1.souk" : "dictionary.souk"));
    std::vector<std::byte> bytes(text.size());  // aligned for the reader
    std::memcpy(bytes.data(), text.data(), text.size());
    const auto open = [&](index::Bytes file) -> Status {
      if (shard) {
        auto opened = index::ShardIndex::open(file);
        return opened ? Status{} : std::unexpected(opened.error());
      }
      auto opened = index::Dictionary::open(file);
      return opened ? Status{} : std::unexpected(opened.error());
    };
    ASSERT_TRUE(open(bytes));
    size_t named = 0;
    for (int i = 0; i < 300; ++i) {
      const size_t bit = random_() % (bytes.size() * 8);
      bytes[bit / 8] ^= std::byte{1} << bit % 8;
      const Status opened = open(bytes);
      ASSERT_FALSE(opened) << bit;
      named += opened.error().argument.empty() ? 0 : 1;
      bytes[bit / 8] ^= std::byte{1} << bit % 8;
    }
    EXPECT_GT(named, 200U) << "most of a file is sections";
    for (size_t size = 0; size < bytes.size(); size += kPage) {
      EXPECT_FALSE(open(std::span(bytes).first(size))) << size;
    }
  }
}

// A damaged file of documents is refused when it is ingested, or what it shows is right: every document is compared
// with the hash that the shard holds.
class SnippetCorruptionTest : public CorruptionTest {
 protected:
  SnippetCorruptionTest() : shard_(load_generation(copy_.path().string(), id_, 1).value()) {
    for (size_t i = 0; i < shard_->shard->documents(); ++i) {
      ids_.push_back({DocKey(shard_->shard->keys()[i]), shard_->shard->versions()[i]});
    }
  }

  enum class Outcome { kRefused, kNotShown, kShown };

  Outcome ingest_and_ask() {
    const world::TemporaryFolder folder;
    std::shared_ptr<snippet::SnippetStore> store = snippet::SnippetStore::open(folder.path().string()).value();
    if (const Status ingested = store->ingest(path("snippets.sst").string(), id_); !ingested) {
      EXPECT_THAT(to_string(ingested.error()), HasSubstr("snippets.sst"));
      EXPECT_FALSE(store->has(id_));
      return Outcome::kRefused;
    }
    world::Stage stage;
    const net::Endpoint address{"127.0.0.1", 1};
    snippet::SnippetServer server({.name = "snippet-1", .generations_folder = "", .control = {}}, store,
                                  stage.transport, stage.clock, obs::Log::null());
    stage.transport.serve(address, server.handler());
    snippet::SnippetClient client(stage.transport, {address}, stage.clock);
    const auto shown = stage.run(client.get(ids_, Deadline::after(stage.clock, std::chrono::seconds(1))));
    if (!shown) return Outcome::kRefused;
    for (size_t i = 0; i < ids_.size(); ++i) {
      const auto& document = shown->at(i);
      if (!document) return Outcome::kNotShown;
      EXPECT_EQ(xxh3(document->SerializeAsString()), ids_[i].version);
      EXPECT_THAT(document->title(), HasSubstr("Лампа настольная " + document->offer_id()));
    }
    return Outcome::kShown;
  }

  std::shared_ptr<const Generation> shard_;
  std::vector<snippet::SnippetId> ids_;
};

TEST_F(SnippetCorruptionTest, FlippedBitsAndTruncations) {
  const std::string good = read(path("snippets.sst"));
  ASSERT_EQ(ingest_and_ask(), Outcome::kShown);
  int refused = 0;
  for (int i = 0; i < 40; ++i) {
    std::string bytes = good;
    flip(bytes, random_() % (bytes.size() * 8));
    fs::remove(path("snippets.sst"));  // the store may share the file
    write(path("snippets.sst"), bytes);
    refused += ingest_and_ask() == Outcome::kRefused ? 1 : 0;
  }
  EXPECT_GT(refused, 35) << "RocksDB's checksums cover nearly every byte";
  for (size_t size = 0; size < good.size(); size += kPage) {
    fs::remove(path("snippets.sst"));
    write(path("snippets.sst"), good.substr(0, size));
    EXPECT_EQ(ingest_and_ask(), Outcome::kRefused) << size;
  }
}

std::string control_status(world::World& world) {
  net::Request request;
  request.path = "/status";
  const auto deadline = Deadline::after(world.clock(), std::chrono::seconds(1));
  return world.run(world.transport().send(world.topology().control.address, std::move(request), deadline))->body;
}

// A whole cluster meets a damaged generation: what was served stays, the problem is told, and the repaired files are
// taken without anybody's doing.
class DamagedTargetTest : public ::testing::TestWithParam<const char*> {};

TEST_P(DamagedTargetTest, TheNodeServesWhatItHad) {
  const std::string file = GetParam();
  world::World world;
  world.put_offers("shop", offers(1000));
  const GenerationId first = world.activate();
  const world::Answer before = world.get("/search?text=17&group=offer");
  ASSERT_EQ(before.status, 200);

  world.put_offers("shop", offers(2000));
  const GenerationId second = world.publish();
  const fs::path path = fs::path(world.folder()) / "generations" / hex16(second.content_hash) / file;
  const std::string good = read(path);
  std::string damaged = good;
  flip(damaged, damaged.size() * 8 / 3);
  write(path, damaged);
  world.advance(5);
  for (size_t node = 0; node < 2; ++node) {
    EXPECT_EQ(world.status(node).at("generation"), boost::json::value(to_string(first)));
    EXPECT_EQ(world.get("/search?text=17&group=offer", node).body.at("result_digest"), before.body.at("result_digest"));
  }

  EXPECT_THAT(control_status(world), HasSubstr(file)) << "the problem is told";

  write(path, good);
  world.advance(40);  // they try again after 30 seconds at the latest
  for (size_t node = 0; node < 2; ++node) {
    EXPECT_EQ(world.status(node).at("generation"), boost::json::value(to_string(second)));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, DamagedTargetTest,
                         ::testing::Values("manifest.json", "dictionary.souk", "shard-2.souk", "snippets.sst"));

}  // namespace
}  // namespace souk::generation
