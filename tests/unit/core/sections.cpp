// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/sections.h"

namespace souk::test {

Sections::Sections(index::Bytes file, index::FileKind kind) : kind_(kind) {
  const auto container = index::Container::open(file, kind);
  SOUK_CHECK(container.has_value());
  constexpr uint32_t kHighest = 0xFF;
  for (uint32_t id = 0; id <= kHighest; ++id) {
    const auto section = container->section(static_cast<index::SectionId>(id));
    if (section) all_[static_cast<index::SectionId>(id)] = FileBytes(section->begin(), section->end());
  }
}

FileBytes Sections::build() const {
  FileBytes file;
  index::ContainerWriter writer(kind_, into(file));
  for (const auto& [id, bytes] : all_) SOUK_CHECK(writer.add(id, index::Coding::kPlain, bytes).has_value());
  SOUK_CHECK(writer.finish().has_value());
  return file;
}

}  // namespace souk::test
