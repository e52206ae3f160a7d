// SPDX-License-Identifier: Apache-2.0
#include "meta/understand/query_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "runtime/net/utf8.h"

namespace souk::understand {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string kUnbalanced = "a quotation mark without its other half is taken as an ordinary character";

class QueryTextTest : public ::testing::Test {
 protected:
  QueryText read(std::string_view text) {
    auto read = read_query_text(analyzer_, text);
    EXPECT_TRUE(read) << text;
    return read.value_or(QueryText());
  }
  std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> out;
    for (const QueryWord& word : read(text).words) out.push_back(shown(word));
    return out;
  }
  // Each as its terms with blanks between.
  std::vector<std::string> phrases(std::string_view text) {
    const QueryText query = read(text);
    std::vector<std::string> out;
    for (const auto& phrase : query.phrases) {
      std::string& line = out.emplace_back();
      for (const uint32_t word : phrase) line += (line.empty() ? "" : " ") + query.words[word].term;
    }
    return out;
  }
  std::vector<std::string> warnings(std::string_view text) { return read(text).warnings; }
  void expect_refused(const std::string& text) {
    const auto refused = read_query_text(analyzer_, text);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(refused.error().argument, "text");
  }
  text::Analyzer analyzer_;
};

TEST_F(QueryTextTest, WordsAreDistinctInTheTextsOrder) {
  EXPECT_THAT(words(""), IsEmpty());
  EXPECT_THAT(words(" !?«» "), IsEmpty());
  EXPECT_THAT(words("sony 42 sony"), ElementsAre("soni", "42"));
  EXPECT_EQ(words("лампа лампы ЛАМПУ").size(), 1U) << "forms of one word are one term";
  EXPECT_EQ(words("ёжик ежик").size(), 1U);
  EXPECT_THAT(warnings("sony 42 sony"), IsEmpty());
}

TEST_F(QueryTextTest, MoreThan32DifferentWordsAreRefused) {
  std::string text;
  for (int i = 0; i < 32; ++i) text += fmt::format("w{} ", i);
  EXPECT_EQ(words(text + text).size(), 32U) << "the same words again are no more words";
  expect_refused(text + "w32");
  expect_refused(text + "\"w1 w32\"");
  expect_refused(text + "w1*");
}

TEST_F(QueryTextTest, PhrasesInAllQuotationMarks) {
  for (const char* text : {"\"злой кот\"", "«злой кот»", "„злой кот“", "„злой кот”", "“злой кот”", "“злой кот“",
                           "\"злой, КОТ!\"", "x\"злой кот\"y"}) {
    EXPECT_THAT(phrases(text), ElementsAre("зл кот")) << text;
    EXPECT_THAT(warnings(text), IsEmpty()) << text;
  }
  EXPECT_THAT(words("чехол \"злой кот\" 15"), ElementsAre("чехол", "зл", "кот", "15")) << "all are words";
  EXPECT_THAT(words("кот \"злой кот\""), ElementsAre("кот", "зл"));
  EXPECT_THAT(phrases("кот \"злой кот\""), ElementsAre("зл кот"));
  EXPECT_THAT(phrases("\"new york new york\""), ElementsAre("new york new york")) << "a word may stand there twice";
  EXPECT_THAT(phrases("\"роман «тихая река»\""), ElementsAre("рома тих рек")) << "others within are ordinary";
  EXPECT_THAT(phrases("\"a b\"\"c d\" «a b»"), ElementsAre("a b", "c d")) << "each once";
}

TEST_F(QueryTextTest, APhraseOfOneWordIsAWord) {
  EXPECT_THAT(phrases("\"sony\" \"\" « »"), IsEmpty());
  EXPECT_THAT(words("\"sony\" \"\" « »"), ElementsAre("soni"));
  EXPECT_THAT(warnings("\"sony\" \"\" « »"), IsEmpty());
}

TEST_F(QueryTextTest, AnUnbalancedMarkIsOrdinary) {
  for (const char* text :
       {"\"злой кот", "злой кот\"", "злой «кот", "злой кот»", "злой” кот", "„злой кот»", "\"злой кот»"}) {
    EXPECT_THAT(phrases(text), IsEmpty()) << text;
    EXPECT_THAT(words(text), ElementsAre("зл", "кот")) << text;
    EXPECT_THAT(warnings(text), ElementsAre(kUnbalanced)) << text;
  }
  EXPECT_THAT(phrases("«a \"b c\""), ElementsAre("b c"));
  EXPECT_THAT(warnings("«a \"b c\" » d » \""), ElementsAre(kUnbalanced)) << "told once";
}

TEST_F(QueryTextTest, AMarkBehindADigitMeansInches) {
  EXPECT_THAT(words("чехол 15\" и 17\""), ElementsAre("чехол", "15", "и", "17"));
  EXPECT_THAT(phrases("чехол 15\" и 17\""), IsEmpty());
  EXPECT_THAT(warnings("чехол 15\" и 17\""), IsEmpty());
  EXPECT_THAT(phrases("32\" \"smart tv\""), ElementsAre("smart tv"));
  EXPECT_THAT(phrases("\"экран 15\" белый"), ElementsAre("экра 15")) << "it ends a phrase";
}

TEST_F(QueryTextTest, BoundsOfPhrases) {
  std::string eight;
  for (int i = 0; i < 8; ++i) eight += fmt::format("\"a w{}\" ", i);
  EXPECT_EQ(phrases(eight).size(), 8U);
  EXPECT_EQ(phrases(eight + eight).size(), 8U);
  expect_refused(eight + "\"b a\"");
  std::string words;
  for (int i = 0; i < 32; ++i) words += "a ";
  EXPECT_EQ(phrases("\"" + words + "\"").size(), 1U);
  expect_refused("\"" + words + "a\"");
}

TEST_F(QueryTextTest, AStarBehindAWordMakesAPrefix) {
  const QueryText query = read("Ноутбуки* sony");
  ASSERT_EQ(query.words.size(), 2U);
  EXPECT_EQ(query.words[0].prefix, "ноутбуки") << "folded, not stemmed";
  EXPECT_EQ(query.words[0].term, "ноутбук");
  EXPECT_EQ(query.words[1].prefix, "");
  EXPECT_THAT(words("ЁЖ* кот*, ab** x1*"), ElementsAre("еж*", "кот*", "ab*", "x1*"));
  EXPECT_THAT(words("кот кот* коты*"), ElementsAre("кот", "кот*", "коты*")) << "different words";
  EXPECT_THAT(words("ﬁ*"), ElementsAre("fi*")) << "two letters";
  EXPECT_THAT(warnings("ЁЖ* кот*, ab** x1*"), IsEmpty());
}

TEST_F(QueryTextTest, OtherStarsAreIgnored) {
  EXPECT_THAT(words("к* кот"), ElementsAre("к", "кот"));
  EXPECT_THAT(warnings("к* кот"), ElementsAre("a * behind fewer than 2 letters is ignored: к*"));
  EXPECT_THAT(words("\"злой* кот\""), ElementsAre("зл", "кот"));
  EXPECT_THAT(warnings("\"злой* кот\""), ElementsAre("a * within a phrase is ignored: злой*"));
  EXPECT_THAT(words("60*90 * *кот кот *"), ElementsAre("60", "90", "кот")) << "a size, and stars of their own";
  EXPECT_THAT(warnings("60*90 * *кот кот *"), IsEmpty());
}

TEST_F(QueryTextTest, ALongPrefixIsCutAsTermsAre) {
  std::string word;
  for (int i = 0; i < 60; ++i) word += "ы";
  EXPECT_EQ(read("a" + word + "*").words[0].prefix.size(), 95U) << "no half of a letter";
  EXPECT_LE(read("\u{fdfa}\u{fdfa}\u{fdfa}\u{fdfa}*").words[0].prefix.size(), 96U) << "folding makes it longer";
}

RC_GTEST_FIXTURE_PROP(QueryTextTest, AnyTextIsWithinTheBounds, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("кот", "a", "sony", " ", "\"", "«", "»", "„", "“", "”", "*", "15", "😀", "é"));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  const auto query = read_query_text(analyzer_, text);
  if (!query) {
    RC_ASSERT(query.error().argument == "text");
    return;
  }
  RC_ASSERT(query->words.size() <= kMaxWords);
  RC_ASSERT(query->phrases.size() <= query::kMaxPhrases);
  for (const auto& phrase : query->phrases) {
    RC_ASSERT(phrase.size() >= 2U && phrase.size() <= kMaxPhraseWords);
    for (const uint32_t word : phrase) RC_ASSERT(query->words.at(word).prefix.empty());
  }
  for (const std::string& warning : query->warnings) RC_ASSERT(net::is_utf8(warning));
  // Every word of the text is there, whatever stands around it.
  for (const text::Token& token : analyzer_.analyze(text)) {
    RC_ASSERT(std::ranges::find(query->words, token.term, &QueryWord::term) != query->words.end());
  }
}

}  // namespace
}  // namespace souk::understand
