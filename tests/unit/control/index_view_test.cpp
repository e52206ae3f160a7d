// SPDX-License-Identifier: Apache-2.0
#include "control/cli/index_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/unit/core/world.h"
#include "tests/unit/indexer/offers/store_fixture.h"

namespace souk::control {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

// A shard of 200 offers of 100 models, measured as the command does.
class IndexViewTest : public ::testing::Test {
 protected:
  IndexViewTest() {
    std::vector<test::TestOffer> offers;
    for (uint64_t id = 1; id <= 200; ++id)
      offers.push_back({.id = id, .model = id % 100 + 1, .title = "лампа " + std::to_string(id)});
    const test::World world(std::move(offers), 1);
    write("shard-1.souk", world.shard_files()[0]);
    write("dictionary.souk", world.dictionary_file());
  }
  std::string path(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name, const test::FileBytes& bytes) const {
    std::ofstream(path(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  offers::TemporaryFolder folder_;
};

TEST_F(IndexViewTest, ShowsAShard) {
  const auto stats = measure_index_file(path("shard-1.souk"));
  ASSERT_TRUE(stats) << to_string(stats.error());
  const std::string text = index_table(*stats);
  EXPECT_THAT(text, HasSubstr("shard 1 of 1: 200 documents, 100 groups, " + std::to_string(stats->bytes) + " bytes"));
  EXPECT_THAT(text, ContainsRegex("\nkeys +1600 +[0-9.]+ +8.00"));
  EXPECT_THAT(text, ContainsRegex("\nkeys +4000 +[0-9.]+ +20.00"));
  EXPECT_THAT(text, ContainsRegex("\ngroup_keys +800 +[0-9.]+ +4.00 +8.00 a group\n"));
  EXPECT_THAT(text, ContainsRegex("\nmain +single lists +200 +200 +4000 +20.00\n"));
  EXPECT_THAT(text, ContainsRegex("\nmain +- array chunks +1 +200 +"));
  EXPECT_THAT(text, ContainsRegex("\nparams +all +0 +0 +[0-9]+ +-\n"));
}

TEST_F(IndexViewTest, TellsProgramsTheSame) {
  const auto stats = measure_index_file(path("shard-1.souk"));
  ASSERT_TRUE(stats);
  const auto json = index_json(*stats);
  EXPECT_EQ(json.at("kind").as_string(), "shard");
  EXPECT_EQ(json.at("documents").to_number<uint64_t>(), 200U);
  EXPECT_EQ(json.at("lists").at("main").at("postings").to_number<uint64_t>(), 400U);
  EXPECT_EQ(json.at("lists").at("main").at("single_lists").at("postings").to_number<uint64_t>(), 200U);
  EXPECT_TRUE(json.at("lists").at("params").at("bytes_per_posting").is_null());
  EXPECT_EQ(json.at("parts").at("keys").at("bytes_per_document").to_number<double>(), 20.0);
  EXPECT_EQ(json.at("parts").at("forward_index").as_object().count("bytes_per_word"), 1U);
  uint64_t parts = 0;
  for (const auto& [name, part] : json.at("parts").as_object()) parts += part.at("bytes").to_number<uint64_t>();
  EXPECT_EQ(parts, json.at("bytes").to_number<uint64_t>());
  EXPECT_EQ(json.at("sections").as_array().size(), stats->sections.size());
}

TEST_F(IndexViewTest, ShowsADictionary) {
  const auto stats = measure_index_file(path("dictionary.souk"));
  ASSERT_TRUE(stats) << to_string(stats.error());
  const std::string text = index_table(*stats);
  EXPECT_THAT(text, HasSubstr("dictionary: 200 documents, 100 models, 201 terms; 0 categories, 0 vendors, 1 shop, "
                              "0 params with 0 values; "));
  EXPECT_THAT(text, ContainsRegex("\nlexicon +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ a term\n"));
  const auto json = index_json(*stats);
  EXPECT_EQ(json.at("kind").as_string(), "dictionary");
  EXPECT_EQ(json.at("terms").to_number<uint64_t>(), 201U);
  EXPECT_GT(json.at("parts").at("lexicon").at("bytes_per_term").to_number<double>(), 8.0);
}

TEST_F(IndexViewTest, NamesTheFileThatIsRefused) {
  EXPECT_EQ(measure_index_file(path("none")).error().code, ErrorCode::kNotFound);
  write("bad", test::FileBytes(100));
  const auto stats = measure_index_file(path("bad"));
  ASSERT_FALSE(stats);
  EXPECT_EQ(stats.error().code, ErrorCode::kCorruption);
  EXPECT_EQ(stats.error().argument, path("bad"));
  EXPECT_THAT(stats.error().message, HasSubstr("not a souk file"));
}

}  // namespace
}  // namespace souk::control
