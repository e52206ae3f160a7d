// SPDX-License-Identifier: Apache-2.0
#include "indexer/match/words.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "core/text/normalize.h"

namespace souk::match {

std::vector<std::string> words_of(std::string_view text) {
  const std::string folded = text::fold(text);
  std::vector<std::string> words;
  bool inside = false;
  const auto length = static_cast<int32_t>(folded.size());
  for (int32_t i = 0; i < length;) {
    const int32_t begin = i;
    UChar32 c = 0;
    U8_NEXT_OR_FFFD(folded.data(), i, length, c);
    const bool is_mark = (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0;
    if (!u_isalnum(c) && !(inside && is_mark)) {
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
