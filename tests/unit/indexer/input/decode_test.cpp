// SPDX-License-Identifier: Apache-2.0
#include "indexer/input/decode.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unicode/unistr.h>

#include "tests/unit/indexer/input/stream.h"

namespace souk::input {
namespace {

Passed decode(std::string_view bytes, bool lenient = false, size_t block = std::string_view::npos) {
  Passed passed;
  Decoder decoder(passed.sink(), lenient ? passed.warn() : Warn(), passed.fault);
  passed.good = push_all(decoder, bytes, block);
  return passed;
}

std::string encode(const std::string& utf8, const char* encoding) {
  const icu::UnicodeString text = icu::UnicodeString::fromUTF8(utf8);
  std::string out(static_cast<size_t>(text.length()) * 4 + 4, '\0');
  out.resize(
      static_cast<size_t>(text.extract(0, text.length(), out.data(), static_cast<uint32_t>(out.size()), encoding)));
  return out;
}

std::string declared(const std::string& encoding, const std::string& text) {
  return "<?xml version=\"1.0\" encoding=\"" + encoding + "\"?>\n" + text;
}

constexpr const char* kRussian = "<name>Настольная лампа «Ёж» №5</name>\n<name>Чайник и кружка</name>";

TEST(Decoder, ReadsTheDeclaredEncoding) {
  const std::vector<std::pair<std::string, std::string>> all{{"windows-1251", kRussian},
                                                             {"CP1251", kRussian},
                                                             {"KOI8-R", "<name>Ёж в лесу</name>"},
                                                             {"koi8-u", "<name>Їжак і ґава</name>"},
                                                             {"ISO-8859-1", "café"},
                                                             {"US-ASCII", "abc"},
                                                             {"utf-8", kRussian},
                                                             {"UTF8", kRussian}};
  for (const auto& [name, text] : all) {
    const std::string whole = declared(name, text);
    const char* icu_name = name == "UTF8" ? "UTF-8" : name == "CP1251" ? "windows-1251" : name.c_str();
    for (const bool lenient : {false, true}) {
      for (const size_t block : {std::string::npos, size_t{1}, size_t{7}}) {
        const Passed passed = decode(encode(whole, icu_name), lenient, block);
        EXPECT_TRUE(passed.good) << name << passed.fault.message;
        EXPECT_EQ(passed.text, whole) << name;
        EXPECT_TRUE(passed.warnings.empty()) << name;
      }
    }
  }
}

TEST(Decoder, ReadsUtf16WithAndWithoutAMark) {
  for (const std::string& text : {declared("UTF-16", kRussian), std::string("<yml_catalog>"),
                                  std::string("id\ttitle\n1\t😀"), std::string("{\"id\":\"я\"}")}) {
    for (const char* encoding : {"UTF-16LE", "UTF-16BE"}) {
      const std::string mark = encoding[6] == 'L' ? "\xff\xfe" : "\xfe\xff";
      for (const size_t block : {std::string::npos, size_t{1}}) {
        EXPECT_EQ(decode(encode(text, encoding), false, block).text, text) << encoding;
        EXPECT_EQ(decode(mark + encode(text, encoding), false, block).text, text) << encoding;
      }
    }
  }
}

TEST(Decoder, RefusesWhatItCannotRead) {
  const auto problem = [](const std::string& bytes) {
    const Passed passed = decode(bytes);
    return passed.fault.kind + ":" + std::to_string(passed.fault.line);
  };
  EXPECT_EQ(problem(std::string("\xff\xfe\0\0<\0\0\0", 8)), "unsupported_encoding:1");
  EXPECT_EQ(problem(std::string("<\0\0\0a\0\0\0", 8)), "unsupported_encoding:1");
  EXPECT_EQ(problem(declared("EBCDIC-CP-US", "")), "unsupported_encoding:1");
  EXPECT_EQ(problem(declared("UTF-16", "")), "bad_encoding:1");
  EXPECT_EQ(problem("\n\n\xcb"), "truncated:3");
  EXPECT_EQ(problem("\n\n\xcb."), "bad_encoding:3");
  EXPECT_EQ(problem(declared("windows-1251", "\n\x98")), "bad_encoding:3");
  EXPECT_EQ(problem(declared("US-ASCII", "\xe9")), "bad_encoding:2");
  EXPECT_EQ(problem(std::string("\xff\xfe\0\xdc\n\0", 6)), "bad_encoding:1");
  EXPECT_EQ(problem(std::string("\xff\xfe<\0\n", 5)), "truncated:1");
}

TEST(Decoder, GuessesWindows1251Leniently) {
  const std::string text = "\n" + std::string(kRussian) + "\n";
  const std::string bytes = encode(text, "windows-1251");
  for (const std::string& head : {std::string(), declared("UTF-8", "")}) {
    EXPECT_EQ(decode(head + bytes).fault.kind, "bad_encoding");
    for (const size_t block : {std::string::npos, size_t{1}, size_t{3}}) {
      const Passed passed = decode(head + bytes, true, block);
      EXPECT_TRUE(passed.good);
      EXPECT_EQ(passed.text, head + text);
      EXPECT_EQ(passed.warnings, std::vector<std::string>{head.empty() ? "encoding_guessed:2" : "encoding_guessed:3"});
    }
  }
}

TEST(Decoder, DoesNotGuessAtRandom) {
  const auto refused = [](const std::string& bytes) {
    const Passed passed = decode(bytes, true);
    return !passed.good && passed.fault.kind == "bad_encoding" && passed.warnings.empty();
  };
  EXPECT_TRUE(refused("<name>caf\xe9 cr\xe8me</name>"));                                   // Latin words
  EXPECT_TRUE(refused("<name>Лампа \xcb\xe0\xec\xef\xe0</name>"));                         // UTF-8 came before
  EXPECT_TRUE(refused("\xef\xbb\xbf<name>\xcb\xe0\xec\xef\xe0</name>"));                   // a UTF-8 mark did
  EXPECT_TRUE(refused("<name>price \xa0 </name><name>Настольная лампа и чайник</name>"));  // UTF-8 comes after
  EXPECT_TRUE(refused("<name>\xcb\xe0\xec\x98\xef\xe0</name>"));                           // not even windows-1251
}

TEST(Decoder, TakesUtf8ForAWrong8BitLabelLeniently) {
  const std::string text = declared("windows-1251", kRussian);
  EXPECT_NE(decode(text).text, text);
  for (const size_t block : {std::string::npos, size_t{1}, size_t{3}}) {
    const Passed passed = decode(text, true, block);
    EXPECT_TRUE(passed.good);
    EXPECT_EQ(passed.text, text);
    EXPECT_EQ(passed.warnings, std::vector<std::string>{"encoding_guessed:2"});
  }
}

TEST(Decoder, FindsADeclarationBehindJunkLeniently) {
  const std::string text = "Warning: x\n" + declared("windows-1251", kRussian);
  const std::string bytes = encode(text, "windows-1251");
  EXPECT_EQ(decode(bytes).fault.kind, "bad_encoding");
  const Passed passed = decode(bytes, true);
  EXPECT_EQ(passed.text, text);
  EXPECT_TRUE(passed.warnings.empty());
}

// Where the blocks are cut changes nothing, in either mode, whatever the bytes are.
RC_GTEST_PROP(DecoderProperty, BlocksDoNotMatter, ()) {
  static const std::vector<std::string> kPieces{"<name>", "я",
                                                "Лампа",  "\xcb\xe0\xec\xef\xe0",
                                                "\xe9",   "caf\xe9",
                                                "\n",     "\x98",
                                                "\xd0",   "\xef\xbb\xbf",
                                                "<?xml ", "encoding='windows-1251'?>",
                                                " ",      "abc",
                                                "€",      "😀"};
  std::string bytes = *rc::gen::element(std::string(), declared("windows-1251", ""), declared("UTF-8", ""));
  for (const std::string& piece : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces))) {
    bytes += piece;
  }
  const size_t times = *rc::gen::inRange<size_t>(1, 500);
  const std::string once = bytes;
  for (size_t i = 0; i < times; ++i) bytes += once;
  for (const bool lenient : {false, true}) {
    const Passed whole = decode(bytes, lenient);
    const Passed cut = decode(bytes, lenient, *rc::gen::inRange<size_t>(1, 3000));
    RC_ASSERT(cut.text == whole.text);
    RC_ASSERT(cut.fault.kind == whole.fault.kind);
    RC_ASSERT(cut.fault.line == whole.fault.line);
    RC_ASSERT(cut.warnings == whole.warnings);
  }
}

}  // namespace
}  // namespace souk::input
