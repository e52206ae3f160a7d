// SPDX-License-Identifier: Apache-2.0
#include "snippet/store/snippet_store.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/world/temporary_folder.h"

namespace souk::snippet {
namespace {

class SnippetStoreTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  std::unique_ptr<SnippetStore> open() const {
    auto store = SnippetStore::open(path("store"));
    EXPECT_TRUE(store) << to_string(store.error());
    return store ? std::move(*store) : nullptr;
  }

  struct Document {
    uint64_t key;
    uint64_t version;
    std::string text;
  };
  std::string write_file(const std::string& name, const std::vector<Document>& documents) const {
    SstWriter writer;
    EXPECT_TRUE(writer.open(path(name)));
    for (const Document& document : documents) {
      EXPECT_TRUE(writer.add(DocKey(document.key), document.version, document.text));
    }
    EXPECT_TRUE(writer.finish());
    return path(name);
  }

  world::TemporaryFolder folder_;
};

const GenerationId kFirst{1, 0xabc};
const GenerationId kSecond{2, 0xdef};

TEST_F(SnippetStoreTest, KeysSortByKeyThenVersion) {
  EXPECT_EQ(store_key(DocKey(1), 2), std::string("\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2", 16));
  EXPECT_LT(store_key(DocKey(1), UINT64_MAX), store_key(DocKey(2), 0));
  EXPECT_LT(store_key(DocKey(255), 1), store_key(DocKey(256), 1));
}

TEST_F(SnippetStoreTest, ReturnsTheAskedVersionInTheAskedOrder) {
  const auto store = open();
  ASSERT_TRUE(store->ingest(write_file("a.sst", {{5, 1, "five"}, {7, 1, "seven"}, {7, 2, "seven new"}}), kFirst));
  const auto documents = store->get({{DocKey(7), 2}, {DocKey(5), 1}, {DocKey(7), 1}});
  ASSERT_TRUE(documents);
  EXPECT_EQ(*documents, (std::vector<std::string>{"seven new", "five", "seven"}));
}

TEST_F(SnippetStoreTest, AnotherVersionOrKeyIsNotThere) {
  const auto store = open();
  ASSERT_TRUE(store->ingest(write_file("a.sst", {{5, 1, "five"}}), kFirst));
  const auto documents = store->get({{DocKey(5), 2}, {DocKey(6), 1}, {DocKey(5), 0}});
  ASSERT_TRUE(documents);
  EXPECT_EQ(*documents, (std::vector<std::string>{"", "", ""}));
}

TEST_F(SnippetStoreTest, RemembersGenerationsOverAReopen) {
  {
    const auto store = open();
    ASSERT_TRUE(store->ingest(write_file("a.sst", {{5, 1, "five"}}), kFirst));
    ASSERT_TRUE(store->ingest(write_file("b.sst", {{5, 1, "five"}, {5, 2, "five new"}}), kSecond));
  }
  const auto store = open();
  EXPECT_EQ(store->generations(), (std::vector<GenerationId>{kFirst, kSecond}));
  EXPECT_TRUE(store->has(kFirst));
  EXPECT_FALSE(store->has(GenerationId{2, 0xabc}));
  const auto documents = store->get({{DocKey(5), 1}, {DocKey(5), 2}});
  ASSERT_TRUE(documents);
  EXPECT_EQ(*documents, (std::vector<std::string>{"five", "five new"}));
}

TEST_F(SnippetStoreTest, IngestingAGenerationTwiceDoesNothing) {
  const auto store = open();
  const std::string file = write_file("a.sst", {{5, 1, "five"}});
  ASSERT_TRUE(store->ingest(file, kFirst));
  EXPECT_TRUE(store->ingest("/nowhere/at-all.sst", kFirst));  // not even looked at
  EXPECT_EQ(store->generations(), std::vector<GenerationId>{kFirst});
  EXPECT_TRUE(std::filesystem::exists(file)) << "the generation's own file stays";
}

TEST_F(SnippetStoreTest, TheSourceFileIsLeftAsItWas) {
  const std::string file = write_file("a.sst", {{5, 1, "five"}});
  const auto bytes = [&file] {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string before = bytes();
  const auto store = open();
  ASSERT_TRUE(store->ingest(file, kFirst));
  ASSERT_TRUE(store->ingest(file, kSecond));  // overlaps: RocksDB gives it a sequence number of its own
  EXPECT_EQ(bytes(), before);
}

TEST_F(SnippetStoreTest, ADamagedFileIsRefusedAndNothingIsRemembered) {
  const std::string file = write_file("a.sst", {{5, 1, std::string(5000, 'x')}});
  {
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(10);
    out.write("damage", 6);
  }
  {
    const auto store = open();
    const Status ingested = store->ingest(file, kFirst);
    ASSERT_FALSE(ingested);
    EXPECT_EQ(ingested.error().code, ErrorCode::kCorruption);
    EXPECT_FALSE(store->has(kFirst));
  }
  EXPECT_TRUE(open()->generations().empty());
}

TEST_F(SnippetStoreTest, AMissingFileIsNamed) {
  const auto store = open();
  const Status ingested = store->ingest(path("none.sst"), kFirst);
  ASSERT_FALSE(ingested);
  EXPECT_EQ(ingested.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(ingested.error().argument, path("none.sst"));
}

TEST_F(SnippetStoreTest, ASecondOpenOfTheFolderIsRefused) {
  const auto store = open();
  const auto second = SnippetStore::open(path("store"));
  ASSERT_FALSE(second);
  EXPECT_EQ(to_string(second.error()), "another process uses this folder (" + path("store") + ")");
}

TEST_F(SnippetStoreTest, AFileThatCannotBeAFolderIsRefused) {
  std::ofstream(path("file")) << "x";
  const auto store = SnippetStore::open(path("file"));
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kUnavailable);
}

TEST_F(SnippetStoreTest, AWriterWithoutDocumentsLeavesNoFile) {
  SstWriter writer;
  ASSERT_TRUE(writer.open(path("empty.sst")));
  EXPECT_TRUE(writer.finish());
  EXPECT_FALSE(std::filesystem::exists(path("empty.sst")));
}

TEST_F(SnippetStoreTest, AWriterRefusesKeysOutOfOrder) {
  SstWriter writer;
  ASSERT_TRUE(writer.open(path("a.sst")));
  ASSERT_TRUE(writer.add(DocKey(5), 2, "x"));
  EXPECT_FALSE(writer.add(DocKey(5), 1, "x"));
}

TEST_F(SnippetStoreTest, AnUnfinishedFileIsRemoved) {
  {
    SstWriter writer;
    ASSERT_TRUE(writer.open(path("a.sst")));
    ASSERT_TRUE(writer.add(DocKey(5), 2, "x"));
  }
  EXPECT_FALSE(std::filesystem::exists(path("a.sst")));
}

TEST_F(SnippetStoreTest, StatesItsMemory) {
  const auto store = open();
  ASSERT_TRUE(store->ingest(write_file("a.sst", {{5, 1, "five"}}), kFirst));
  ASSERT_TRUE(store->get({{DocKey(5), 1}}));
  EXPECT_GT(store->memory_bytes(), 0U);
  EXPECT_LT(store->memory_bytes(), uint64_t{128} << 20);
}

}  // namespace
}  // namespace souk::snippet
