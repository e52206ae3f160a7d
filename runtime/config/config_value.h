// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace souk::config {

// A parsed TOML value with the line it stands on. Keeps toml11 in one file. Internal to runtime/config.
struct ConfigValue {
  enum class Kind { kString, kInteger, kFloat, kBoolean, kDate, kArray, kTable };

  Kind kind = Kind::kTable;
  int line = 1;
  std::string text = {};  // kString
  int64_t integer = 0;    // kInteger; numbers beyond 64 bits are the nearest limit
  double number = 0;      // kFloat
  bool boolean = false;
  std::vector<ConfigValue> items = {};                            // kArray
  std::vector<std::pair<std::string, ConfigValue>> members = {};  // kTable, by line
};

std::string_view to_string(ConfigValue::Kind kind);

// Checks the text (toml_guard.h) and parses it; errors say "file:line: reason".
Result<ConfigValue> parse_config(std::string_view text, const std::string& file_name);

}  // namespace souk::config
