// SPDX-License-Identifier: Apache-2.0
// The container that every file of a generation is: docs/index-format.md, ADR 0002.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/error.h"

namespace souk::index {

using Bytes = std::span<const std::byte>;

enum class FileKind : uint32_t { kShard = 1, kDictionary = 2 };

// What a section holds. Numbers are written into files: never renumber, never reuse.
enum class SectionId : uint32_t {
  kStats = 1,
  // Posting lists of the searched fields, and of the description alone.
  kMainTermOffsets = 0x10,
  kMainTermBytes = 0x11,
  kMainPostingOffsets = 0x12,
  kMainDocs = 0x13,
  kMainImpacts = 0x14,
  kMainMasks = 0x15,
  kDescriptionTermOffsets = 0x20,
  kDescriptionTermBytes = 0x21,
  kDescriptionPostingOffsets = 0x22,
  kDescriptionDocs = 0x23,
  kDescriptionImpacts = 0x24,
  kDescriptionMasks = 0x25,
  // Columns, one value per document.
  kKeys = 0x40,
  kVersions = 0x41,
  kGroups = 0x42,
  kCategories = 0x43,
  kVendors = 0x44,
  kShops = 0x45,
  kPrices = 0x46,
  kOldPrices = 0x47,
  kFirstSeen = 0x48,
  kInStock = 0x49,
  kParamOffsets = 0x4A,
  kParamValues = 0x4B,
  kKeyOrder = 0x4C,
  kLevelBegins = 0x4D,
  // Groups: the models (or single offers) of a shard by ascending key.
  kGroupKeys = 0x50,
  kGroupOffsets = 0x51,
  kGroupDocs = 0x52,
  // Dictionary.
  kLexiconOffsets = 0x80,
  kLexiconBytes = 0x81,
  kLexiconMainDf = 0x82,
  kLexiconAnyDf = 0x83,
  kCategoryKeys = 0x90,
  kCategoryParents = 0x91,
  kCategoryEnds = 0x92,
  kCategoryNameOffsets = 0x93,
  kCategoryNameBytes = 0x94,
  kVendorFoldedOffsets = 0xA0,
  kVendorFoldedBytes = 0xA1,
  kVendorNameOffsets = 0xA2,
  kVendorNameBytes = 0xA3,
  kShopKeys = 0xB0,
  kShopFoldedOffsets = 0xB1,
  kShopFoldedBytes = 0xB2,
  kShopNameOffsets = 0xB3,
  kShopNameBytes = 0xB4,
  kParamNameFoldedOffsets = 0xC0,
  kParamNameFoldedBytes = 0xC1,
  kParamNameOffsets = 0xC2,
  kParamNameBytes = 0xC3,
  kParamNameBegins = 0xC4,
  kParamValueFoldedOffsets = 0xC5,
  kParamValueFoldedBytes = 0xC6,
  kParamValueOffsets = 0xC7,
  kParamValueBytes = 0xC8,
  kMarket = 0xD0,
};
std::string_view name_of(SectionId id);

// How a section is coded; a reader refuses a coding it does not know. 1 = plain little-endian array.
enum class Coding : uint32_t { kPlain = 1 };

// A kCorruption that names the section.
inline std::unexpected<Error> corrupt(std::string message, SectionId section) {
  return fail(ErrorCode::kCorruption, std::move(message), std::string(name_of(section)));
}

// Appends bytes to where the file goes.
using Sink = std::function<Status(std::string_view)>;

// Writes a file front to back, so that a section need not be held in memory longer than it takes to hand it over.
class ContainerWriter {
 public:
  ContainerWriter(FileKind kind, Sink sink);
  Status add(SectionId id, Coding coding, Bytes bytes);
  template <typename T>
  Status add(SectionId id, const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return add(id, Coding::kPlain, std::as_bytes(std::span(values)));
  }
  Status finish();  // table and trailer

 private:
  struct Entry {
    uint32_t id;
    uint32_t coding;
    uint64_t offset;
    uint64_t size;
    uint64_t checksum;
  };
  Status write(std::string_view bytes);
  Status pad();

  FileKind kind_;
  Sink sink_;
  uint64_t offset_ = 0;
  Status status_;  // the first failure sticks
  std::vector<Entry> entries_;
};

// A whole file in memory, checked: magic, version, kind, table, bounds, order, every checksum. Holds views into the
// bytes, which must outlive it and be 8-aligned. Errors are kCorruption and name the section.
class Container {
 public:
  static Result<Container> open(Bytes file, FileKind kind);

  // The elements of a plain section; refuses a missing one, another coding, and a size that is no multiple of T.
  template <typename T>
  Result<std::span<const T>> array(SectionId id) const {
    static_assert(std::is_trivially_copyable_v<T>);
    auto bytes = section(id);
    if (!bytes) return std::unexpected(bytes.error());
    if (bytes->size() % sizeof(T) != 0) {
      return fail(ErrorCode::kCorruption, "the section's size is no multiple of its elements'",
                  std::string(name_of(id)));
    }
    return std::span<const T>(reinterpret_cast<const T*>(bytes->data()), bytes->size() / sizeof(T));
  }
  // The same into `out`; refuses another number of elements than `size`.
  template <typename T>
  Status read(SectionId id, uint64_t size, std::span<const T>& out) const {
    auto values = array<T>(id);
    if (!values) return std::unexpected(values.error());
    if (values->size() != size) return corrupt("the section has another number of elements than it must", id);
    out = *values;
    return {};
  }
  Result<Bytes> section(SectionId id) const;

 private:
  struct Section {
    SectionId id;
    Coding coding;
    Bytes bytes;
  };
  std::vector<Section> sections_;
};

}  // namespace souk::index
