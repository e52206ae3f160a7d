// SPDX-License-Identifier: Apache-2.0
// Posting lists with right checksums around wrong content: each is refused, and the section is named.
#include <gtest/gtest.h>

#include <random>

#include "tests/unit/core/index/lists_file.h"
#include "tests/unit/core/sections.h"

namespace souk::index {
namespace {

using test::FileBytes;
using test::ListsFile;
using test::Postings;
using test::Sections;

constexpr uint32_t kDocuments = 2 * kChunkDocuments + 100;  // a short list has at most 24 postings

// Term 10 is single, 20 short, 30 an array of 300 and one of 3, 40 an array and a bitmap of 5000, 50 an array in the
// last chunk.
Postings all_kinds() {
  std::mt19937 random(1);
  Postings postings;
  const auto add = [&](uint32_t term, uint32_t doc) {
    postings.push_back({term, doc, static_cast<uint8_t>(1 + random() % 100), static_cast<uint8_t>(1 + random() % 63)});
  };
  add(10, 77);
  for (const uint32_t doc : {5U, 6U, 100U, 70'000U, 70'010U}) add(20, doc);
  for (uint32_t i = 0; i < 300; ++i) add(30, 3 * i);
  for (uint32_t i = 0; i < 3; ++i) add(30, kChunkDocuments + i);
  for (uint32_t i = 0; i < 40; ++i) add(40, 2 * i + 1);
  for (uint32_t i = 0; i < 5000; ++i) add(40, kChunkDocuments + 10 * i);
  for (uint32_t i = 0; i < 25; ++i) add(50, 2 * kChunkDocuments + i);
  return postings;
}

enum List : uint32_t { kSingle, kShort, kArrays, kMixed, kLast };

class HostilePostings : public testing::Test {
 protected:
  const ListsFile file_ = test::write_lists(kDocuments, kMainLists, all_kinds());
  const Sections sections_{file_.bytes, FileKind::kShard};

  std::string refused(const Sections& changed) const {
    const FileBytes bytes = changed.build();
    const auto lists = test::open_lists(bytes, file_);
    if (lists) return "";
    EXPECT_EQ(lists.error().code, ErrorCode::kCorruption);
    return lists.error().argument;
  }
  template <typename T>
  std::string replaced(SectionId id, size_t at, T value) const {
    Sections changed = sections_;
    auto values = changed.get<T>(id);
    values.at(at) = value;
    changed.set(id, values);
    return refused(changed);
  }
  std::string entry(size_t at, auto change) const {
    Sections changed = sections_;
    auto values = changed.get<TermEntry>(SectionId::kMainEntries);
    change(values.at(at));
    changed.set(SectionId::kMainEntries, values);
    return refused(changed);
  }
  std::string chunk(size_t at, auto change) const {
    Sections changed = sections_;
    auto values = changed.get<Chunk>(SectionId::kMainChunks);
    change(values.at(at));
    changed.set(SectionId::kMainChunks, values);
    return refused(changed);
  }
  // Where a chunk's parts lie in the bytes.
  struct Parts {
    uint64_t docs, maxima, impacts, masks;
  };
  Parts parts(size_t chunk) const {
    const auto lists = test::open_lists(file_.bytes, file_);
    const Chunk& entry = lists->chunks(kArrays)[0];
    const ChunkView first = lists->view(entry);
    const auto* const base = reinterpret_cast<const uint8_t*>(first.docs) - entry.at;
    const Chunk changed = sections_.get<Chunk>(SectionId::kMainChunks).at(chunk);
    const ChunkView view = lists->view(changed);
    const auto from_base = [base](const uint8_t* part) { return static_cast<uint64_t>(part - base); };
    return {changed.at, from_base(view.maxima), from_base(view.impacts), from_base(view.masks)};
  }
  uint64_t at(size_t chunk) const { return sections_.get<Chunk>(SectionId::kMainChunks).at(chunk).at; }
  std::string byte(uint64_t at, uint8_t value) const { return replaced<uint8_t>(SectionId::kMainBytes, at, value); }
  uint8_t byte_at(uint64_t at) const { return sections_.get<uint8_t>(SectionId::kMainBytes).at(at); }
};

TEST_F(HostilePostings, UnchangedTheyOpen) {
  EXPECT_EQ(refused(sections_), "");
}

TEST_F(HostilePostings, Terms) {
  EXPECT_EQ(replaced<uint32_t>(SectionId::kMainTerms, 1, 10), "main_terms");
  EXPECT_EQ(replaced<uint32_t>(SectionId::kMainTerms, 0, 21), "main_terms");
  EXPECT_EQ(replaced<uint32_t>(SectionId::kMainTerms, 4, test::kListTerms), "main_terms");
  EXPECT_EQ(replaced<uint32_t>(SectionId::kMainTerms, 4, kNoOrdinal), "main_terms");
  EXPECT_EQ(replaced<uint32_t>(SectionId::kMainTerms, 4, 51), "");
}

TEST_F(HostilePostings, EntriesOfEachKind) {
  for (const List list : {kSingle, kShort, kArrays, kMixed, kLast}) {
    for (const uint32_t df : {0U, 2U, 24U, 304U, 5041U, kDocuments, kDocuments + 1, kNoOrdinal}) {
      EXPECT_NE(entry(list, [&](TermEntry& e) { e.df = df; }), "") << list << " df " << df;
    }
    for (const uint64_t to : {uint64_t{3}, uint64_t{1} << 40, uint64_t{1} << 63, ~uint64_t{0}}) {
      EXPECT_NE(entry(list, [&](TermEntry& e) { e.at = to; }), "") << list << " at " << to;
    }
    EXPECT_EQ(entry(list, [](TermEntry& e) { e.max_impact = 0; }), "main_entries") << list;
    EXPECT_NE(entry(list, [](TermEntry& e) { e.gap_bits ^= 1; }), "") << list;
    EXPECT_NE(entry(list, [](TermEntry& e) { e.gap_bits ^= 32; }), "") << list;
    EXPECT_NE(entry(list, [](TermEntry& e) { e.gap_bits = 255; }), "") << list;
    EXPECT_NE(entry(list, [](TermEntry& e) { e.chunks_less_one ^= 1; }), "") << list;
    EXPECT_NE(entry(list, [](TermEntry& e) { e.chunks_less_one = 0xFFFF; }), "") << list;
  }
  for (const List list : {kShort, kArrays, kMixed, kLast}) {
    EXPECT_EQ(entry(list, [](TermEntry& e) { ++e.max_impact; }), "main_entries") << list;
  }
}

TEST_F(HostilePostings, ASinglePosting) {
  EXPECT_EQ(entry(kSingle, [](TermEntry& e) { e.at = uint64_t{1} << 32 | (kDocuments - 1); }), "");
  EXPECT_EQ(entry(kSingle, [](TermEntry& e) { e.at = uint64_t{1} << 32 | kDocuments; }), "main_entries");
  EXPECT_EQ(entry(kSingle, [](TermEntry& e) { e.at = 77; }), "main_entries");                       // no field
  EXPECT_EQ(entry(kSingle, [](TermEntry& e) { e.at = 77 | uint64_t{64} << 32; }), "main_entries");  // the description
  EXPECT_EQ(entry(kSingle, [](TermEntry& e) { e.at |= uint64_t{1} << 40; }), "main_entries");
}

TEST_F(HostilePostings, AShortList) {
  const auto short_list = sections_.get<TermEntry>(SectionId::kMainEntries)[kShort];
  ASSERT_EQ(short_list.at, 0U);
  ASSERT_EQ(short_list.gap_bits, 17);  // 85 bits: 11 bytes of which 3 bits are left
  EXPECT_EQ(byte(10, byte_at(10) | 0x80), "main_bytes");
  EXPECT_EQ(byte(11, 0), "main_bytes");  // an impact
  EXPECT_EQ(byte(16, 0), "main_bytes");  // a mask
  EXPECT_EQ(byte(16, 64), "main_bytes");
  FileBytes bytes = sections_.get<std::byte>(SectionId::kMainBytes);
  std::fill_n(bytes.begin(), 10, std::byte{0xFF});  // gaps that run beyond the documents
  Sections changed = sections_;
  changed.set(SectionId::kMainBytes, bytes);
  EXPECT_EQ(refused(changed), "main_bytes");
  std::fill_n(bytes.begin(), 11, std::byte{0});  // no gaps: of 0 bits they must be
  changed.set(SectionId::kMainBytes, bytes);
  EXPECT_EQ(refused(changed), "main_entries");
}

TEST_F(HostilePostings, ChunkDirectory) {
  for (size_t c = 0; c < 5; ++c) {
    EXPECT_NE(chunk(c, [](Chunk& x) { x.at += 2; }), "") << c;
    EXPECT_NE(chunk(c, [](Chunk& x) { x.at -= 8; }), "") << c;
    EXPECT_NE(chunk(c, [](Chunk& x) { x.at = ~uint64_t{0}; }), "") << c;
    EXPECT_NE(chunk(c, [](Chunk& x) { x.at = ~uint64_t{0} - 7; }), "") << c;
    EXPECT_NE(chunk(c, [](Chunk& x) { ++x.count_less_one; }), "") << c;
    EXPECT_NE(chunk(c, [](Chunk& x) { --x.count_less_one; }), "") << c;
    EXPECT_NE(chunk(c, [](Chunk& x) { x.count_less_one = 0xFFFF; }), "") << c;
    EXPECT_NE(chunk(c, [](Chunk& x) { x.count_less_one = 5000; }), "") << c;
    EXPECT_EQ(chunk(c, [](Chunk& x) { ++x.max_impact; }), "main_chunks") << c;
    EXPECT_EQ(chunk(c, [](Chunk& x) { x.max_impact = 0; }), "main_chunks") << c;
    EXPECT_EQ(chunk(c, [](Chunk& x) { x.unused[2] = 1; }), "main_chunks") << c;
    EXPECT_NE(chunk(c, [](Chunk& x) { x.key = 0xFFFF; }), "") << c;
    EXPECT_NE(chunk(c, [](Chunk& x) { x.key = 3; }), "") << c;
  }
  EXPECT_EQ(chunk(1, [](Chunk& x) { x.key = 0; }), "main_chunks");  // the key of the one before
  EXPECT_EQ(chunk(0, [](Chunk& x) { x.key = 1; }), "main_chunks");  // of the one behind
  EXPECT_EQ(chunk(4, [](Chunk& x) { x.key = 1; }), "");
}

TEST_F(HostilePostings, ChunksThatBelongToNoTerm) {
  Sections changed = sections_;
  auto chunks = changed.get<Chunk>(SectionId::kMainChunks);
  chunks.push_back(chunks.back());
  changed.set(SectionId::kMainChunks, chunks);
  EXPECT_EQ(refused(changed), "main_chunks");
  chunks.clear();
  changed.set(SectionId::kMainChunks, chunks);
  EXPECT_EQ(refused(changed), "main_entries");
}

TEST_F(HostilePostings, AnArray) {
  const auto [docs, maxima, impacts, masks] = parts(0);
  EXPECT_EQ(byte(docs, 3), "main_bytes");                       // the second document too
  EXPECT_EQ(byte(docs, 2), "");                                 // another document
  EXPECT_EQ(byte(docs + 1, 1), "main_bytes");                   // 256: descends
  for (uint64_t start = docs + 600; start < maxima; ++start) {  // where buckets begin
    EXPECT_EQ(byte(start, byte_at(start) + 1), "main_bytes");
    EXPECT_EQ(byte(start, byte_at(start) - 1), "main_bytes");
    EXPECT_EQ(byte(start, 0xFF), "main_bytes");
  }
  EXPECT_EQ(byte(maxima, byte_at(maxima) + 1), "main_bytes");
  EXPECT_EQ(byte(maxima + 1, byte_at(maxima + 1) - 1), "main_bytes");
  EXPECT_EQ(byte(impacts + 7, 0), "main_bytes");
  EXPECT_EQ(byte(impacts + 299, 0), "main_bytes");
  EXPECT_EQ(byte(impacts + 7, 255), "main_bytes");
  EXPECT_EQ(byte(masks + 299, 0), "main_bytes");
  EXPECT_EQ(byte(masks, 0x41), "main_bytes");
  EXPECT_EQ(byte(at(4) + 48, 200), "main_bytes");  // a document beyond the last
}

TEST_F(HostilePostings, ABitmap) {
  const auto [bits, maxima, impacts, masks] = parts(3);
  ASSERT_EQ(bits % 8, 0U);
  const uint64_t ranks = bits + 8192;
  EXPECT_EQ(byte(bits, byte_at(bits) ^ 2), "main_bytes");  // one more than is said
  EXPECT_EQ(byte(bits, byte_at(bits) ^ 1), "main_bytes");  // one less
  EXPECT_EQ(byte(bits, (byte_at(bits) ^ 1) | 2), "");      // another one
  EXPECT_EQ(byte(bits + 8191, 0x80), "main_bytes");
  EXPECT_EQ(byte(ranks, 1), "main_bytes");
  EXPECT_EQ(byte(ranks + 2, byte_at(ranks + 2) - 1), "main_bytes");
  EXPECT_EQ(byte(ranks + 255, 0), "main_bytes");
  EXPECT_EQ(byte(maxima, byte_at(maxima) - 1), "main_bytes");
  EXPECT_EQ(byte(maxima + 15, 1), "main_bytes");  // of a window without postings
  EXPECT_EQ(byte(impacts + 4999, 0), "main_bytes");
  EXPECT_EQ(byte(masks + 4999, 0), "main_bytes");
  EXPECT_EQ(byte(masks, 0x80), "main_bytes");
}

TEST_F(HostilePostings, ABitmapBeyondTheLastDocument) {
  std::mt19937 random(1);
  Postings postings;
  for (uint32_t i = 0; i < 5000; ++i) postings.push_back({1, 2 * i, 1, 1});
  const ListsFile good = test::write_lists(9999, kMainLists, postings);
  EXPECT_TRUE(test::open_lists(good.bytes, good));
  ListsFile fewer = good;
  fewer.documents = 9998;
  const auto lists = test::open_lists(good.bytes, fewer);
  ASSERT_FALSE(lists.has_value());
  EXPECT_EQ(lists.error().argument, "main_bytes");
}

TEST_F(HostilePostings, GapsAndEnds) {
  const uint64_t array_end = at(2) + 4 * 40;
  ASSERT_GT(at(3), array_end);  // the bitmap is aligned to 8
  EXPECT_EQ(byte(array_end, 1), "main_chunks");
  auto bytes = sections_.get<uint8_t>(SectionId::kMainBytes);
  bytes.back() = 1;
  Sections changed = sections_;
  changed.set(SectionId::kMainBytes, bytes);
  EXPECT_EQ(refused(changed), "main_bytes");
  bytes.back() = 0;
  bytes.push_back(0);
  changed.set(SectionId::kMainBytes, bytes);
  EXPECT_EQ(refused(changed), "main_bytes");
  for (const size_t size : {bytes.size() - 2, bytes.size() - 100, size_t{64}, size_t{63}, size_t{0}}) {
    bytes.resize(size);
    changed.set(SectionId::kMainBytes, bytes);
    EXPECT_NE(refused(changed), "") << size;
  }
}

TEST_F(HostilePostings, ListsWithoutWeightsHaveNone) {
  ListsFile plain = test::write_lists(kDocuments, kParamLists, {{1, 5, 0, 0}, {2, 5, 0, 0}, {2, 6, 0, 0}});
  const Sections sections(plain.bytes, FileKind::kShard);
  EXPECT_TRUE(test::open_lists(plain.bytes, plain));
  for (const size_t list : {0U, 1U}) {
    Sections changed = sections;
    auto entries = changed.get<TermEntry>(SectionId::kParamListEntries);
    entries[list].max_impact = 1;
    changed.set(SectionId::kParamListEntries, entries);
    const FileBytes bytes = changed.build();
    const auto lists = test::open_lists(bytes, plain);
    ASSERT_FALSE(lists.has_value());
    EXPECT_EQ(lists.error().argument, "param_list_entries");
  }
}

// Whatever bit is flipped: either the lists are refused, or they are exactly what the writer makes of what they say.
TEST_F(HostilePostings, WhatOpensIsWhatTheWriterWouldHaveWritten) {
  size_t opened = 0;
  const Sections all = sections_;
  for (const SectionId id :
       {SectionId::kMainTerms, SectionId::kMainEntries, SectionId::kMainChunks, SectionId::kMainBytes}) {
    const auto bytes = sections_.get<uint8_t>(id);
    const size_t step = id == SectionId::kMainBytes ? 127 : 1;
    for (size_t bit = 0; bit < bytes.size() * 8; bit += step) {
      Sections changed = all;
      auto flipped = bytes;
      flipped[bit / 8] ^= static_cast<uint8_t>(1U << (bit % 8));
      changed.set(id, flipped);
      const FileBytes file = changed.build();
      const auto lists = test::open_lists(file, file_);
      if (!lists) continue;
      ++opened;
      Postings read;
      ASSERT_EQ(test::read_views(*lists, read), "");
      const Sections rewritten(test::write_lists(kDocuments, kMainLists, read).bytes, FileKind::kShard);
      ASSERT_EQ(rewritten.get<uint8_t>(id), flipped) << name_of(id) << " bit " << bit;
    }
  }
  EXPECT_GT(opened, 100U);
}

}  // namespace
}  // namespace souk::index
