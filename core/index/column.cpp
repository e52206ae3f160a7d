// SPDX-License-Identifier: Apache-2.0
#include "core/index/column.h"

#include <bit>

namespace souk::index {

namespace {

// Rows that are narrowed before they are handed over.
constexpr size_t kRowsAtOnce = 8192;

uint32_t width_of(uint64_t most) {
  const auto bits = static_cast<uint32_t>(std::bit_width(most));
  return std::max(1U, std::bit_ceil((bits + 7) / 8));
}

template <typename T>
Status write_narrow(ContainerWriter& file, SectionId id, std::span<const T> values, uint32_t width) {
  Status done = file.begin(id, Coding::kNarrow);
  std::vector<std::byte> bytes;
  for (size_t at = 0; at < values.size() && done; at += kRowsAtOnce) {
    const auto rows = values.subspan(at, std::min(kRowsAtOnce, values.size() - at));
    bytes.resize(rows.size() * width);
    for (size_t i = 0; i < rows.size(); ++i) std::memcpy(bytes.data() + i * width, &rows[i], width);
    done = file.append(bytes);
  }
  return done ? file.end() : done;
}

template <typename T>
void gather_narrow(const std::byte* column, std::span<const uint32_t> rows, uint32_t none, uint32_t* out) {
  for (size_t i = 0; i < rows.size(); ++i) {
    T value;
    std::memcpy(&value, column + size_t{rows[i]} * sizeof(T), sizeof(T));
    out[i] = value == static_cast<T>(~T{0}) ? none : value;
  }
}

}  // namespace

Result<Column> Column::open(const Container& file, SectionId id, uint64_t rows) {
  const auto bytes = file.section(id, Coding::kNarrow);
  if (!bytes) return std::unexpected(bytes.error());
  Column column;
  column.data_ = bytes->data();
  column.rows_ = rows;
  if (rows == 0) {
    if (!bytes->empty()) return corrupt("the column has rows where there must be none", id);
    return column;
  }
  const uint64_t width = bytes->size() / rows;
  if (bytes->size() % rows != 0 || width > sizeof(uint64_t) || !std::has_single_bit(width)) {
    return corrupt("the column has another number of rows than it must", id);
  }
  column.width_ = static_cast<uint32_t>(width);
  column.mask_ = ~uint64_t{0} >> (64 - 8 * width);
  return column;
}

Result<OrdinalColumn> OrdinalColumn::open(const Container& file, SectionId id, uint64_t rows) {
  auto raw = Column::open(file, id, rows);
  if (!raw) return std::unexpected(raw.error());
  if (raw->width() > sizeof(uint32_t)) return corrupt("ordinals are wider than 4 bytes", id);
  OrdinalColumn column;
  column.column_ = *raw;
  column.none_ = ~uint64_t{0} >> (64 - 8 * raw->width());
  return column;
}

void OrdinalColumn::gather(std::span<const uint32_t> rows, uint32_t none, uint32_t* out) const {
  switch (column_.width()) {
    case 1:
      return gather_narrow<uint8_t>(column_.row(0), rows, none, out);
    case 2:
      return gather_narrow<uint16_t>(column_.row(0), rows, none, out);
    default:
      return gather_narrow<uint32_t>(column_.row(0), rows, none, out);
  }
}

Status write_column(ContainerWriter& file, SectionId id, std::span<const uint64_t> values) {
  const uint64_t most = values.empty() ? 0 : *std::ranges::max_element(values);
  return write_narrow(file, id, values, width_of(most));
}

Status write_ordinals(ContainerWriter& file, SectionId id, std::span<const uint32_t> values) {
  uint32_t most = 0;
  for (const uint32_t value : values) {
    if (value != kNoOrdinal) most = std::max(most, value);
  }
  // One more than the greatest: all ones are taken. "None" has ones in its low bytes, whatever the width.
  return write_narrow(file, id, values, width_of(uint64_t{most} + 1));
}

}  // namespace souk::index
