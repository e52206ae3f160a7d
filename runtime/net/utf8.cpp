// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/utf8.h"

#include <cstdint>

namespace souk::net {

namespace {

// Length of the sequence that starts with lead, and the least and greatest second byte; 0 = not a lead byte.
struct Lead {
  size_t length;
  uint8_t low;
  uint8_t high;
};

Lead classify(uint8_t lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead >= 0xC2 && lead <= 0xDF) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};  // below: overlong
  if (lead == 0xED) return {3, 0x80, 0x9F};  // above: surrogates
  if (lead >= 0xE1 && lead <= 0xEF) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead >= 0xF1 && lead <= 0xF3) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Lead lead = classify(static_cast<uint8_t>(text[at]));
    if (lead.length == 0 || text.size() - at < lead.length) return false;
    for (size_t i = 1; i < lead.length; ++i) {
      const auto byte = static_cast<uint8_t>(text[at + i]);
      if (byte < (i == 1 ? lead.low : 0x80) || byte > (i == 1 ? lead.high : 0xBF)) return false;
    }
    at += lead.length;
  }
  return true;
}

std::string to_valid_utf8(std::string_view text) {
  std::string valid(text);
  if (is_utf8(text)) return valid;
  for (char& c : valid) {
    if (static_cast<uint8_t>(c) >= 0x80) c = '?';
  }
  return valid;
}

}  // namespace souk::net
