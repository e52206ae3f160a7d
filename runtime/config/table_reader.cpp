// SPDX-License-Identifier: Apache-2.0
#include "runtime/config/table_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "runtime/config/toml_guard.h"

namespace souk::config {

using Kind = ConfigValue::Kind;

namespace {

// A hostile key or value in a message: one line, not too long.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, 60)) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
  return out + (text.size() > 60 ? "...'" : "'");
}

// A whole number from 0 to `most` of so many 10^-digits. A double is written with the fewest digits that tell it from
// all others: those that stand in the file, when they are at most 15.
std::optional<uint64_t> scaled(double number, uint32_t digits, uint64_t most) {
  std::array<char, 64> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{}) return std::nullopt;  // too small to have so few digits
  const std::string_view decimal(text.data(), end);
  const size_t dot = std::min(decimal.find('.'), decimal.size());
  const std::string_view fraction = decimal.substr(std::min(dot + 1, decimal.size()));
  if (fraction.size() > digits) return std::nullopt;
  std::string whole(decimal.substr(0, dot));
  whole += fraction;
  whole.append(digits - fraction.size(), '0');
  uint64_t value = 0;
  const auto parsed = std::from_chars(whole.data(), whole.data() + whole.size(), value);
  if (parsed.ec != std::errc{} || parsed.ptr != whole.data() + whole.size() || value > most) return std::nullopt;
  return value;
}

}  // namespace

void FirstError::add(int line, std::string_view reason) {
  if (!error_) error_ = config_error(file_name_, line, reason);
}

TableReader::TableReader(const ConfigValue& table, std::string what, FirstError& errors)
    : table_(table), what_(std::move(what)), errors_(errors) {
  if (table.kind != Kind::kTable) errors_.add(table.line, fmt::format("{} must be a table", what_));
}

const ConfigValue* TableReader::find(std::string_view key) const {
  for (const auto& [name, value] : table_.members) {
    if (name == key) return &value;
  }
  return nullptr;
}

int TableReader::line_of(std::string_view key) const {
  const ConfigValue* value = find(key);
  return value == nullptr ? table_.line : value->line;
}

const ConfigValue* TableReader::take(std::string_view key, bool required) {
  known_.emplace(key);
  const ConfigValue* value = find(key);
  if (value == nullptr && required) errors_.add(table_.line, fmt::format("{} has no '{}'", what_, key));
  return value;
}

bool TableReader::is(const ConfigValue& value, std::string_view key, Kind kind) {
  if (value.kind == kind) return true;
  errors_.add(value.line, fmt::format("'{}' must be {}, not {}", key, to_string(kind), to_string(value.kind)));
  return false;
}

std::string TableReader::text(std::string_view key) {
  const ConfigValue* value = take(key, true);
  if (value == nullptr || !is(*value, key, Kind::kString)) return "";
  return value->text;
}

std::string TableReader::text_or(std::string_view key, std::string fallback) {
  const ConfigValue* value = take(key, false);
  if (value == nullptr || !is(*value, key, Kind::kString)) return fallback;
  return value->text;
}

int64_t TableReader::integer(std::string_view key, int64_t least, int64_t most) {
  const ConfigValue* value = take(key, true);
  if (value == nullptr || !is(*value, key, Kind::kInteger)) return least;
  if (value->integer >= least && value->integer <= most) return value->integer;
  errors_.add(value->line, fmt::format("'{}' must be from {} to {}", key, least, most));
  return least;
}

uint32_t TableReader::integer_or(std::string_view key, int64_t least, int64_t most, uint32_t fallback) {
  if (!has(key)) {
    known_.emplace(key);
    return fallback;
  }
  return static_cast<uint32_t>(integer(key, least, most));
}

bool TableReader::flag_or(std::string_view key, bool fallback) {
  const ConfigValue* value = take(key, false);
  if (value == nullptr || !is(*value, key, Kind::kBoolean)) return fallback;
  return value->boolean;
}

std::optional<uint64_t> TableReader::decimal(std::string_view key, uint32_t digits, uint64_t most) {
  const ConfigValue* value = take(key, false);
  if (value == nullptr) return std::nullopt;
  uint64_t unit = 1;
  for (uint32_t i = 0; i < digits; ++i) unit *= 10;
  std::optional<uint64_t> found;
  if (value->kind == Kind::kInteger) {
    if (value->integer >= 0 && static_cast<uint64_t>(value->integer) <= most / unit)
      found = static_cast<uint64_t>(value->integer) * unit;
  } else if (!is(*value, key, Kind::kFloat)) {
    return std::nullopt;
  } else if (std::isfinite(value->number) && !std::signbit(value->number)) {
    found = scaled(value->number, digits, most);
  }
  if (!found) {
    errors_.add(value->line, fmt::format("'{}' must be from 0 to {}, with at most {} digits behind the point", key,
                                         most / unit, digits));
  }
  return found;
}

double TableReader::number_or(std::string_view key, double least, double most, double fallback) {
  const ConfigValue* value = take(key, false);
  if (value == nullptr) return fallback;
  double number = value->number;
  if (value->kind == Kind::kInteger) {
    number = static_cast<double>(value->integer);
  } else if (!is(*value, key, Kind::kFloat)) {
    return fallback;
  }
  if (number >= least && number <= most) return number;  // false for NaN too
  errors_.add(value->line, fmt::format("'{}' must be from {} to {}", key, least, most));
  return fallback;
}

std::vector<std::pair<std::string, int>> TableReader::texts(std::string_view key, bool required) {
  std::vector<std::pair<std::string, int>> items;
  const ConfigValue* value = take(key, required);
  if (value == nullptr || !is(*value, key, Kind::kArray)) return items;
  for (const ConfigValue& item : value->items) {
    if (is(item, key, Kind::kString)) items.emplace_back(item.text, item.line);
  }
  if (required && value->items.empty()) errors_.add(value->line, fmt::format("'{}' must not be empty", key));
  return items;
}

const ConfigValue* TableReader::table(std::string_view key) {
  const ConfigValue* value = take(key, false);
  return value != nullptr && is(*value, key, Kind::kTable) ? value : nullptr;
}

std::vector<const ConfigValue*> TableReader::tables(std::string_view key) {
  std::vector<const ConfigValue*> found;
  const ConfigValue* value = take(key, false);
  if (value == nullptr) return found;
  if (value->kind != Kind::kArray) {
    errors_.add(value->line, fmt::format("'{}' must be a list of tables, written [[{}]]", key, key));
    return found;
  }
  for (const ConfigValue& item : value->items) {
    if (item.kind != Kind::kTable) {
      errors_.add(item.line, fmt::format("'{}' must be a list of tables, written [[{}]]", key, key));
      return found;
    }
    found.push_back(&item);
  }
  return found;
}

void TableReader::refuse_unknown() {
  for (const auto& [name, value] : table_.members) {
    if (known_.contains(name)) continue;
    errors_.add(value.line, fmt::format("unknown key {} in {}", in_quotes(name), what_));
  }
}

}  // namespace souk::config
