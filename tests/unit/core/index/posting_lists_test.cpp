// SPDX-License-Identifier: Apache-2.0
#include "core/index/posting_lists.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "tests/unit/core/index/lists_file.h"
#include "tests/unit/core/sections.h"

namespace souk::index {
namespace {

using test::add_list;
using test::ListsFile;
using test::Postings;
using test::some_documents;

std::string wrong_after_writing(uint32_t documents, const PostingSections& sections, const Postings& postings) {
  const ListsFile file = test::write_lists(documents, sections, postings);
  const auto lists = test::open_lists(file.bytes, file);
  if (!lists) return to_string(lists.error());
  if (lists->postings() != postings.size()) return "the number of postings";
  if (test::decode_all(*lists) != postings) return "decode";
  Postings read;
  if (const std::string wrong = test::read_views(*lists, read); !wrong.empty()) return wrong;
  return read == postings ? "" : "the views";
}

TEST(ListKind, DependsOnTheListAndTheShardAlone) {
  EXPECT_EQ(list_kind(1, 1), ListKind::kSingle);
  EXPECT_EQ(list_kind(1, kNoOrdinal), ListKind::kSingle);
  EXPECT_EQ(list_kind(8, 8), ListKind::kShort);
  EXPECT_EQ(list_kind(9, 65'536), ListKind::kChunked);
  EXPECT_EQ(list_kind(9, 65'537), ListKind::kShort);
  EXPECT_EQ(list_kind(17, 65'537), ListKind::kChunked);
  EXPECT_EQ(list_kind(1024, 8'388'608), ListKind::kShort);
  EXPECT_EQ(list_kind(1025, kNoOrdinal), ListKind::kChunked);
}

class PostingListsOf : public testing::TestWithParam<uint32_t> {};

// Lists of every length at which the form changes, weighted and not.
TEST_P(PostingListsOf, ComeBack) {
  const uint32_t documents = GetParam();
  const uint32_t chunks = (documents + kChunkDocuments - 1) / kChunkDocuments;
  std::set<uint32_t> lengths{1, 2, 3, 255, 256, 257, 512, 513, 1023, 1024, 1025, 4095, 4096, 4097, 65'535, documents};
  for (const uint32_t length : {8 * chunks - 1, 8 * chunks, 8 * chunks + 1}) lengths.insert(length);
  std::mt19937 random(documents);
  for (const PostingSections& sections : {kMainLists, kParamLists}) {
    Postings postings;
    uint32_t term = 0;
    for (const uint32_t df : lengths) {
      if (df > documents) continue;
      add_list(postings, term++, some_documents(df, 0, documents, random), sections.weighted, random);
      // as close as they come, at both ends
      std::vector<uint32_t> docs(df);
      for (uint32_t i = 0; i < df; ++i) docs[i] = i;
      add_list(postings, term++, docs, sections.weighted, random);
      for (uint32_t& doc : docs) doc += documents - df;
      add_list(postings, term++, docs, sections.weighted, random);
    }
    EXPECT_EQ(wrong_after_writing(documents, sections, postings), "");
  }
}
INSTANTIATE_TEST_SUITE_P(Documents, PostingListsOf,
                         testing::Values(1, 2, 8, 9, 300, 5000, 65'535, 65'536, 65'537, 131'072, 200'001));

RC_GTEST_PROP(PostingLists, AnyListsComeBack, ()) {
  const auto documents = *rc::gen::element<uint32_t>(1, 2, 10, 700, 65'535, 65'536, 65'537, 140'000, 4'000'000);
  const bool weighted = *rc::gen::arbitrary<bool>();
  std::mt19937 random(*rc::gen::arbitrary<uint32_t>());
  Postings postings;
  const auto terms = *rc::gen::unique<std::vector<uint32_t>>(rc::gen::inRange(0U, test::kListTerms));
  std::set<uint32_t> ascending(terms.begin(), terms.end());
  for (const uint32_t term : ascending) {
    const uint32_t width = std::min(documents, *rc::gen::element<uint32_t>(1, 3, 500, 6000, 70'000));
    const uint32_t begin = *rc::gen::inRange(0U, documents - width + 1);
    const uint32_t df = *rc::gen::inRange(1U, std::min(width, 8000U) + 1);
    add_list(postings, term, some_documents(df, begin, begin + width, random), weighted, random);
  }
  const PostingSections& sections = weighted ? kMainLists : kParamLists;
  RC_ASSERT(wrong_after_writing(documents, sections, postings) == "");
}

TEST(PostingLists, FarApartInTheLargestShard) {
  constexpr uint32_t kDocuments = kNoOrdinal - 1;
  std::mt19937 random(1);
  Postings postings;
  add_list(postings, 0, {kDocuments - 1}, true, random);
  add_list(postings, 1, {0, kDocuments - 1}, true, random);
  add_list(postings, 2, {kDocuments - 2, kDocuments - 1}, true, random);
  std::vector<uint32_t> many;
  for (uint32_t i = 0; i < 1025; ++i) many.push_back(i * 4'000'000);
  add_list(postings, 3, many, true, random);
  many.pop_back();
  add_list(postings, 4, many, true, random);
  EXPECT_EQ(wrong_after_writing(kDocuments, kMainLists, postings), "");
}

TEST(PostingLists, AreFoundByTheirTerm) {
  std::mt19937 random(1);
  Postings postings;
  for (const uint32_t term : {0U, 7U, 99U}) add_list(postings, term, {term}, true, random);
  const ListsFile file = test::write_lists(100, kMainLists, postings);
  const auto lists = test::open_lists(file.bytes, file);
  ASSERT_TRUE(lists.has_value());
  EXPECT_EQ(lists->find(0), 0U);
  EXPECT_EQ(lists->find(7), 1U);
  EXPECT_EQ(lists->find(99), 2U);
  EXPECT_EQ(lists->find(8), std::nullopt);
  EXPECT_EQ(lists->find(kNoOrdinal), std::nullopt);
}

TEST(PostingLists, AreFoundAlsoWhereFewTermsHaveOne) {
  for (const uint32_t term : {0U, 1U, 63U, 64U, 99U}) {
    const ListsFile file = test::write_lists(1, kMainLists, {{term, 0, 1, 1}});
    const auto lists = test::open_lists(file.bytes, file);
    ASSERT_TRUE(lists.has_value());
    for (uint32_t other = 0; other < 200; ++other) EXPECT_EQ(lists->find(other).has_value(), other == term);
  }
}

TEST(PostingLists, NoneAtAll) {
  const ListsFile file = test::write_lists(0, kMainLists, {});
  const auto lists = test::open_lists(file.bytes, file);
  ASSERT_TRUE(lists.has_value());
  EXPECT_EQ(lists->size(), 0U);
  EXPECT_EQ(lists->find(0), std::nullopt);
}

// 40 documents of one chunk: a short list needs at most 8. The bytes are what docs/index-format.md says.
TEST(PostingLists, TheBytesAreWhatTheFormatSays) {
  const Postings postings{{3, 1, 5, 1}, {3, 2, 9, 2}, {3, 6, 7, 4}, {4, 39, 200, 32}};
  const ListsFile file = test::write_lists(40, kMainLists, postings);
  const test::Sections sections(file.bytes, FileKind::kShard);
  // Gaps 1, 0, 3 of two bits each, from the lowest: 0b11'00'01. Impacts, masks, then what may be read beyond.
  std::vector<uint8_t> bytes{0x31, 5, 9, 7, 1, 2, 4};
  bytes.resize(bytes.size() + kOverRead);
  EXPECT_EQ(sections.get<uint8_t>(SectionId::kMainBytes), bytes);
  EXPECT_EQ(sections.get<uint32_t>(SectionId::kMainTerms), (std::vector<uint32_t>{3, 4}));
  EXPECT_EQ(sections.get<uint64_t>(SectionId::kMainEntries),
            (std::vector<uint64_t>{3 | uint64_t{9} << 48 | uint64_t{2} << 56, 0, 1 | uint64_t{200} << 48,
                                   39 | uint64_t{32} << 32}));
  EXPECT_TRUE(sections.get<uint64_t>(SectionId::kMainChunks).empty());
}

TEST(PostingWriter, RefusesWhatIsOutOfOrder) {
  const auto refused = [](const PostingSections& sections, const Postings& postings) {
    class One final : public PostingSource {
     public:
      explicit One(const Postings& all) : postings_(all) {}
      Result<std::span<const Posting>> next() override { return std::exchange(postings_, {}); }

     private:
      std::span<const Posting> postings_;
    };
    test::FileBytes file;
    ContainerWriter writer(FileKind::kShard, test::into(file));
    One source(postings);
    const Status done = write_posting_lists(writer, sections, 10, source);
    return !done && done.error().code == ErrorCode::kInternal;
  };
  EXPECT_FALSE(refused(kMainLists, {{1, 1, 1, 1}, {1, 2, 1, 1}, {2, 0, 1, 1}}));
  EXPECT_TRUE(refused(kMainLists, {{1, 1, 1, 1}, {1, 1, 1, 1}}));
  EXPECT_TRUE(refused(kMainLists, {{1, 2, 1, 1}, {1, 1, 1, 1}}));
  EXPECT_TRUE(refused(kMainLists, {{2, 1, 1, 1}, {1, 2, 1, 1}}));
  EXPECT_TRUE(refused(kMainLists, {{1, 10, 1, 1}}));
  EXPECT_TRUE(refused(kMainLists, {{1, 1, 0, 1}}));
  EXPECT_TRUE(refused(kMainLists, {{1, 1, 1, 0}}));
  EXPECT_TRUE(refused(kParamLists, {{1, 1, 1, 0}}));
}

TEST(PostingWriter, PassesOnThatTheSourceFailed) {
  class Broken final : public PostingSource {
    Result<std::span<const Posting>> next() override { return fail(ErrorCode::kUnavailable, "no more disk"); }
  };
  test::FileBytes file;
  ContainerWriter writer(FileKind::kShard, test::into(file));
  Broken source;
  const Status done = write_posting_lists(writer, kMainLists, 10, source);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "no more disk");
}

}  // namespace
}  // namespace souk::index
