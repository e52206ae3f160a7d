// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace souk::index {

// Currencies as numbers: 0 is the base currency, whatever it is, and three capital letters are 1 to kMostCurrency.
inline constexpr uint32_t kMostCurrency = 26 * 26 * 26;

// 0 for what is not three capital letters.
constexpr uint32_t currency_code(std::string_view name) {
  if (name.size() != 3 || std::ranges::any_of(name, [](char c) { return c < 'A' || c > 'Z'; })) return 0;
  uint32_t code = 0;
  for (const char c : name) code = code * 26 + static_cast<uint32_t>(c - 'A');
  return code + 1;
}

// code: 1..kMostCurrency
inline std::string currency_name(uint32_t code) {
  std::string name(3, 'A');
  --code;
  for (size_t i = name.size(); i-- > 0; code /= 26) name[i] = static_cast<char>('A' + code % 26);
  return name;
}

}  // namespace souk::index
