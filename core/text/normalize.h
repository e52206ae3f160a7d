// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace souk::text {

// The form in which names are compared (vendors, categories, param names and values): NFKC, case folded, ё = е, white
// space trimmed and collapsed to single blanks. Bytes that are not UTF-8 become U+FFFD. Never fails.
std::string fold(std::string_view utf8);

// Whether the bytes are well-formed UTF-8.
bool is_utf8(std::string_view bytes);

// Length in UTF-16 code units: the unit of JavaScript's string indexes. utf8 must be well-formed.
size_t utf16_length(std::string_view utf8);

}  // namespace souk::text
