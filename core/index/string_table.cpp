// SPDX-License-Identifier: Apache-2.0
#include "core/index/string_table.h"

namespace souk::index {

Result<StringTable> StringTable::open(const Container& file, SectionId offsets, SectionId bytes, Order order) {
  const auto corrupt = [&](std::string message) {
    return fail(ErrorCode::kCorruption, std::move(message), std::string(name_of(offsets)));
  };
  auto offset_array = file.array<uint64_t>(offsets);
  if (!offset_array) return std::unexpected(offset_array.error());
  auto text = file.section(bytes);
  if (!text) return std::unexpected(text.error());

  StringTable table;
  table.offsets_ = *offset_array;
  table.bytes_ = {reinterpret_cast<const char*>(text->data()), text->size()};
  if (table.offsets_.empty() || table.offsets_.size() > (uint64_t{1} << 32) || table.offsets_.front() != 0 ||
      table.offsets_.back() != table.bytes_.size()) {
    return corrupt("the offsets do not span the strings");
  }
  for (size_t i = 1; i < table.offsets_.size(); ++i) {
    if (table.offsets_[i] < table.offsets_[i - 1] || table.offsets_[i] > table.bytes_.size())
      return corrupt("the offsets descend");
  }
  if (order == Order::kAscending) {
    for (uint32_t i = 1; i < table.size(); ++i) {
      if (table[i] <= table[i - 1]) return corrupt("the strings are not in ascending order");
    }
  }
  return table;
}

std::optional<uint32_t> StringTable::find(std::string_view text, uint32_t begin, uint32_t end) const {
  const uint32_t limit = end;
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if ((*this)[middle] < text) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  if (begin < limit && (*this)[begin] == text) return begin;
  return std::nullopt;
}

Status StringTableWriter::write(ContainerWriter& file, SectionId offsets, SectionId bytes) const {
  if (Status done = file.add(offsets, offsets_); !done) return done;
  return file.add(bytes, Coding::kPlain, std::as_bytes(std::span(bytes_)));
}

}  // namespace souk::index
