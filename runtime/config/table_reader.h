// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/config/config_value.h"

namespace souk::config {

// The first error met while a file is read; later ones are dropped, so that readers need not stop at each.
class FirstError {
 public:
  explicit FirstError(std::string file_name) : file_name_(std::move(file_name)) {}
  void add(int line, std::string_view reason);
  bool any() const { return error_.has_value(); }
  const Error& get() const { return *error_; }

 private:
  std::string file_name_;
  std::optional<Error> error_;
};

// Takes the keys of one table, with types and bounds; what is left at the end is an unknown key. A getter that fails
// adds an error and returns an empty value or the default. Internal to runtime/config.
class TableReader {
 public:
  // what: for messages, such as "node" or "[limits]".
  TableReader(const ConfigValue& table, std::string what, FirstError& errors);

  int line() const { return table_.line; }
  int line_of(std::string_view key) const;  // of the value, else of the table
  bool has(std::string_view key) const { return find(key) != nullptr; }

  std::string text(std::string_view key);  // required
  std::string text_or(std::string_view key, std::string fallback);
  int64_t integer(std::string_view key, int64_t least, int64_t most);  // required
  uint32_t integer_or(std::string_view key, int64_t least, int64_t most, uint32_t fallback);
  bool flag_or(std::string_view key, bool fallback);
  // A number from 0 to most / 10^digits as so many 10^-digits, exactly; nothing when absent. Refuses more digits behind
  // the point.
  std::optional<uint64_t> decimal(std::string_view key, uint32_t digits, uint64_t most);
  double number_or(std::string_view key, double least, double most, double fallback);
  // Every item with its line; `required` refuses a missing or an empty list.
  std::vector<std::pair<std::string, int>> texts(std::string_view key, bool required);
  const ConfigValue* table(std::string_view key);                // nullptr when absent
  std::vector<const ConfigValue*> tables(std::string_view key);  // [[key]]; empty when absent

  void refuse_unknown();  // call last

 private:
  const ConfigValue* find(std::string_view key) const;
  const ConfigValue* take(std::string_view key, bool required);
  bool is(const ConfigValue& value, std::string_view key, ConfigValue::Kind kind);

  const ConfigValue& table_;
  std::string what_;
  FirstError& errors_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace souk::config
