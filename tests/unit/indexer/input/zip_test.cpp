// SPDX-License-Identifier: Apache-2.0
#include "indexer/input/zip.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zip.h>

#include <fstream>
#include <iterator>

#include "indexer/input/file_blocks.h"
#include "tests/unit/indexer/input/stream.h"
#include "tests/world/temporary_folder.h"

namespace souk::input {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;  // name, content; folders end in "/"

class ZipFile : public testing::Test {
 public:
  void make(const Entries& entries) {
    std::filesystem::remove(path_);
    zip_t* archive = zip_open(path_.c_str(), ZIP_CREATE, nullptr);
    for (const auto& [name, content] : entries) {
      if (name.ends_with('/')) {
        zip_dir_add(archive, name.c_str(), 0);
      } else {
        zip_file_add(archive, name.c_str(), zip_source_buffer(archive, content.data(), content.size(), 0), 0);
      }
    }
    ASSERT_EQ(zip_close(archive), 0);
  }

  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  void put(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  Passed read(uint64_t max_bytes = 1 << 30) {
    Passed passed;
    const auto file = InputFile::open(path_);
    if (!file || !is_zip(file->fd())) return passed;
    passed.good = read_zip(
        file->fd(), max_bytes, passed.sink(), [this](uint64_t done, uint64_t total) { progress_ = {done, total}; },
        passed.fault);
    return passed;
  }

 protected:
  world::TemporaryFolder folder_;
  const std::string path_ = (folder_.path() / "feed.zip").string();
  std::pair<uint64_t, uint64_t> progress_;
};

TEST_F(ZipFile, GivesItsOnlyFile) {
  std::string content;
  for (int i = 0; i < 100'000; ++i) content += "<offer " + std::to_string(i) + ">";
  make({{"export/", ""}, {"export/feed.xml", content}});
  const Passed passed = read();
  EXPECT_TRUE(passed.good) << passed.fault.message;
  EXPECT_EQ(passed.text, content);
  EXPECT_EQ(progress_.first, progress_.second);
  make({{"feed.xml", ""}});
  EXPECT_TRUE(read().good);
}

TEST_F(ZipFile, NeedsExactlyOneFile) {
  make({{"a/", ""}});
  EXPECT_EQ(read().fault.kind, "zip_entries");
  make({{"a.xml", "a"}, {"b.xml", "b"}});
  EXPECT_EQ(read().fault.kind, "zip_entries");
  EXPECT_EQ(read().text, "");
  Entries many;
  for (int i = 0; i < 1200; ++i) many.emplace_back(std::to_string(i) + "/", "");
  many.emplace_back("feed.xml", "x");
  make(many);
  EXPECT_EQ(read().fault.kind, "zip_entries");
}

TEST_F(ZipFile, KeepsTheLimits) {
  make({{"feed.xml", std::string(100, 'x')}});
  EXPECT_TRUE(read(100).good);
  EXPECT_EQ(read(99).fault.kind, "size_limit");
  make({{"feed.xml", std::string(8 << 20, ' ')}});
  const Passed bomb = read();
  EXPECT_EQ(bomb.fault.kind, "size_limit");
  EXPECT_LT(bomb.text.size(), 6U << 20);
}

TEST_F(ZipFile, RefusesDamage) {
  std::string content;
  for (int i = 0; i < 1000; ++i) content += std::to_string(i * i);
  make({{"feed.xml", content}});
  const std::string good = bytes();
  put(good.substr(0, good.size() / 2));
  EXPECT_EQ(read().fault.kind, "bad_zip");
  std::string damaged = good;
  damaged[good.size() / 2] ^= 0x55;
  put(damaged);
  EXPECT_EQ(read().fault.kind, "bad_zip");
  // A pointer to zip64's end record, before the usual one.
  const size_t end = good.rfind("PK\x05\x06");
  put(good.substr(0, end) + "PK\x06\x07" + std::string(16, '\0') + good.substr(end));
  EXPECT_EQ(read().fault.kind, "bad_zip");
  put("PK\x03\x04");
  EXPECT_EQ(read().fault.kind, "bad_zip");
}

// Whatever is changed or cut: nothing but the content or a part of it comes out, and then the reading is refused.
RC_GTEST_FIXTURE_PROP(ZipFile, AnyDamageIsNoticed, ()) {
  std::string content;
  for (int i = 0; i < 300; ++i) content += std::to_string(i * i);
  make({{"feed.xml", content}});
  std::string damaged = bytes();
  damaged[*rc::gen::inRange<size_t>(4, damaged.size())] = *rc::gen::arbitrary<char>();
  put(damaged.substr(0, *rc::gen::inRange<size_t>(damaged.size() / 2, damaged.size() + 1)));
  const Passed passed = read();
  if (passed.good) RC_ASSERT(passed.text == content);
  RC_ASSERT(passed.good || !passed.fault.kind.empty());
}

}  // namespace
}  // namespace souk::input
