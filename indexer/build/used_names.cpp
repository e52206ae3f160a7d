// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/used_names.h"

#include <cstring>

namespace souk::build {

uint32_t StringCounter::add(std::string_view text) {
  auto known = ids_.find(text);
  if (known == ids_.end()) {
    known = ids_.emplace(text, size()).first;
    seen_.push_back({&known->first, 0});
  }
  ++seen_[known->second].count;
  return known->second;
}

uint32_t UsedNames::add_param(std::string_view name, std::string_view value) {
  const uint32_t id = names_.add(name);
  entry_.resize(sizeof(id));
  std::memcpy(entry_.data(), &id, sizeof(id));
  entry_ += value;
  return params_.add(entry_);
}

std::string_view UsedNames::param_name(std::string_view entry) const {
  uint32_t id;
  std::memcpy(&id, entry.data(), sizeof(id));
  return names_.text(id);
}

void UsedNames::number(index::DictionaryWriter& dictionary) {
  for (uint32_t i = 0; i < vendors_.size(); ++i) dictionary.add_vendor(vendors_.text(i), vendors_.count(i));
  for (uint32_t i = 0; i < params_.size(); ++i) {
    const std::string_view entry = params_.text(i);
    dictionary.add_param(param_name(entry), param_text(entry), params_.count(i));
  }
  dictionary.number();
  for (uint32_t i = 0; i < vendors_.size(); ++i) vendor_ordinals_.push_back(dictionary.vendor(vendors_.text(i)));
  for (uint32_t i = 0; i < params_.size(); ++i) {
    const std::string_view entry = params_.text(i);
    param_ordinals_.push_back(dictionary.param_value(param_name(entry), param_text(entry)));
  }
  vendors_ = {};
  names_ = {};
  params_ = {};
}

}  // namespace souk::build
