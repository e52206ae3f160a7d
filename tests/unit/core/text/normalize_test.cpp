// SPDX-License-Identifier: Apache-2.0
#include "core/text/normalize.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace souk::text {
namespace {

TEST(Fold, ComparesNamesAsPeopleDo) {
  EXPECT_EQ(fold("  Ёлка\t\n ИГРУШКА "), "елка игрушка");
  EXPECT_EQ(fold("ﬁne STRASSE"), "fine strasse");
  EXPECT_EQ(fold("Straße"), "strasse");
  EXPECT_EQ(fold("е\xCC\x88жик"), "ежик");  // е + U+0308
  EXPECT_EQ(fold("LabelWriter™"), "labelwritertm");
  EXPECT_EQ(fold(""), "");
}

RC_GTEST_PROP(Fold, TakesAnyBytesAndIsIdempotent, (const std::string& bytes)) {
  const std::string once = fold(bytes);
  RC_ASSERT(is_utf8(once));
  RC_ASSERT(fold(once) == once);
}

TEST(Utf8, WellFormedOrNot) {
  EXPECT_TRUE(is_utf8("кот 🐈"));
  EXPECT_FALSE(is_utf8("\xC0\xAF"));
  EXPECT_FALSE(is_utf8("\xED\xA0\x80"));
  EXPECT_FALSE(is_utf8("\xD0"));
}

TEST(Utf8, CountsUtf16Units) {
  EXPECT_EQ(utf16_length("aя🐈"), 4U);
}

}  // namespace
}  // namespace souk::text
