// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/scratch_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/world/temporary_folder.h"

namespace souk::files {
namespace {

namespace fs = std::filesystem;

class ScratchFileTest : public ::testing::Test {
 protected:
  static std::span<const std::byte> bytes(const std::string& text) { return std::as_bytes(std::span(text)); }
  static std::string read(const ScratchFile& file, uint64_t at, size_t size) {
    std::string text(size, '\0');
    const Status done = file.read(at, std::as_writable_bytes(std::span(text)));
    return done ? text : to_string(done.error());
  }
  const world::TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
};

TEST_F(ScratchFileTest, WhatWasWrittenIsReadAtAnyPlace) {
  const auto file = ScratchFile::create(folder_ / "scratch");
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_TRUE(fs::is_empty(folder_)) << "it has no name";
  std::string all;
  // Smaller and larger than the buffer, in turn.
  for (size_t i = 0; i < 60; ++i) {
    const std::string piece(i % 7 == 0 ? 40'000 : 1 + i * 31, static_cast<char>('a' + i % 26));
    all += piece;
    ASSERT_TRUE((*file)->write(bytes(piece)));
    EXPECT_EQ((*file)->size(), all.size());
  }
  ASSERT_TRUE((*file)->flush());
  EXPECT_TRUE(read(**file, 0, all.size()) == all);
  EXPECT_TRUE(read(**file, 39'990, 70'000) == all.substr(39'990, 70'000));
  EXPECT_EQ(read(**file, all.size(), 0), "");
}

TEST_F(ScratchFileTest, ReadingBeyondTheEndIsAnError) {
  const auto file = ScratchFile::create(folder_ / "scratch");
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->write(bytes("four")));
  ASSERT_TRUE((*file)->flush());
  EXPECT_EQ(read(**file, 2, 2), "ur");
  const std::string error = "cannot be read: it ends too early (" + (folder_ / "scratch").string() + ")";
  EXPECT_EQ(read(**file, 2, 3), error);
  EXPECT_EQ(read(**file, 100, 1), error);
}

TEST_F(ScratchFileTest, NeverOverAnotherFile) {
  ASSERT_TRUE(ScratchFile::create(folder_ / "scratch"));
  ASSERT_TRUE(ScratchFile::create(folder_ / "scratch")) << "the first has no name any more";
  fs::create_directory(folder_ / "taken");
  for (const fs::path& path : {folder_ / "taken", folder_ / "nowhere" / "scratch"}) {
    const auto file = ScratchFile::create(path);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::kUnavailable);
    EXPECT_EQ(file.error().argument, path);
  }
}

}  // namespace
}  // namespace souk::files
