// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/sections.h"

namespace souk::test {

Sections::Sections(index::Bytes file, index::FileKind kind) : kind_(kind) {
  const auto container = index::Container::open(file, kind);
  SOUK_CHECK(container.has_value());
  for (const auto& [id, size] : container->section_bytes()) {
    for (const index::Coding coding : {index::Coding::kPlain, index::Coding::kNarrow, index::Coding::kLists}) {
      const auto section = container->section(id, coding);
      if (!section) continue;
      all_[id] = FileBytes(section->begin(), section->end());
      codings_[id] = coding;
    }
  }
}

std::vector<uint64_t> Sections::column(index::SectionId id, size_t rows) const {
  const FileBytes& bytes = all_.at(id);
  const size_t width = bytes.size() / rows;
  std::vector<uint64_t> values(rows);
  for (size_t i = 0; i < rows; ++i) std::memcpy(&values[i], bytes.data() + i * width, width);
  return values;
}

FileBytes Sections::build() const {
  FileBytes file;
  index::ContainerWriter writer(kind_, into(file));
  for (const auto& [id, bytes] : all_) SOUK_CHECK(writer.add(id, codings_.at(id), bytes).has_value());
  SOUK_CHECK(writer.finish().has_value());
  return file;
}

}  // namespace souk::test
