// SPDX-License-Identifier: Apache-2.0
#include "runtime/config/config_value.h"

#include <algorithm>
#include <sstream>
#include <toml.hpp>

#include "runtime/config/toml_guard.h"

namespace souk::config {

namespace {

using Kind = ConfigValue::Kind;

// The nesting of the value is bounded by check_toml_text.
ConfigValue convert(const toml::value& from) {
  ConfigValue to;
  to.line = std::max(1, static_cast<int>(from.location().line()));
  if (from.is_string()) {
    to.kind = Kind::kString;
    to.text = from.as_string().str;
  } else if (from.is_integer()) {
    to.kind = Kind::kInteger;
    to.integer = from.as_integer();
  } else if (from.is_floating()) {
    to.kind = Kind::kFloat;
    to.number = from.as_floating();
  } else if (from.is_boolean()) {
    to.kind = Kind::kBoolean;
    to.boolean = from.as_boolean();
  } else if (from.is_array()) {
    to.kind = Kind::kArray;
    for (const toml::value& item : from.as_array()) to.items.push_back(convert(item));
  } else if (from.is_table()) {
    to.kind = Kind::kTable;
    for (const auto& [name, value] : from.as_table()) to.members.emplace_back(name, convert(value));
    std::ranges::sort(to.members, [](const auto& a, const auto& b) {
      return std::pair(a.second.line, std::string_view(a.first)) < std::pair(b.second.line, std::string_view(b.first));
    });
  } else {
    to.kind = Kind::kDate;
  }
  return to;
}

// toml11's messages are pictures of several lines: "[error] toml::parse_x: reason\n --> file\n ...".
std::string first_line(std::string_view message) {
  message = message.substr(0, message.find('\n'));
  if (message.starts_with("[error] ")) message.remove_prefix(8);
  if (message.starts_with("toml::")) {
    const size_t colon = message.find(": ");
    if (colon != std::string_view::npos) message.remove_prefix(colon + 2);
  }
  return "not TOML: " + std::string(message);
}

}  // namespace

std::string_view to_string(ConfigValue::Kind kind) {
  switch (kind) {
    case Kind::kString:
      return "a string";
    case Kind::kInteger:
      return "a whole number";
    case Kind::kFloat:
      return "a number";
    case Kind::kBoolean:
      return "true or false";
    case Kind::kDate:
      return "a date or time";
    case Kind::kArray:
      return "a list";
    case Kind::kTable:
      return "a table";
  }
  return "a value";
}

Result<ConfigValue> parse_config(std::string_view text, const std::string& file_name) {
  const Status checked = check_toml_text(text, file_name);
  if (!checked) return std::unexpected(checked.error());
  std::istringstream stream{std::string(text)};
  try {
    ConfigValue root = convert(toml::parse(stream, file_name));
    root.line = 1;
    return root;
  } catch (const toml::exception& error) {
    const int line = std::max(1, static_cast<int>(error.location().line()));
    return std::unexpected(config_error(file_name, line, first_line(error.what())));
  } catch (const std::exception& error) {
    return std::unexpected(config_error(file_name, 1, first_line(error.what())));
  }
}

}  // namespace souk::config
