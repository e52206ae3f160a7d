// SPDX-License-Identifier: Apache-2.0
#include "meta/understand/highlight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/text/normalize.h"

namespace souk::understand {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class HighlightTest : public ::testing::Test {
 protected:
  std::vector<std::string> terms(std::string_view text) {
    std::vector<std::string> terms;
    for (text::Token& token : analyzer_.analyze(text)) terms.push_back(std::move(token.term));
    return terms;
  }
  std::vector<std::pair<size_t, size_t>> marks(std::string_view shown, std::string_view query) {
    std::vector<std::pair<size_t, size_t>> out;
    for (const Highlight& mark : highlights(analyzer_, shown, terms(query))) out.emplace_back(mark.start, mark.length);
    return out;
  }
  text::Analyzer analyzer_;
};

// Offsets are UTF-16 code units, the unit of JavaScript's strings.
TEST_F(HighlightTest, HighlightsInCyrillicText) {
  const std::string title = "Чехол для ноутбука «Ёжик» 15\"";
  EXPECT_THAT(marks(title, "ежик"), ElementsAre(Pair(20, 4)));
  EXPECT_THAT(marks(title, "ёжик"), ElementsAre(Pair(20, 4)));
  EXPECT_THAT(marks(title, "ноутбук"), ElementsAre(Pair(10, 8))) << "the whole shown word, in its own form";
  EXPECT_THAT(marks(title, "еж"), IsEmpty()) << "a part of a word is another word";
  EXPECT_THAT(marks(title, "15 чехол"), ElementsAre(Pair(0, 5), Pair(26, 2))) << "in the title's order";
  EXPECT_THAT(marks(title, "телевизор"), IsEmpty());
  EXPECT_THAT(marks(title, ""), IsEmpty());
  EXPECT_THAT(marks("", "ежик"), IsEmpty());
}

TEST_F(HighlightTest, HighlightsCountPairsOfSurrogatesAsTwo) {
  EXPECT_THAT(marks("😀 Ёжик 😀😀 ежик", "ежик"), ElementsAre(Pair(3, 4), Pair(13, 4)));
  EXPECT_THAT(marks("\u0415\u0308жик и кот", "ежик"), ElementsAre(Pair(0, 5))) << "a mark belongs to its word";
  EXPECT_THAT(marks("ＳＯＮＹ sony", "Sony"), ElementsAre(Pair(0, 4), Pair(5, 4)));
}

// UTF-16 offset -> byte offset of well-formed UTF-8.
size_t byte_at(std::string_view text, size_t units) {
  size_t at = 0;
  while (units > 0) {
    const auto lead = static_cast<unsigned char>(text[at]);
    units -= lead >= 0xF0 ? 2 : 1;
    at += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  }
  return at;
}

// For every cut of a title: marks are in order, within the text, and hold what they are for.
TEST_F(HighlightTest, EveryCutOfATitleIsMarkedRight) {
  const std::string title = "Чехол для ноутбука «Ёжик» 😀 15\" ёжик";
  for (size_t bytes = 0; bytes <= title.size(); ++bytes) {
    const std::string cut = title.substr(0, bytes);
    if (!text::is_utf8(cut)) continue;
    size_t before = 0;
    for (const auto& [start, length] : marks(cut, "ежик чехол")) {
      ASSERT_GE(start, before);
      ASSERT_LE(start + length, text::utf16_length(cut));
      const size_t begin = byte_at(cut, start);
      const std::string word = text::fold(cut.substr(begin, byte_at(cut, start + length) - begin));
      EXPECT_TRUE(word == "ежик" || word == "чехол") << word;
      before = start + length;
    }
  }
}

RC_GTEST_FIXTURE_PROP(HighlightTest, MarksAreInOrderAndWithinAnyText, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("ежик", "Ёжик", " ", "😀", "«", "abc", "15", "\u0308", "ﬁn", "日本", "-", "É"));
  std::string shown;
  for (const std::string& word : words) shown += word;
  size_t before = 0;
  for (const auto& [start, length] : marks(shown, "ежик abc fin 15 日本 é")) {
    RC_ASSERT(start >= before && length > 0);
    before = start + length;
  }
  RC_ASSERT(before <= text::utf16_length(shown));
}

}  // namespace
}  // namespace souk::understand
