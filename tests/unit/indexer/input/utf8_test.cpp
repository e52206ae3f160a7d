// SPDX-License-Identifier: Apache-2.0
#include "indexer/input/utf8.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unicode/utf8.h>

namespace souk::input {
namespace {

TEST(Utf8, FindsTheValidPrefix) {
  const auto prefix = [](std::string_view bytes) {
    const Utf8Prefix found = utf8_prefix(bytes);
    return std::pair(found.valid, found.incomplete);
  };
  EXPECT_EQ(prefix("abcdefghijkл€😀"), std::pair(size_t{20}, false));
  EXPECT_EQ(prefix("ab\xd0"), std::pair(size_t{2}, true));
  EXPECT_EQ(prefix("ab\xf0\x9f\x98"), std::pair(size_t{2}, true));
  for (const char* bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
                          "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xd0z"}) {
    EXPECT_EQ(prefix(std::string("12345678") + bad), std::pair(size_t{8}, false));
  }
}

// The same, as ICU sees it: character by character.
Utf8Prefix slow_prefix(const std::string& bytes) {
  const auto size = static_cast<int32_t>(bytes.size());
  for (int32_t at = 0; at < size;) {
    const int32_t before = at;
    UChar32 code = 0;
    U8_NEXT(bytes.data(), at, size, code);
    if (code >= 0) continue;
    // Cut off by the end, when some continuation would make it whole.
    for (const char* more : {"\x80", "\x80\x80", "\x80\x80\x80", "\xbf", "\xbf\xbf", "\xbf\xbf\xbf", "\x90\x80\x80"}) {
      const std::string whole = bytes.substr(static_cast<size_t>(before)) + more;
      int32_t end = 0;
      U8_NEXT(whole.data(), end, static_cast<int32_t>(whole.size()), code);
      if (code >= 0 && end == static_cast<int32_t>(whole.size())) return {static_cast<size_t>(before), true};
    }
    return {static_cast<size_t>(before), false};
  }
  return {bytes.size(), false};
}

RC_GTEST_PROP(Utf8Property, PrefixIsWhatIcuTakes, ()) {
  static const std::vector<std::string> kPieces{
      "a",        "abcdefgh",     "я",        "яяяя",     "€",    "😀",   "\xc2", "\xd0",
      "\xe2\x82", "\xf0\x9f\x98", "\xc0\x80", "\xed\xa0", "\x80", "\xff", "\xf4", "\xe0\x9f",
      "\xc1\xbf", "\xd0\xb0\xc0", "\n",       "\xdf\xbf"};
  std::string bytes;
  for (const std::string& piece : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces))) {
    bytes += piece;
  }
  const Utf8Prefix fast = utf8_prefix(bytes);
  const Utf8Prefix slow = slow_prefix(bytes);
  RC_ASSERT(fast.valid == slow.valid);
  RC_ASSERT(fast.incomplete == slow.incomplete);
}

TEST(Utf8, CountsLines) {
  EXPECT_EQ(count_lines(""), 0U);
  EXPECT_EQ(count_lines("a\nb\r\n\n"), 3U);
  EXPECT_EQ(count_lines(std::string(1000, '\n')), 1000U);
  EXPECT_EQ(count_lines(std::string(1000, 'n')), 0U);
}

}  // namespace
}  // namespace souk::input
