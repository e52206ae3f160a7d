// SPDX-License-Identifier: Apache-2.0
#include "core/index/forward_index.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/unit/core/sections.h"
#include "tests/unit/core/world.h"

namespace souk::index {
namespace {

using test::FileBytes;
using test::into;

using Words = std::vector<uint32_t>;
constexpr uint32_t kBreak = ForwardIndex::kBreak;

FileBytes forward_file(const std::vector<Words>& documents) {
  std::vector<uint64_t> offsets{0};
  Words all;
  for (const Words& words : documents) {
    all.insert(all.end(), words.begin(), words.end());
    offsets.push_back(all.size());
  }
  FileBytes file;
  ContainerWriter writer(FileKind::kShard, into(file));
  EXPECT_TRUE(write_forward_index(writer, offsets, all));
  EXPECT_TRUE(writer.finish());
  return file;
}

Result<ForwardIndex> open(const FileBytes& file, size_t documents, uint32_t lexicon) {
  const auto container = Container::open(file, FileKind::kShard);
  if (!container) return std::unexpected(container.error());
  return ForwardIndex::open(*container, static_cast<uint32_t>(documents), lexicon);
}

bool naive_phrase(const Words& words, const Words& phrase) {
  return !std::ranges::search(words, phrase).empty();
}

uint32_t naive_proximity(const Words& words, const Words& terms) {
  size_t shortest = 0;
  for (size_t begin = 0; begin < words.size(); ++begin) {
    for (size_t end = begin + 1; end <= words.size() && words[end - 1] != kBreak; ++end) {
      const std::span<const uint32_t> stretch = std::span(words).subspan(begin, end - begin);
      const auto within = [&](uint32_t term) { return std::ranges::find(stretch, term) != stretch.end(); };
      if (!std::ranges::all_of(terms, within)) continue;
      if (shortest == 0 || end - begin < shortest) shortest = end - begin;
      break;
    }
  }
  return static_cast<uint32_t>(shortest);
}

TEST(ForwardIndex, FindsPhrasesAndStretches) {
  const FileBytes file = forward_file({{1, 2, 3, kBreak, 4, 1}, {}, {kBreak, 2, 9, 9, 2, 3, 1}});
  const auto index = open(file, 3, 10);
  ASSERT_TRUE(index.has_value()) << to_string(index.error());
  EXPECT_EQ(index->words(), 13U);
  EXPECT_TRUE(index->has_phrase(0, Words{1, 2, 3}));
  EXPECT_TRUE(index->has_phrase(0, Words{4, 1}));
  EXPECT_FALSE(index->has_phrase(0, Words{3, 4}));  // over the break
  EXPECT_FALSE(index->has_phrase(0, Words{2, 1}));
  EXPECT_FALSE(index->has_phrase(0, Words{4, 1, 2}));  // would run into the next document
  EXPECT_FALSE(index->has_phrase(1, Words{1}));
  EXPECT_EQ(index->proximity(0, Words{3, 1}), 3U);
  EXPECT_EQ(index->proximity(0, Words{3, 4}), 0U);
  EXPECT_EQ(index->proximity(1, Words{3}), 0U);
  EXPECT_EQ(index->proximity(2, Words{2, 1}), 3U);
  EXPECT_EQ(index->proximity(2, Words{9}), 1U);
}

// Ordinals that a narrow column could mistake for a break.
TEST(ForwardIndex, TermsBeyondTheColumnAreNotBreaks) {
  const FileBytes file = forward_file({{1, kBreak, 2}});
  const auto index = open(file, 1, 1000);
  ASSERT_TRUE(index.has_value());
  EXPECT_FALSE(index->has_phrase(0, Words{1, 0xFF}));
  EXPECT_FALSE(index->has_phrase(0, Words{0xFF}));
  EXPECT_EQ(index->proximity(0, Words{0xFF}), 0U);
  EXPECT_EQ(index->term(1), kBreak);
}

RC_GTEST_PROP(ForwardIndex, PhrasesAndProximityAreAsTheNaiveOnes, ()) {
  const auto first = *rc::gen::element<uint32_t>(0, 251, 65'532, 5'000'000);  // every width
  const auto word =
      rc::gen::weightedOneOf<uint32_t>({{5, rc::gen::inRange(first, first + 5)}, {1, rc::gen::just(uint32_t{kBreak})}});
  const auto documents = *rc::gen::container<std::vector<Words>>(rc::gen::container<Words>(word));
  const FileBytes file = forward_file(documents);
  const auto index = open(file, documents.size(), first + 5);
  RC_ASSERT(index.has_value());
  const auto phrase =
      *rc::gen::resize(4, rc::gen::nonEmpty(rc::gen::container<Words>(rc::gen::inRange(first, first + 5))));
  const auto terms = *rc::gen::resize(4, rc::gen::nonEmpty(rc::gen::unique<Words>(rc::gen::inRange(first, first + 5))));
  for (uint32_t doc = 0; doc < documents.size(); ++doc) {
    RC_ASSERT(index->end(doc) - index->begin(doc) == documents[doc].size());
    for (uint64_t i = 0; i < documents[doc].size(); ++i) {
      RC_ASSERT(index->term(index->begin(doc) + i) == documents[doc][i]);
    }
    index->prefetch(doc);
    RC_ASSERT(index->has_phrase(doc, phrase) == naive_phrase(documents[doc], phrase));
    RC_ASSERT(index->proximity(doc, terms) == naive_proximity(documents[doc], terms));
  }
}

TEST(ForwardIndex, HostileSectionsAreRefused) {
  const FileBytes file = forward_file({{1, 2}, {3}});
  const auto refused = [&]<typename T>(SectionId id, const std::vector<T>& values) {
    test::Sections changed(file, FileKind::kShard);
    changed.set(id, values);
    const auto index = open(changed.build(), 2, 4);
    return index ? "" : index.error().argument;
  };
  using Offsets = std::vector<uint64_t>;
  EXPECT_EQ(refused(SectionId::kForwardOffsets, Offsets{0, 2, 3}), "");
  EXPECT_EQ(refused(SectionId::kForwardOffsets, Offsets{1, 2, 3}), "forward_offsets");
  EXPECT_EQ(refused(SectionId::kForwardOffsets, Offsets{0, 4, 3}), "forward_offsets");
  EXPECT_EQ(refused(SectionId::kForwardOffsets, Offsets{0, ~uint64_t{0}, 3}), "forward_offsets");
  EXPECT_EQ(refused(SectionId::kForwardOffsets, Offsets{0, 2}), "forward_offsets");
  EXPECT_EQ(refused(SectionId::kForwardOffsets, Offsets{0, 2, 4}), "forward_terms");
  EXPECT_EQ(refused(SectionId::kForwardOffsets, Offsets{0, 2, ~uint64_t{0}}), "forward_terms");
  EXPECT_EQ(refused(SectionId::kForwardTerms, std::vector<uint8_t>{1, 2, 4}), "forward_terms");
  EXPECT_EQ(refused(SectionId::kForwardTerms, std::vector<uint16_t>{1, 2, 0xFF}), "forward_terms");
  EXPECT_EQ(refused(SectionId::kForwardTerms, std::vector<uint16_t>{1, 0xFFFF, 3}), "");
  EXPECT_EQ(refused(SectionId::kForwardTerms, std::vector<uint64_t>{1, 2, 3}), "forward_terms");
  EXPECT_EQ(refused(SectionId::kForwardTerms, std::vector<uint8_t>{}), "forward_terms");
}

}  // namespace
}  // namespace souk::index
