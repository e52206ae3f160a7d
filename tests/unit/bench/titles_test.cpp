// SPDX-License-Identifier: Apache-2.0
#include "bench/datasets/titles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "bench/datasets/corpus_file.h"
#include "tests/world/temporary_folder.h"

namespace souk::bench {
namespace {

using testing::ElementsAre;

constexpr uint32_t kDocuments = 20'000;

TEST(TitlesTest, DependOnSeedAndNumberOnly) {
  const Titles titles(7, kDocuments), same(7, kDocuments), other(8, kDocuments);
  Title a, b, c;
  titles.make(5, a);
  titles.make(4, b);
  same.make(5, b);
  other.make(5, c);
  EXPECT_EQ(a.words, b.words);
  EXPECT_EQ(a.price, b.price);
  EXPECT_EQ(a.model, b.model);
  EXPECT_NE(a.words, c.words);
}

TEST(TitlesTest, LookLikeACatalogue) {
  const Titles titles(1, kDocuments);
  std::map<WordId, uint32_t> frequencies;
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> of_model;
  uint64_t postings = 0;
  Title title;
  for (uint32_t number = 0; number < kDocuments; ++number) {
    titles.make(number, title);
    EXPECT_LT(title.category, kCategories);
    EXPECT_LT(title.vendor, kVendors);
    EXPECT_GT(title.price, 0U);
    EXPECT_LE(title.quality, 15U);
    EXPECT_GE(title.words.size(), 2U);
    const auto [model, is_new] = of_model.emplace(title.model, std::pair(title.category, title.vendor));
    EXPECT_EQ(model->second, std::pair(title.category, title.vendor)) << "offers of a model are of the same kind";
    const std::set<WordId> distinct(title.words.begin(), title.words.end());
    postings += distinct.size();
    for (const WordId word : distinct) ++frequencies[word];
  }
  EXPECT_NEAR(static_cast<double>(postings) / kDocuments, 9.4, 0.3);
  EXPECT_NEAR(static_cast<double>(of_model.size()) / kDocuments, 0.39, 0.02);
  const auto once = std::ranges::count_if(frequencies, [](const auto& word) { return word.second == 1; });
  EXPECT_GT(once * 10, 4 * static_cast<int64_t>(frequencies.size())) << "in larger corpora most do";
  const auto most = std::ranges::max_element(frequencies, {}, [](const auto& word) { return word.second; });
  EXPECT_GT(most->second, kDocuments / 10);
}

TEST(TitlesTest, SpellWordsApart) {
  const Titles titles(1, 1000);
  std::set<std::string> seen;
  for (WordId word = 0; word < titles.words(); ++word) {
    const std::string spelled = titles.spell(word);
    EXPECT_TRUE(seen.insert(spelled).second) << spelled;
    EXPECT_EQ(spelled.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789"), std::string::npos);
  }
}

TEST(ZipfTest, PicksByWeight) {
  const Zipf zipf(4, 1.0);  // 1, 1/2, 1/3, 1/4 of 25/12
  Random random(3);
  std::vector<uint32_t> counts(4);
  for (int i = 0; i < 100'000; ++i) ++counts[zipf.pick(random)];
  EXPECT_NEAR(counts[0], 48'000, 1000);
  EXPECT_NEAR(counts[1], 24'000, 1000);
  EXPECT_NEAR(counts[2], 16'000, 1000);
  EXPECT_NEAR(counts[3], 12'000, 1000);
}

class CorpusFileTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) { std::ofstream(folder + "/" + name) << text; }
  const world::TemporaryFolder temporary;
  const std::string folder = temporary.path().string();
};

TEST_F(CorpusFileTest, GivesDocuments) {
  write("documents.tsv", "1\t2\t3\t4\t500\t6\tred cat\n2\t3\t4\t5\t600\t7\tdog\n");
  auto file = CorpusFile::open(folder);
  ASSERT_TRUE(file);
  CorpusDocument document;
  ASSERT_EQ(file->next(document), true);
  EXPECT_EQ(document.key, 1U);
  EXPECT_EQ(document.model, 2U);
  EXPECT_EQ(document.category, 3U);
  EXPECT_EQ(document.vendor, 4U);
  EXPECT_EQ(document.price, 500U);
  EXPECT_EQ(document.quality, 6U);
  std::vector<std::string> words;
  for_each_word(document.title, [&](std::string_view word) { words.emplace_back(word); });
  EXPECT_THAT(words, ElementsAre("red", "cat"));
  ASSERT_EQ(file->next(document), true);
  EXPECT_EQ(document.title, "dog");
  EXPECT_EQ(file->next(document), false);
}

TEST_F(CorpusFileTest, NamesTheLineThatIsBad) {
  for (const std::string bad :
       {"x\t2\t3\t4\t5\t6\tcat\n", "1\t2\t3\t4\t5\tcat\n", "1\t2\t3\t4\t5\t6\tcat\t\n", "1\t2\t3\t4\t5\t6\tcut"}) {
    write("documents.tsv", "1\t2\t3\t4\t5\t6\tcat\n" + bad);
    auto file = CorpusFile::open(folder);
    ASSERT_TRUE(file);
    CorpusDocument document;
    ASSERT_EQ(file->next(document), true);
    const auto second = file->next(document);
    ASSERT_FALSE(second) << bad;
    EXPECT_EQ(second.error().argument, folder + "/documents.tsv:2");
  }
  std::filesystem::remove(folder + "/documents.tsv");
  EXPECT_EQ(CorpusFile::open(folder).error().code, ErrorCode::kNotFound);
}

TEST_F(CorpusFileTest, GivesQueries) {
  write("queries.tsv", "red cat\t3\t100\t200\tcat red\n");
  const auto queries = read_corpus_queries(folder);
  ASSERT_TRUE(queries);
  ASSERT_EQ(queries->size(), 1U);
  EXPECT_THAT(queries->front().words, ElementsAre("red", "cat"));
  EXPECT_THAT(queries->front().phrase, ElementsAre("cat", "red"));
  EXPECT_EQ(queries->front().category, 3U);
  EXPECT_EQ(queries->front().price_from, 100U);
  EXPECT_EQ(queries->front().price_to, 200U);
  write("queries.tsv", "red cat\t3\t100\t200\tcat\n");
  EXPECT_EQ(read_corpus_queries(folder).error().argument, folder + "/queries.tsv:1");
}

}  // namespace
}  // namespace souk::bench
