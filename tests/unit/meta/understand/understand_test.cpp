// SPDX-License-Identifier: Apache-2.0
#include "meta/understand/understand.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/text/normalize.h"

namespace souk::understand {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class UnderstandTest : public ::testing::Test {
 protected:
  std::vector<std::string> terms(std::string_view text) {
    auto terms = query_terms(analyzer_, text);
    EXPECT_TRUE(terms) << text;
    return terms.value_or(std::vector<std::string>());
  }
  std::vector<std::pair<size_t, size_t>> marks(std::string_view shown, std::string_view query) {
    std::vector<std::pair<size_t, size_t>> out;
    for (const Highlight& mark : highlights(analyzer_, shown, terms(query))) out.emplace_back(mark.start, mark.length);
    return out;
  }
  text::Analyzer analyzer_;
};

TEST_F(UnderstandTest, TermsAreDistinctInTheTextsOrder) {
  EXPECT_THAT(terms(""), IsEmpty());
  EXPECT_THAT(terms(" !?«» "), IsEmpty());
  EXPECT_THAT(terms("sony 42 sony"), ElementsAre("soni", "42"));
  EXPECT_EQ(terms("лампа").size(), 1U);
  EXPECT_EQ(terms("лампа лампы ЛАМПУ").size(), 1U) << "forms of one word are one term";
  EXPECT_EQ(terms("ёжик ежик").size(), 1U);
}

TEST_F(UnderstandTest, MoreThan32DifferentWordsAreRefused) {
  std::string text;
  for (int i = 0; i < 32; ++i) text += "w" + std::to_string(i) + " ";
  EXPECT_EQ(terms(text + text).size(), 32U) << "the same words again are no more words";
  const auto refused = query_terms(analyzer_, text + "w32");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused.error().argument, "text");
}

// Offsets are UTF-16 code units, the unit of JavaScript's strings.
TEST_F(UnderstandTest, HighlightsInCyrillicText) {
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

TEST_F(UnderstandTest, HighlightsCountPairsOfSurrogatesAsTwo) {
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
TEST_F(UnderstandTest, EveryCutOfATitleIsMarkedRight) {
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

RC_GTEST_FIXTURE_PROP(UnderstandTest, MarksAreInOrderAndWithinAnyText, ()) {
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
