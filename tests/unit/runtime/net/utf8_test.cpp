// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/utf8.h"

#include <gtest/gtest.h>

namespace souk::net {
namespace {

TEST(Utf8, AcceptsWellFormedText) {
  for (const char* text :
       {"", "abc", "кот", "€", "\xF0\x9F\x90\xB1", "\xED\x9F\xBF", "\xEE\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(Utf8, RefusesMalformedText) {
  for (const char* text : {"\x80", "\xC0\xAF", "\xC1\xBF", "\xC2", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xED\xA0\x80",
                           "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "a\xD0",
                           "\xD0"
                           "a",
                           "\xE2\x82", "\xE2\x28\xA1"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
  }
}

TEST(Utf8, MakesQuotedInputValid) {
  EXPECT_EQ(to_valid_utf8("кот"), "кот");
  EXPECT_EQ(to_valid_utf8("a\xFFz"), "a?z");
}

}  // namespace
}  // namespace souk::net
