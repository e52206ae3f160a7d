// SPDX-License-Identifier: Apache-2.0
// Private to core/text: includes ICU.
#pragma once

#include <unicode/utf8.h>

#include <string>
#include <string_view>

namespace souk::text {

// out = NFKC_Casefold of utf8.
void nfkc_casefold(std::string_view utf8, std::string& out);

// Russian writes ё and е for the same letter. Folded text has no capital Ё.
inline UChar32 without_yo(UChar32 c) {
  return c == 0x0451 ? 0x0435 : c;
}

inline void append_utf8(UChar32 c, std::string& out) {
  char buffer[U8_MAX_LENGTH];
  int32_t length = 0;
  U8_APPEND_UNSAFE(buffer, length, c);
  out.append(buffer, static_cast<size_t>(length));
}

}  // namespace souk::text
