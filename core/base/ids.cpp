// SPDX-License-Identifier: Apache-2.0
#include "core/base/ids.h"

#include <fmt/format.h>

#include <charconv>

namespace souk {

namespace {

// The whole of text as an unsigned number; from_chars takes no sign and no blanks for unsigned types.
bool parse_whole(std::string_view text, uint64_t& value, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

}  // namespace

Result<DocKey> parse_key(std::string_view text) {
  uint64_t value = 0;
  if (!parse_whole(text, value, 10) || value == 0 || (value >> 62) != 0) {
    return fail(ErrorCode::kInvalidArgument, "not a document key");
  }
  return DocKey(value);
}

std::string to_string(DocKey key) {
  return std::to_string(key.value());
}

std::string hex16(uint64_t value) {
  return fmt::format("{:016x}", value);
}

std::string to_string(const GenerationId& id) {
  return std::to_string(id.number) + "-" + hex16(id.content_hash);
}

Result<GenerationId> parse_generation(std::string_view text) {
  const size_t dash = text.find('-');
  GenerationId id;
  if (dash == std::string_view::npos || text.size() - dash - 1 != 16 ||
      !parse_whole(text.substr(0, dash), id.number, 10) || !parse_whole(text.substr(dash + 1), id.content_hash, 16) ||
      id.number == 0) {
    return fail(ErrorCode::kInvalidArgument, "not a generation id");
  }
  return id;
}

}  // namespace souk
