// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <filesystem>
#include <fstream>

#include "indexer/offers/database.h"
#include "indexer/offers/rocksdb_storage.h"
#include "indexer/offers/staged_writes.h"
#include "tests/unit/indexer/offers/store_fixture.h"

namespace souk::offers {
namespace {

namespace fs = std::filesystem;

TEST(RocksdbStore, SaysClearlyWhyItDoesNotOpen) {
  const World world;
  const fs::path file = world.folder.path() / "file";
  std::ofstream(file) << "x";
  const auto not_a_folder = open_rocksdb_store((file / "offers").string(), world.clock);
  ASSERT_FALSE(not_a_folder);
  EXPECT_EQ(not_a_folder.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(to_string(not_a_folder.error()).find('\n'), std::string::npos);
  const fs::path none = world.folder.path() / "none";
  EXPECT_EQ(open_rocksdb_store_to_read(none.string(), world.clock).error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(fs::exists(none));
}

TEST(RocksdbStore, AnotherFormatIsRefused) {
  World world;
  world.store.reset();
  const std::string folder = (world.folder.path() / "offers").string();
  {
    auto database = Database::open(folder);
    ASSERT_TRUE(database);
    rocksdb::WriteBatch batch;
    batch.Put(keys::format(), keys::number(1));
    ASSERT_TRUE(database->write(batch));
  }
  for (const auto& opened :
       {open_rocksdb_store(folder, world.clock).error(), open_rocksdb_store_to_read(folder, world.clock).error()}) {
    EXPECT_EQ(opened.code, ErrorCode::kVersionMismatch);
    EXPECT_EQ(opened.message,
              "the offer store has format 1, this program reads 2: delete it and ingest the feeds anew");
  }
}

// The names and sizes of all files, but for RocksDB's own log.
std::map<std::string, uintmax_t> files_of(const fs::path& folder) {
  std::map<std::string, uintmax_t> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && !entry.path().filename().string().starts_with("LOG")) {
      files[entry.path().filename().string()] = entry.file_size();
    }
  }
  return files;
}

TEST(RocksdbStore, AnUnchangedFeedWritesNothing) {
  World world;
  const Shop shop = world.shop(1);
  world.apply(shop, {make_offer("1"), make_offer("2")});
  const auto before = files_of(world.folder.path() / "offers");
  world.apply(shop, {make_offer("2"), make_offer("1")});
  EXPECT_EQ(files_of(world.folder.path() / "offers"), before);
  world.apply(shop, {make_offer("2"), make_offer("1")}, "h2");
  EXPECT_NE(files_of(world.folder.path() / "offers"), before) << "the hash is written, so the comparison can fail";
}

TEST(StagedWrites, OfOverlappingFilesTheLaterCounts) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "db").string();
  auto database = Database::open(path);
  ASSERT_TRUE(database);
  rocksdb::WriteBatch batch;
  for (const char* key : {"x1", "x2", "x3", "x4"}) batch.Put(key, "old");
  ASSERT_TRUE(database->write(batch));  // in the memtable, which overlaps too
  {
    StagedWrites writes(*database, 1);  // a file for each put
    ASSERT_TRUE(writes.put("x1", "a"));
    ASSERT_TRUE(writes.put("x3", "a"));
    ASSERT_TRUE(writes.put("x1", "b"));
    ASSERT_TRUE(writes.put("x4", "b"));
    ASSERT_TRUE(writes.put("x1", "c"));
    EXPECT_EQ(std::distance(fs::directory_iterator(database->staging_folder()), {}), 5);
    EXPECT_EQ(*database->get("x1"), "old");
    ASSERT_TRUE(writes.commit());
  }
  const auto check = [&] {
    EXPECT_EQ(*database->get("x1"), "c");
    EXPECT_EQ(*database->get("x2"), "old");
    EXPECT_EQ(*database->get("x3"), "a");
    EXPECT_EQ(*database->get("x4"), "b");
  };
  check();
  EXPECT_TRUE(fs::is_empty(database->staging_folder()));
  rocksdb::WriteBatch later;
  later.Put("x1", "d");
  ASSERT_TRUE(database->write(later));
  EXPECT_EQ(*database->get("x1"), "d");
}

TEST(StagedWrites, LeaveNothingWithoutCommitNorWhenKilled) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "db").string();
  {
    auto database = Database::open(path);
    ASSERT_TRUE(database);
    {
      StagedWrites writes(*database, 1);
      ASSERT_TRUE(writes.put("x", "a"));
    }
    EXPECT_TRUE(fs::is_empty(database->staging_folder()));
    std::ofstream(fs::path(database->staging_folder()) / "1.sst") << "half of a file";
  }
  auto database = Database::open(path);
  ASSERT_TRUE(database);
  EXPECT_FALSE(fs::exists(database->staging_folder()));
  EXPECT_FALSE(*database->get("x"));
}

}  // namespace
}  // namespace souk::offers
