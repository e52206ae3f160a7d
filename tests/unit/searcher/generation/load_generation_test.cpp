// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "searcher/generation/generation.h"
#include "tests/unit/searcher/generation/built_generations.h"

namespace souk::generation {
namespace {

namespace fs = std::filesystem;

const BuiltGenerations& shared_generations() {
  static const BuiltGenerations generations;
  return generations;
}

// Works on a copy of the first generation.
class LoadGenerationTest : public ::testing::Test {
 protected:
  LoadGenerationTest() { fs::copy(fs::path(shared_generations().generations()) / hex16(id_.content_hash), folder()); }

  fs::path folder() const { return copy_.path() / hex16(id_.content_hash); }
  fs::path other(const GenerationId& id) const {
    return fs::path(shared_generations().generations()) / hex16(id.content_hash);
  }
  auto load(uint32_t shard) const { return load_generation(copy_.path().string(), id_, shard); }

  // The refusal, which must name the file.
  std::string refused(uint32_t shard, ErrorCode code, const std::string& file) const {
    const auto loaded = load(shard);
    if (loaded) return "it was loaded";
    EXPECT_EQ(loaded.error().code, code) << to_string(loaded.error());
    EXPECT_TRUE(to_string(loaded.error()).contains(file)) << to_string(loaded.error());
    EXPECT_TRUE(loaded.error().argument.starts_with(folder().string())) << to_string(loaded.error());
    return loaded.error().message;
  }

  // Makes the files that lie there a generation of their own, as somebody would who wants them loaded.
  void adopt_files() {
    auto manifest = index::parse_manifest(read(folder() / index::kManifestFile));
    ASSERT_TRUE(manifest);
    manifest->dictionary = entry_of(folder() / index::kDictionaryFile);
    for (uint32_t shard = 1; shard <= 2; ++shard)
      manifest->shard_files[shard - 1] = entry_of(folder() / index::shard_file_name(shard));
    manifest->content_hash = index::content_hash_of(*manifest);
    write(folder() / index::kManifestFile, index::to_json(*manifest));
    const fs::path before = folder();
    id_.content_hash = manifest->content_hash;
    if (folder() != before) fs::rename(before, folder());
  }

  world::TemporaryFolder copy_;
  GenerationId id_ = shared_generations().first;
};

TEST_F(LoadGenerationTest, AGoodOneLoads) {
  for (uint32_t shard = 1; shard <= 2; ++shard) {
    const auto loaded = load(shard);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_EQ((*loaded)->id, id_);
    ASSERT_TRUE((*loaded)->shard);
    EXPECT_EQ((*loaded)->shard->stats().shard, shard);
    EXPECT_EQ((*loaded)->dictionary.stats().documents, 20U);
    EXPECT_EQ((*loaded)->memory_bytes(),
              (*loaded)->dictionary_bytes.bytes().size() + (*loaded)->shard_bytes.bytes().size());
  }
  const auto names = load(0);
  ASSERT_TRUE(names) << to_string(names.error());
  EXPECT_FALSE((*names)->shard) << "without the shard role only the dictionary is loaded";
}

TEST_F(LoadGenerationTest, MissingFiles) {
  for (const std::string file : {"shard-1.souk", "dictionary.souk", "manifest.json"}) {
    fs::remove(folder() / file);
    EXPECT_EQ(refused(1, ErrorCode::kUnavailable, file), "cannot be read: No such file or directory");
  }
  fs::remove_all(folder());
  EXPECT_EQ(refused(1, ErrorCode::kUnavailable, "manifest.json"), "cannot be read: No such file or directory");
}

TEST_F(LoadGenerationTest, AFileThatIsAFolder) {
  fs::remove(folder() / "shard-1.souk");
  fs::create_directory(folder() / "shard-1.souk");
  refused(1, ErrorCode::kUnavailable, "shard-1.souk");
}

TEST_F(LoadGenerationTest, WrongSize) {
  for (const std::string file : {"shard-1.souk", "dictionary.souk"}) {
    const std::string bytes = read(folder() / file);
    for (const std::string& damaged : {bytes.substr(0, bytes.size() - 1), bytes + "x", std::string()}) {
      write(folder() / file, damaged);
      EXPECT_EQ(refused(1, ErrorCode::kCorruption, file),
                "the file has " + std::to_string(damaged.size()) + " bytes instead of " + std::to_string(bytes.size()));
    }
    write(folder() / file, bytes);
  }
  EXPECT_TRUE(load(1)) << "whole again";
}

TEST_F(LoadGenerationTest, WrongSha256) {
  for (const std::string file : {"shard-1.souk", "dictionary.souk"}) {
    const std::string bytes = read(folder() / file);
    for (const size_t at : {size_t{0}, bytes.size() / 2, bytes.size() - 1}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 1);
      write(folder() / file, damaged);
      const std::string reason = refused(1, ErrorCode::kCorruption, file);
      EXPECT_TRUE(reason.starts_with("the file's SHA-256 is not the manifest's: ")) << reason;
      const bool in_a_section = at == bytes.size() / 2;
      EXPECT_EQ(reason.ends_with(")"), in_a_section) << "the section in brackets: " << reason;
    }
    write(folder() / file, bytes);
  }
  std::string other_shard = read(folder() / "shard-2.souk");
  other_shard[100] = static_cast<char>(other_shard[100] ^ 1);
  write(folder() / "shard-2.souk", other_shard);
  EXPECT_TRUE(load(1)) << "a node reads its own shard only";
}

TEST_F(LoadGenerationTest, ManifestsThatAreNone) {
  const std::string good = read(folder() / "manifest.json");
  for (const std::string& text : {std::string("{}"), std::string("[]"), std::string(), good.substr(0, 50)}) {
    write(folder() / "manifest.json", text);
    refused(1, ErrorCode::kCorruption, "manifest.json");
  }
  write(folder() / "manifest.json", good + std::string(1 << 20, ' '));
  EXPECT_EQ(refused(1, ErrorCode::kCorruption, "manifest.json"), "is too large");
}

TEST_F(LoadGenerationTest, TheManifestOfAnotherGeneration) {
  write(folder() / "manifest.json", read(other(shared_generations().second) / "manifest.json"));
  EXPECT_EQ(refused(1, ErrorCode::kCorruption, "manifest.json"), "the manifest is of another generation");
}

TEST_F(LoadGenerationTest, AShardOfAnotherGenerationWithRightChecksums) {
  // The second generation differs in a price only: its shards look like this one's.
  auto manifest = index::parse_manifest(read(folder() / "manifest.json"));
  ASSERT_TRUE(manifest);
  for (uint32_t shard = 1; shard <= 2; ++shard) {
    const std::string name = index::shard_file_name(shard);
    write(folder() / name, read(other(shared_generations().second) / name));
    manifest->shard_files[shard - 1] = entry_of(folder() / name);
  }
  write(folder() / "manifest.json", index::to_json(*manifest));
  for (uint32_t shard = 0; shard <= 2; ++shard) {
    EXPECT_EQ(refused(shard, ErrorCode::kCorruption, "manifest.json"),
              "the manifest's files are not those of its generation");
  }
}

TEST_F(LoadGenerationTest, AShardThatWasMadeWithAnotherDictionary) {
  write(folder() / "shard-1.souk", read(other(shared_generations().third) / "shard-1.souk"));
  adopt_files();
  EXPECT_EQ(refused(1, ErrorCode::kCorruption, "shard-1.souk"), "it was made with another dictionary");
}

TEST_F(LoadGenerationTest, AnotherShardUnderTheName) {
  write(folder() / "shard-1.souk", read(folder() / "shard-2.souk"));
  adopt_files();
  EXPECT_EQ(refused(1, ErrorCode::kCorruption, "shard-1.souk"), "it is shard 2 of 2");
  EXPECT_TRUE(load(2));
}

TEST_F(LoadGenerationTest, FilesOfTheWrongKind) {
  const std::string dictionary = read(folder() / "dictionary.souk");
  write(folder() / "shard-1.souk", dictionary);
  adopt_files();
  refused(1, ErrorCode::kCorruption, "shard-1.souk");
  write(folder() / "dictionary.souk", read(folder() / "shard-2.souk"));
  adopt_files();
  refused(0, ErrorCode::kCorruption, "dictionary.souk");
  write(folder() / "dictionary.souk", "what is this?");
  adopt_files();
  refused(0, ErrorCode::kCorruption, "dictionary.souk");
}

TEST_F(LoadGenerationTest, AShardThatTheGenerationDoesNotHave) {
  const auto loaded = load(3);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::kVersionMismatch);
  EXPECT_EQ(to_string(loaded.error()), "the generation has 2 shards, not 3 (" + folder().string() + ")");
}

}  // namespace
}  // namespace souk::generation
