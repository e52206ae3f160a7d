// SPDX-License-Identifier: Apache-2.0
#include "indexer/match/words.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>

#include "core/text/normalize.h"

namespace souk::match {
namespace {

bool is_of_word(UChar32 c, bool inside) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  return u_isalnum(c) || (inside && (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0);
}

}  // namespace

std::string folded(std::string_view text) {
  const bool is_ascii = std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!is_ascii) return text::fold(text);
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::vector<std::string> words_of(std::string_view text) {
  const std::string folded = match::folded(text);
  std::vector<std::string> words;
  bool inside = false;
  const auto length = static_cast<int32_t>(folded.size());
  for (int32_t i = 0; i < length;) {
    const int32_t begin = i;
    UChar32 c = 0;
    U8_NEXT_OR_FFFD(folded.data(), i, length, c);
    if (!is_of_word(c, inside)) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    words.back().append(folded, static_cast<size_t>(begin), static_cast<size_t>(i - begin));
  }
  return words;
}

std::string compact(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) joined += word;
  return joined;
}

}  // namespace souk::match
