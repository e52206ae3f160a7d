// SPDX-License-Identifier: Apache-2.0
// Files taken apart and put together again, with right checksums around wrong content.
#pragma once

#include <cstring>
#include <map>
#include <vector>

#include "core/index/container.h"
#include "tests/unit/core/world.h"

namespace souk::test {

class Sections {
 public:
  // file must open.
  Sections(index::Bytes file, index::FileKind kind);

  template <typename T>
  std::vector<T> get(index::SectionId id) const {
    const FileBytes& bytes = all_.at(id);
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
  }
  template <typename T>
  void set(index::SectionId id, const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    all_[id] = FileBytes(bytes.begin(), bytes.end());
  }
  // The numbers of a narrow column of so many rows. set() takes them in any of its widths.
  std::vector<uint64_t> column(index::SectionId id, size_t rows) const;
  void erase(index::SectionId id) { all_.erase(id); }
  std::map<index::SectionId, FileBytes>& all() { return all_; }

  FileBytes build() const;

 private:
  index::FileKind kind_;
  std::map<index::SectionId, FileBytes> all_;
  std::map<index::SectionId, index::Coding> codings_;
};

}  // namespace souk::test
