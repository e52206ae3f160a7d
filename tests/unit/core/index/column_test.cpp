// SPDX-License-Identifier: Apache-2.0
#include "core/index/column.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/core/world.h"

namespace souk::index {
namespace {

using test::FileBytes;
using test::into;

constexpr SectionId kId = SectionId::kPrices;

FileBytes column_file(const std::vector<uint64_t>& values) {
  FileBytes file;
  ContainerWriter writer(FileKind::kShard, into(file));
  EXPECT_TRUE(write_column(writer, kId, values));
  EXPECT_TRUE(writer.finish());
  return file;
}

FileBytes ordinals_file(const std::vector<uint32_t>& values) {
  FileBytes file;
  ContainerWriter writer(FileKind::kShard, into(file));
  EXPECT_TRUE(write_ordinals(writer, kId, values));
  EXPECT_TRUE(writer.finish());
  return file;
}

// A column of so many bytes that nothing was narrowed into.
FileBytes raw_file(size_t bytes) {
  FileBytes file;
  ContainerWriter writer(FileKind::kShard, into(file));
  EXPECT_TRUE(writer.add(kId, Coding::kNarrow, FileBytes(bytes, std::byte{0xFF})));
  EXPECT_TRUE(writer.finish());
  return file;
}

uint32_t width(uint64_t most) {
  const FileBytes file = column_file({0, most, 1});
  const auto column = Column::open(*Container::open(file, FileKind::kShard), kId, 3);
  EXPECT_EQ((*column)[0], 0U);
  EXPECT_EQ((*column)[1], most);
  EXPECT_EQ((*column)[2], 1U);
  return column->width();
}

TEST(Column, TakesTheFewestBytes) {
  EXPECT_EQ(width(0), 1U);
  EXPECT_EQ(width(0xFF), 1U);
  EXPECT_EQ(width(0x100), 2U);
  EXPECT_EQ(width(0xFFFF), 2U);
  EXPECT_EQ(width(0x10000), 4U);
  EXPECT_EQ(width(0x1000000), 4U);
  EXPECT_EQ(width(0xFFFFFFFF), 4U);
  EXPECT_EQ(width(0x100000000), 8U);
  EXPECT_EQ(width(~uint64_t{0}), 8U);
}

uint32_t ordinal_width(uint32_t most) {
  const FileBytes file = ordinals_file({most, kNoOrdinal, 0});
  const auto column = OrdinalColumn::open(*Container::open(file, FileKind::kShard), kId, 3);
  EXPECT_EQ((*column)[0], most);
  EXPECT_EQ((*column)[1], kNoOrdinal);
  EXPECT_EQ((*column)[2], 0U);
  return column->raw().width();
}

TEST(OrdinalColumn, KeepsAllOnesFree) {
  EXPECT_EQ(ordinal_width(0), 1U);
  EXPECT_EQ(ordinal_width(0xFE), 1U);
  EXPECT_EQ(ordinal_width(0xFF), 2U);
  EXPECT_EQ(ordinal_width(0xFFFE), 2U);
  EXPECT_EQ(ordinal_width(0xFFFF), 4U);
  EXPECT_EQ(ordinal_width(0xFFFFFFFE), 4U);
  EXPECT_EQ(ordinal_width(kNoOrdinal), 1U);
}

TEST(OrdinalColumn, GathersWhatItsRowsHave) {
  for (const uint32_t most : {0xFEU, 0xFFFEU, 0xFFFFFFFEU}) {
    const FileBytes file = ordinals_file({most, kNoOrdinal, 0, 7});
    const auto container = Container::open(file, FileKind::kShard);
    const auto column = OrdinalColumn::open(*container, kId, 4);
    const std::vector<uint32_t> rows = {3, 1, 0, 0, 1, 2};
    std::vector<uint32_t> out(rows.size() + 1, 5);
    column->gather(rows, 1000, out.data());
    EXPECT_EQ(out, (std::vector<uint32_t>{7, 1000, most, most, 1000, 0, 5})) << most;
  }
}

RC_GTEST_PROP(Column, AnyNumbersComeBack, (const std::vector<uint64_t>& values)) {
  const FileBytes file = column_file(values);
  const auto column = Column::open(*Container::open(file, FileKind::kShard), kId, values.size());
  RC_ASSERT(column.has_value());
  RC_ASSERT(column->size() == values.size());
  RC_ASSERT(column->bytes() == values.size() * column->width());
  for (size_t i = 0; i < values.size(); ++i) RC_ASSERT((*column)[i] == values[i]);
}

TEST(Column, MoreRowsThanAreNarrowedAtOnce) {
  std::vector<uint64_t> values(30'000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = i * 7 % 60'000;
  const FileBytes file = column_file(values);
  const auto column = Column::open(*Container::open(file, FileKind::kShard), kId, values.size());
  ASSERT_TRUE(column.has_value());
  for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ((*column)[i], values[i]);
}

TEST(Column, RefusesAnyOtherSize) {
  const auto opens = [](size_t bytes, uint64_t rows) {
    const FileBytes file = raw_file(bytes);
    const auto container = Container::open(file, FileKind::kShard);
    const auto column = Column::open(*container, kId, rows);
    if (!column) {
      EXPECT_EQ(column.error().code, ErrorCode::kCorruption);
      EXPECT_EQ(column.error().argument, "prices");
    }
    return column.has_value();
  };
  for (const size_t width : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16}) {
    const bool right = width == 1 || width == 2 || width == 4 || width == 8;
    EXPECT_EQ(opens(width * 3, 3), right) << width;
  }
  EXPECT_TRUE(opens(0, 0));
  EXPECT_FALSE(opens(1, 0));
  EXPECT_FALSE(opens(5, 3));
  EXPECT_FALSE(opens(24, ~uint64_t{0}));
  EXPECT_FALSE(opens(24, uint64_t{1} << 63));
}

TEST(OrdinalColumn, RefusesEightBytes) {
  const FileBytes file = raw_file(24);
  EXPECT_FALSE(OrdinalColumn::open(*Container::open(file, FileKind::kShard), kId, 3));
  EXPECT_TRUE(OrdinalColumn::open(*Container::open(file, FileKind::kShard), kId, 6));
}

TEST(Column, AnotherCodingIsRefused) {
  FileBytes file;
  ContainerWriter writer(FileKind::kShard, into(file));
  ASSERT_TRUE(writer.add(kId, std::vector<uint8_t>{1}));
  ASSERT_TRUE(writer.finish());
  const auto column = Column::open(*Container::open(file, FileKind::kShard), kId, 1);
  ASSERT_FALSE(column.has_value());
  EXPECT_EQ(column.error().code, ErrorCode::kVersionMismatch);
}

}  // namespace
}  // namespace souk::index
