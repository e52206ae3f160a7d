// SPDX-License-Identifier: Apache-2.0
#include "indexer/input/utf8.h"

#include <algorithm>
#include <bit>

#include "indexer/input/byte_vector.h"

namespace souk::input {
namespace {

struct Sequence {
  uint8_t length;  // 0 = not a leading byte
  uint8_t low;     // bounds of the second byte
  uint8_t high;
};

// Table 3-7 of the Unicode standard.
constexpr Sequence sequence_of(uint8_t lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead < 0xC2) return {0, 0, 0};
  if (lead < 0xE0) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead < 0xF0) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead < 0xF4) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// Goes over what most text is of, ASCII and characters of two bytes, from the beginning of a character to another one;
// stops near anything else.
const char* skip_usual(const char* at, const char* end) {
  constexpr ByteVector kNone{};
  while (end - at >= 16) {
    const ByteVector bytes = load_bytes(at);
    const ByteFlags beyond = bytes >= 0x80;
    if (!any(beyond)) {
      at += 16;
      continue;
    }
    const ByteFlags follows = (bytes & 0xC0) == 0x80;
    const ByteFlags leads = (bytes >= 0xC2) & (bytes < 0xE0);
    // Behind each lead, and only there, is a byte that follows.
    const ByteFlags expected = __builtin_shufflevector(std::bit_cast<ByteFlags>(kNone), leads, 15, 16, 17, 18, 19, 20,
                                                       21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
    if (any(beyond ^ (leads | follows)) || any(follows ^ expected)) break;
    at += leads[15] != 0 ? 15 : 16;
  }
  return at;
}

// The same, one by one, up to the 16th byte or anything else.
const char* step_usual(const char* at, const char* end) {
  const char* const stop = end - at > 16 ? at + 16 : end;
  while (at < stop) {
    const auto lead = static_cast<uint8_t>(*at);
    if (lead < 0x80) {
      ++at;
    } else if (lead >= 0xC2 && lead < 0xE0 && at + 1 < end && (static_cast<uint8_t>(at[1]) & 0xC0U) == 0x80) {
      at += 2;
    } else {
      break;
    }
  }
  return at;
}

}  // namespace

Utf8Prefix utf8_prefix(std::string_view bytes) {
  const char* const end = bytes.data() + bytes.size();
  const char* at = bytes.data();
  for (;;) {
    at = step_usual(skip_usual(at, end), end);
    if (at == end) return {bytes.size(), false};
    const Sequence sequence = sequence_of(static_cast<uint8_t>(*at));
    const auto valid = static_cast<size_t>(at - bytes.data());
    if (sequence.length == 0) return {valid, false};
    for (int i = 1; i < sequence.length; ++i) {
      if (at + i == end) return {valid, true};
      const auto byte = static_cast<uint8_t>(at[i]);
      const uint8_t low = i == 1 ? sequence.low : 0x80;
      const uint8_t high = i == 1 ? sequence.high : 0xBF;
      if (byte < low || byte > high) return {valid, false};
    }
    at += sequence.length;
  }
}

uint64_t count_lines(std::string_view text) {
  uint64_t lines = 0;
  // Counts in bytes, which fit a vector register best.
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, 255);
    uint8_t count = 0;
    for (const char c : piece) count += c == '\n' ? 1 : 0;
    lines += count;
    text.remove_prefix(piece.size());
  }
  return lines;
}

size_t bytes_of_characters(std::string_view text, size_t characters) {
  if (text.size() <= characters) return text.size();
  size_t count = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<uint8_t>(text[i]) & 0xC0) == 0x80) continue;
    if (count == characters) return i;
    ++count;
  }
  return text.size();
}

void append_utf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

bool is_xml_char(uint32_t code) {
  if (code < 0x20) return code == 0x9 || code == 0xA || code == 0xD;
  return code <= 0xD7FF || (code >= 0xE000 && code <= 0xFFFD) || (code >= 0x10000 && code <= 0x10FFFF);
}

}  // namespace souk::input
