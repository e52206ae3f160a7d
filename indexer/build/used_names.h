// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/index/dictionary_writer.h"

namespace souk::build {

// Distinct strings as they are written, counted.
class StringCounter {
 public:
  uint32_t add(std::string_view text);  // how many distinct ones came before it
  uint32_t size() const { return static_cast<uint32_t>(seen_.size()); }
  std::string_view text(uint32_t id) const { return *seen_[id].text; }
  uint64_t count(uint32_t id) const { return seen_[id].count; }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  struct Seen {
    const std::string* text;
    uint64_t count;
  };
  std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> ids_;
  std::vector<Seen> seen_;
};

// Vendors and params of the offers, by provisional ids: to fold and look up a name is dear, and there are few of them.
class UsedNames {
 public:
  uint32_t add_vendor(std::string_view name) { return vendors_.add(name); }
  uint32_t add_param(std::string_view name, std::string_view value);

  // Once, behind the last add: gives all of them to the dictionary and numbers it. Then the ordinals are known.
  void number(index::DictionaryWriter& dictionary);
  uint32_t vendor(uint32_t id) const { return vendor_ordinals_[id]; }
  uint32_t param_value(uint32_t id) const { return param_ordinals_[id]; }

 private:
  // The two halves of an entry of params_: the number of the name in names_, and the value.
  std::string_view param_name(std::string_view entry) const;
  static std::string_view param_text(std::string_view entry) { return entry.substr(sizeof(uint32_t)); }

  StringCounter vendors_, names_, params_;
  std::string entry_;
  std::vector<uint32_t> vendor_ordinals_, param_ordinals_;
};

}  // namespace souk::build
