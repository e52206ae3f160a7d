// SPDX-License-Identifier: Apache-2.0
#include "core/index/container.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/hash.h"
#include "core/index/string_table.h"
#include "tests/unit/core/world.h"

namespace souk::index {
namespace {

using test::FileBytes;
using test::into;

constexpr size_t kHeaderBytes = 16;
constexpr size_t kTrailerBytes = 32;
constexpr size_t kEntryBytes = 32;

FileBytes small_file() {
  FileBytes file;
  ContainerWriter writer(FileKind::kShard, into(file));
  EXPECT_TRUE(writer.add(SectionId::kKeys, std::vector<uint64_t>{1, 2, 3}));
  EXPECT_TRUE(writer.add(SectionId::kInStock, std::vector<uint8_t>{}));
  EXPECT_TRUE(writer.add(SectionId::kShops, std::vector<uint32_t>{7}));
  EXPECT_TRUE(writer.finish());
  return file;
}

template <typename T>
T get(const FileBytes& file, size_t at) {
  T value{};
  std::memcpy(&value, file.data() + at, sizeof(T));
  return value;
}
template <typename T>
void put(FileBytes& file, size_t at, T value) {
  std::memcpy(file.data() + at, &value, sizeof(T));
}

// Makes the table's checksum right again after its entries or the trailer were changed.
void sign(FileBytes& file) {
  const size_t trailer = file.size() - kTrailerBytes;
  const auto table = get<uint64_t>(file, trailer);
  std::string all(reinterpret_cast<const char*>(file.data()), kHeaderBytes);
  all.append(reinterpret_cast<const char*>(file.data()) + table, trailer - table + 16);
  put(file, trailer + 16, xxh3(std::string_view(all)));
}

size_t entry_at(const FileBytes& file, size_t entry) {
  return get<uint64_t>(file, file.size() - kTrailerBytes) + entry * kEntryBytes;
}

Error refusal(const FileBytes& file) {
  const auto opened = Container::open(file, FileKind::kShard);
  EXPECT_FALSE(opened.has_value());
  return opened ? Error{} : opened.error();
}

TEST(Container, SectionsComeBack) {
  const FileBytes file = small_file();
  const auto container = Container::open(file, FileKind::kShard);
  ASSERT_TRUE(container.has_value()) << to_string(container.error());
  const auto keys = container->array<uint64_t>(SectionId::kKeys);
  ASSERT_TRUE(keys.has_value());
  EXPECT_EQ(std::vector(keys->begin(), keys->end()), (std::vector<uint64_t>{1, 2, 3}));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(keys->data()) % 8, 0U);
  EXPECT_TRUE(container->array<uint8_t>(SectionId::kInStock)->empty());
  EXPECT_EQ(container->array<uint32_t>(SectionId::kShops)->front(), 7U);
}

TEST(Container, LayoutStaysAsItIs) {
  const FileBytes file = small_file();
  // Header, 24 bytes at 64, nothing at 128, 4 bytes at 128, table of three at 192, trailer.
  EXPECT_EQ(file.size(), 192U + 3 * kEntryBytes + kTrailerBytes);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(file.data()), 8), "SOUKFILE");
  EXPECT_EQ(get<uint32_t>(file, 8), 1U);
  EXPECT_EQ(get<uint32_t>(file, 12), 1U);
  EXPECT_EQ(get<uint64_t>(file, entry_at(file, 0) + 8), 64U);
  EXPECT_EQ(get<uint64_t>(file, entry_at(file, 2) + 8), 128U);
  EXPECT_EQ(hex16(xxh3(Bytes(file))), "45204801275e9549");
}

RC_GTEST_PROP(Container, AnyBytesComeBack, (const std::vector<uint8_t>& a, const std::vector<uint8_t>& b)) {
  FileBytes file;
  ContainerWriter writer(FileKind::kDictionary, into(file));
  RC_ASSERT(writer.add(SectionId::kLexiconBytes, a).has_value());
  RC_ASSERT(writer.add(SectionId::kMarket, b).has_value());
  RC_ASSERT(writer.finish().has_value());
  const auto container = Container::open(file, FileKind::kDictionary);
  RC_ASSERT(container.has_value());
  RC_ASSERT(std::ranges::equal(*container->array<uint8_t>(SectionId::kLexiconBytes), a));
  RC_ASSERT(std::ranges::equal(*container->array<uint8_t>(SectionId::kMarket), b));
}

RC_GTEST_PROP(Container, PiecesAreTheSameAsTheWhole, (const std::vector<std::vector<uint8_t>>& pieces)) {
  std::vector<uint8_t> whole;
  FileBytes in_pieces, at_once;
  ContainerWriter writer(FileKind::kShard, into(in_pieces));
  for (const SectionId id : {SectionId::kMainBytes, SectionId::kKeys}) {  // twice: the checksum begins anew
    RC_ASSERT(writer.begin(id, Coding::kLists).has_value());
    for (const std::vector<uint8_t>& piece : pieces) {
      RC_ASSERT(writer.append(std::as_bytes(std::span(piece))).has_value());
    }
    RC_ASSERT(writer.end().has_value());
  }
  RC_ASSERT(writer.finish().has_value());
  for (const std::vector<uint8_t>& piece : pieces) whole.insert(whole.end(), piece.begin(), piece.end());
  ContainerWriter other(FileKind::kShard, into(at_once));
  for (const SectionId id : {SectionId::kMainBytes, SectionId::kKeys}) {
    RC_ASSERT(other.add(id, Coding::kLists, std::as_bytes(std::span(whole))).has_value());
  }
  RC_ASSERT(other.finish().has_value());
  RC_ASSERT(in_pieces == at_once);
  const auto container = Container::open(in_pieces, FileKind::kShard);
  RC_ASSERT(container.has_value());
  RC_ASSERT(std::ranges::equal(*container->section(SectionId::kKeys, Coding::kLists), std::as_bytes(std::span(whole))));
}

TEST(Container, SectionsAreListedWithTheirBytes) {
  const FileBytes file = small_file();
  const auto container = Container::open(file, FileKind::kShard);
  ASSERT_TRUE(container.has_value());
  const std::vector<std::pair<SectionId, uint64_t>> expected{
      {SectionId::kKeys, 24}, {SectionId::kInStock, 0}, {SectionId::kShops, 4}};
  EXPECT_EQ(container->section_bytes(), expected);
}

TEST(Container, EveryTruncationIsRefused) {
  const FileBytes file = small_file();
  for (size_t size = 0; size < file.size(); ++size) {
    const FileBytes cut(file.begin(), file.begin() + static_cast<ptrdiff_t>(size));
    ASSERT_FALSE(Container::open(cut, FileKind::kShard)) << size;
  }
}

TEST(Container, EveryFlippedBitIsRefused) {
  FileBytes file = small_file();
  for (size_t bit = 0; bit < file.size() * 8; ++bit) {
    file[bit / 8] ^= std::byte{1} << (bit % 8);
    ASSERT_FALSE(Container::open(file, FileKind::kShard)) << "byte " << bit / 8 << " bit " << bit % 8;
    file[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  EXPECT_TRUE(Container::open(file, FileKind::kShard));
}

TEST(Container, MoreBytesBehindAreRefused) {
  FileBytes file = small_file();
  file.resize(file.size() + 64);
  refusal(file);
}

TEST(Container, AnotherKindOrFormatIsRefused) {
  FileBytes file = small_file();
  EXPECT_FALSE(Container::open(file, FileKind::kDictionary));
  put<uint32_t>(file, 8, 2);
  sign(file);
  EXPECT_EQ(refusal(file).code, ErrorCode::kVersionMismatch);
}

TEST(Container, AMissingSectionIsNamed) {
  const FileBytes file = small_file();
  const auto container = Container::open(file, FileKind::kShard);
  const auto prices = container->section(SectionId::kPrices);
  ASSERT_FALSE(prices.has_value());
  EXPECT_EQ(prices.error().code, ErrorCode::kCorruption);
  EXPECT_EQ(prices.error().argument, "prices");
}

TEST(Container, AnUnknownCodingIsRefusedWhenRead) {
  FileBytes file;
  ContainerWriter writer(FileKind::kShard, into(file));
  ASSERT_TRUE(writer.add(SectionId::kMainTerms, static_cast<Coding>(99), {}));
  ASSERT_TRUE(writer.finish());
  const auto container = Container::open(file, FileKind::kShard);
  ASSERT_TRUE(container.has_value());
  const auto terms = container->array<uint32_t>(SectionId::kMainTerms);
  ASSERT_FALSE(terms.has_value());
  EXPECT_EQ(terms.error().code, ErrorCode::kVersionMismatch);
  EXPECT_EQ(terms.error().argument, "main_terms");
}

TEST(Container, ABrokenElementIsRefused) {
  const FileBytes file = small_file();
  const auto container = Container::open(file, FileKind::kShard);
  EXPECT_EQ(container->array<uint64_t>(SectionId::kShops).error().argument, "shops");
}

TEST(Container, AHostileTableWithRightChecksumsIsRefused) {
  const FileBytes good = small_file();
  const size_t trailer = good.size() - kTrailerBytes;
  const auto try_put = [&](size_t at, uint64_t value) {
    FileBytes file = good;
    put(file, at, value);
    if (get<uint64_t>(file, trailer) <= trailer) sign(file);
    return refusal(file);
  };
  const size_t first = entry_at(good, 0);
  for (const uint64_t offset :
       {uint64_t{0}, uint64_t{16}, uint64_t{72}, uint64_t{128}, uint64_t{good.size()}, ~uint64_t{0}}) {
    EXPECT_EQ(try_put(first + 8, offset).argument, "keys") << offset;
  }
  for (const uint64_t size : {uint64_t{16}, uint64_t{good.size()}, ~uint64_t{0}, ~uint64_t{0} - 63}) {
    EXPECT_EQ(try_put(first + 16, size).code, ErrorCode::kCorruption) << size;
  }
  EXPECT_EQ(try_put(entry_at(good, 2) + 8, 64).argument, "shops");  // overlaps the first
  for (const uint64_t table : {uint64_t{0}, uint64_t{128}, uint64_t{160}, uint64_t{good.size()}, ~uint64_t{0}}) {
    try_put(trailer, table);
  }
  for (const uint64_t sections : {uint64_t{0}, uint64_t{2}, uint64_t{4}, uint64_t{1025}, uint64_t{1} << 59}) {
    try_put(trailer + 8, sections);
  }
}

TEST(Container, ADoubledSectionIsRefused) {
  FileBytes file;
  ContainerWriter writer(FileKind::kShard, into(file));
  ASSERT_TRUE(writer.add(SectionId::kKeys, std::vector<uint64_t>{1}));
  ASSERT_TRUE(writer.add(SectionId::kKeys, std::vector<uint64_t>{1}));
  ASSERT_TRUE(writer.finish());
  EXPECT_EQ(refusal(file).argument, "keys");
}

TEST(Container, HiddenBytesBetweenSectionsAreRefused) {
  FileBytes file = small_file();
  file[100] = std::byte{1};  // behind the keys, before the next section
  EXPECT_EQ(refusal(file).argument, "in_stock");
}

TEST(Container, AFullDiskIsReportedAndSticks) {
  int writes = 0;
  ContainerWriter writer(FileKind::kShard, [&writes](std::string_view) -> Status {
    if (++writes == 3) return fail(ErrorCode::kUnavailable, "no space left");
    return {};
  });
  const std::vector<uint64_t> values{1};
  EXPECT_FALSE(writer.add(SectionId::kKeys, values));
  EXPECT_FALSE(writer.add(SectionId::kVersions, values));
  const Status end = writer.finish();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().message, "no space left");
  EXPECT_EQ(writes, 3);
}

TEST(Container, SectionsHaveDistinctNames) {
  std::set<std::string_view> names;
  for (uint32_t id = 0; id < 0x100; ++id) {
    const std::string_view name = name_of(static_cast<SectionId>(id));
    if (name != "unknown") EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_EQ(names.size(), 76U);
}

}  // namespace
}  // namespace souk::index
