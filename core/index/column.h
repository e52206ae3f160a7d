// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "core/index/container.h"
#include "core/index/fields.h"

namespace souk::index {

// A column of unsigned numbers in the fewest of 1, 2, 4 or 8 bytes that hold them all (Coding::kNarrow). Reading is one
// load and one mask, without a branch: it may load up to 7 bytes behind the column, which a container's table always
// provides.
class Column {
 public:
  Column() = default;
  // kCorruption when the size is not rows x 1, 2, 4 or 8.
  static Result<Column> open(const Container& file, SectionId id, uint64_t rows);

  uint64_t operator[](uint64_t row) const {
    uint64_t value;
    std::memcpy(&value, data_ + row * width_, sizeof(value));
    return value & mask_;
  }
  uint64_t size() const { return rows_; }
  uint32_t width() const { return width_; }
  uint64_t bytes() const { return rows_ * width_; }
  const std::byte* row(uint64_t row) const { return data_ + row * width_; }  // to prefetch

 private:
  const std::byte* data_ = nullptr;
  uint64_t rows_ = 0;
  uint32_t width_ = 1;
  uint64_t mask_ = 0xFF;
};

// A column of ordinals, where all ones (of its width) mean "none".
class OrdinalColumn {
 public:
  static Result<OrdinalColumn> open(const Container& file, SectionId id, uint64_t rows);
  uint32_t operator[](uint64_t row) const {
    const uint64_t value = column_[row];
    return value == none_ ? kNoOrdinal : static_cast<uint32_t>(value);
  }
  // out[i] = what row rows[i] has, or `none`. Nothing in it waits for anything else, and each row takes few
  // instructions, so that many of the loads are under way at once.
  void gather(std::span<const uint32_t> rows, uint32_t none, uint32_t* out) const;
  uint64_t size() const { return column_.size(); }
  const Column& raw() const { return column_; }

 private:
  Column column_;
  uint64_t none_ = 0xFF;
};

// The fewest bytes that hold every value; ordinals keep all ones free for "none".
Status write_column(ContainerWriter& file, SectionId id, std::span<const uint64_t> values);
Status write_ordinals(ContainerWriter& file, SectionId id, std::span<const uint32_t> values);

}  // namespace souk::index
