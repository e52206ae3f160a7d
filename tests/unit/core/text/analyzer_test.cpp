// SPDX-License-Identifier: Apache-2.0
#include "core/text/analyzer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/text/normalize.h"

namespace souk::text {
namespace {

std::vector<std::string> terms(std::string_view text) {
  Analyzer analyzer;
  std::vector<std::string> out;
  for (const Token& token : analyzer.analyze(text)) out.push_back(token.term);
  return out;
}

TEST(Analyzer, RussianFormsMeet) {
  EXPECT_EQ(terms("злой кот с пищалкой"), terms("злого кота с пищалкой"));
  EXPECT_EQ(terms("Злые коты с пищалками"), terms("злой кот с пищалкой"));
  EXPECT_EQ(terms("мёд"), terms("мед"));
  EXPECT_EQ(terms("слой"), terms("слоя"));
  EXPECT_NE(terms("кот"), terms("код"));
}

TEST(Analyzer, EnglishFormsMeet) {
  EXPECT_EQ(terms("Wireless Mouse"), terms("wireless mouses"));
  EXPECT_EQ(terms("angry cats"), terms("ANGRY cat"));
}

TEST(Analyzer, CodesAreNotStemmed) {
  EXPECT_EQ(terms("WH-900XM4 NOR.0707-60"), (std::vector<std::string>{"wh", "900xm4", "nor", "0707", "60"}));
}

TEST(Analyzer, TokensPointIntoTheSource) {
  Analyzer analyzer;
  const std::string text = "Чехол для «Ёжик» 15\"";
  const auto tokens = analyzer.analyze(text);
  ASSERT_EQ(tokens.size(), 4U);
  EXPECT_EQ(text.substr(tokens[2].begin, tokens[2].end - tokens[2].begin), "Ёжик");
  EXPECT_EQ(text.substr(tokens[3].begin, tokens[3].end - tokens[3].begin), "15");
}

TEST(Analyzer, DecomposedLettersAreTheSame) {
  EXPECT_EQ(terms("е\xCC\x88жик"), terms("ёжик"));
  EXPECT_EQ(terms("и\xCC\x86од"), terms("йод"));
}

TEST(Analyzer, LongRunsAreCut) {
  const auto cut = terms(std::string(100'000, 'x') + " " + std::string(5001, 'z'));
  ASSERT_EQ(cut.size(), 2U);
  EXPECT_EQ(cut[0].size(), Analyzer::kMaxTermBytes);
}

RC_GTEST_PROP(Analyzer, AnyBytesGiveBoundedUtf8Terms, (const std::string& bytes)) {
  Analyzer analyzer;
  uint32_t before = 0;
  for (const Token& token : analyzer.analyze(bytes)) {
    RC_ASSERT(!token.term.empty());
    RC_ASSERT(token.term.size() <= Analyzer::kMaxTermBytes);
    RC_ASSERT(is_utf8(token.term));
    RC_ASSERT(token.begin >= before);
    RC_ASSERT(token.begin < token.end);
    RC_ASSERT(token.end <= bytes.size());
    before = token.end;
  }
}

}  // namespace
}  // namespace souk::text
