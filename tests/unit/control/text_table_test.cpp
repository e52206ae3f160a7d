// SPDX-License-Identifier: Apache-2.0
#include "control/cli/text_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace souk::control {
namespace {

TEST(TextTableTest, WidthCountsColumnsNotBytes) {
  EXPECT_EQ(display_width("cat"), 3U);
  EXPECT_EQ(display_width("злой кот"), 8U);
  EXPECT_EQ(display_width("猫"), 2U);
  EXPECT_EQ(display_width("и\u0306"), 1U) << "a combining breve takes no column";
  EXPECT_EQ(display_width(""), 0U);
}

TEST(TextTableTest, CutsWithAnEllipsis) {
  EXPECT_EQ(terminal_text("злой кот", 8), "злой кот");
  EXPECT_EQ(terminal_text("злой кот", 7), "злой к…");
  EXPECT_EQ(terminal_text("猫猫猫", 4), "猫…");
  EXPECT_EQ(terminal_text("abc", 1), "…");
  EXPECT_EQ(terminal_text("abc"), "abc");
}

TEST(TextTableTest, NothingControlsTheTerminal) {
  EXPECT_EQ(terminal_text("a\x1b[31mb\nc\x7f"), "a?[31mb?c?");
  EXPECT_EQ(terminal_text("a\u009b"
                          "b"),
            "a?b")
      << "C1 control";
  EXPECT_EQ(terminal_text("a\u202e"
                          "b"),
            "a?b")
      << "turns the direction";
  EXPECT_EQ(terminal_text("a\xff\xfe"
                          "b"),
            "a??b");
}

TEST(TextTableTest, AlignsCyrillicAndNumbers) {
  EXPECT_EQ(format_table({{"title", 0, false}, {"price", 0, true}, {"url", 0, false}},
                         {{"злой кот", "100", "u1"}, {"cat", "5", "u2"}}),
            "title     price  url\n"
            "злой кот    100  u1\n"
            "cat           5  u2\n");
}

RC_GTEST_PROP(TextTableProperty, ACutTextFitsAndIsStable, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
  const auto width = *rc::gen::inRange<size_t>(1, 20);
  const std::string cut = terminal_text(text, width);
  RC_ASSERT(display_width(cut) <= width);
  RC_ASSERT(terminal_text(cut, width) == cut);
  for (const char c : cut) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

}  // namespace
}  // namespace souk::control
