// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace souk::input {

// How many leading bytes are whole well-formed characters. incomplete: what follows them is the beginning of a
// character that the end of the bytes cuts off (and not an error).
struct Utf8Prefix {
  size_t valid = 0;
  bool incomplete = false;
};
Utf8Prefix utf8_prefix(std::string_view bytes);

// Bytes of the first `characters` characters of well-formed UTF-8 (all of it when it has fewer).
size_t bytes_of_characters(std::string_view text, size_t characters);

// How many '\n' the text has.
uint64_t count_lines(std::string_view text);

// code must be a Unicode scalar value.
void append_utf8(std::string& out, uint32_t code);

// Whether XML 1.0 allows the character.
bool is_xml_char(uint32_t code);

}  // namespace souk::input
