// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/index/container.h"

namespace souk::index {

// Numbered strings in two sections: n + 1 offsets (u64, from 0, not descending) and the bytes.
class StringTable {
 public:
  enum class Order { kAny, kAscending };  // kAscending: strictly, by bytes

  static Result<StringTable> open(const Container& file, SectionId offsets, SectionId bytes, Order order);

  // 0 before open(), too.
  uint32_t size() const { return offsets_.empty() ? 0 : static_cast<uint32_t>(offsets_.size() - 1); }
  std::string_view operator[](uint32_t ordinal) const {
    return bytes_.substr(offsets_[ordinal], offsets_[ordinal + 1] - offsets_[ordinal]);
  }
  // Binary search within [begin, end), which must be ascending.
  std::optional<uint32_t> find(std::string_view text, uint32_t begin, uint32_t end) const;
  std::optional<uint32_t> find(std::string_view text) const { return find(text, 0, size()); }

 private:
  std::span<const uint64_t> offsets_;
  std::string_view bytes_;
};

class StringTableWriter {
 public:
  void add(std::string_view text) {
    bytes_ += text;
    offsets_.push_back(bytes_.size());
  }
  Status write(ContainerWriter& file, SectionId offsets, SectionId bytes) const;

 private:
  std::vector<uint64_t> offsets_{0};
  std::string bytes_;
};

}  // namespace souk::index
