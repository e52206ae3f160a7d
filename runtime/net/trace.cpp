// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/trace.h"

#include "core/base/ids.h"

namespace souk::net {

namespace {

bool is_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         text.find_first_not_of('0') != std::string_view::npos;
}

// "00-<32 hex, not all 0>-<16 hex, not all 0>-<2 hex>"
bool is_traceparent(std::string_view text) {
  return text.size() == 55 && text.starts_with("00-") && text[35] == '-' && text[52] == '-' &&
         is_hex(text.substr(3, 32)) && is_hex(text.substr(36, 16)) &&
         text.substr(53).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::string next_traceparent(std::string_view received, uint64_t random1, uint64_t random2, uint64_t random3) {
  const bool given = is_traceparent(received);
  const std::string trace = given ? std::string(received.substr(3, 32)) : hex16(random1 | 1) + hex16(random2);
  const std::string flags = given ? std::string(received.substr(53)) : "00";
  return "00-" + trace + "-" + hex16(random3 | 1) + "-" + flags;
}

}  // namespace souk::net
