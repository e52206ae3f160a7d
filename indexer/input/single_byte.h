// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace souk::input {

// An 8-bit encoding over ASCII as a table: byte -> UTF-8.
class SingleByteTable {
 public:
  // name as ICU knows it; nothing when ICU has no such encoding or it is not over ASCII.
  static std::optional<SingleByteTable> load(const char* name);

  // Appends the bytes as UTF-8. Returns how many were taken: fewer than given when one is unassigned.
  size_t append(std::string& out, std::string_view bytes) const;

 private:
  struct Entry {
    std::array<char, 3> bytes{};
    uint8_t length = 0;  // 0 = unassigned
  };
  std::array<Entry, 256> entries_;
};

}  // namespace souk::input
