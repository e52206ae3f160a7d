// SPDX-License-Identifier: Apache-2.0
#include "core/index/string_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "tests/unit/core/world.h"

namespace souk::index {
namespace {

using Order = StringTable::Order;

// A table of these offsets and bytes, as a reader finds it.
struct TableFile {
  test::FileBytes file;
  Result<StringTable> table;

  TableFile(const std::vector<uint64_t>& offsets, std::string_view bytes, Order order) : table(StringTable{}) {
    ContainerWriter writer(FileKind::kDictionary, test::into(file));
    EXPECT_TRUE(writer.add(SectionId::kVendorNameOffsets, offsets));
    EXPECT_TRUE(writer.add(SectionId::kVendorNameBytes, Coding::kPlain, std::as_bytes(std::span(bytes))));
    EXPECT_TRUE(writer.finish());
    table = StringTable::open(*Container::open(file, FileKind::kDictionary), SectionId::kVendorNameOffsets,
                              SectionId::kVendorNameBytes, order);
  }
};

RC_GTEST_PROP(StringTable, StringsComeBackAndAreFound, (const std::set<std::string>& strings)) {
  test::FileBytes file;
  ContainerWriter writer(FileKind::kDictionary, test::into(file));
  StringTableWriter table_writer;
  for (const std::string& text : strings) table_writer.add(text);
  RC_ASSERT(table_writer.write(writer, SectionId::kVendorNameOffsets, SectionId::kVendorNameBytes).has_value());
  RC_ASSERT(writer.finish().has_value());
  const auto container = Container::open(file, FileKind::kDictionary);
  const auto table =
      StringTable::open(*container, SectionId::kVendorNameOffsets, SectionId::kVendorNameBytes, Order::kAscending);
  RC_ASSERT(table.has_value());
  RC_ASSERT(table->size() == strings.size());
  uint32_t ordinal = 0;
  for (const std::string& text : strings) {
    RC_ASSERT((*table)[ordinal] == text);
    RC_ASSERT(table->find(text) == ordinal);
    RC_ASSERT(table->find(text + '\x01').has_value() == strings.contains(text + '\x01'));
    ++ordinal;
  }
}

TEST(StringTable, FindsWithinARangeOnly) {
  const TableFile file({0, 1, 2, 3, 4}, "acbd", Order::kAny);  // two ascending runs
  ASSERT_TRUE(file.table.has_value());
  EXPECT_EQ(file.table->find("c", 0, 2), 1U);
  EXPECT_EQ(file.table->find("b", 0, 2), std::nullopt);
  EXPECT_EQ(file.table->find("b", 2, 4), 2U);
  EXPECT_EQ(file.table->find("e", 2, 4), std::nullopt);
  EXPECT_EQ(file.table->find("a", 1, 1), std::nullopt);
}

TEST(StringTable, BadOffsetsAreRefused) {
  const std::vector<std::vector<uint64_t>> bad = {{},     {1, 3},       {0},       {0, 2},
                                                  {0, 4}, {0, 2, 1, 3}, {0, 4, 3}, {0, ~uint64_t{0}, 3}};
  for (const auto& offsets : bad) {
    const TableFile file(offsets, "abc", Order::kAny);
    ASSERT_FALSE(file.table.has_value()) << testing::PrintToString(offsets);
    EXPECT_EQ(file.table.error().code, ErrorCode::kCorruption);
    EXPECT_EQ(file.table.error().argument, "vendor_name_offsets");
  }
}

TEST(StringTable, OrderIsCheckedWhereItCounts) {
  EXPECT_FALSE(TableFile({0, 1, 2}, "ba", Order::kAscending).table);
  EXPECT_FALSE(TableFile({0, 1, 2}, "aa", Order::kAscending).table);
  EXPECT_TRUE(TableFile({0, 1, 2}, "ba", Order::kAny).table);
  EXPECT_TRUE(TableFile({0, 1, 3}, "a\xFF\xFE", Order::kAscending).table);  // bytes are unsigned
}

}  // namespace
}  // namespace souk::index
