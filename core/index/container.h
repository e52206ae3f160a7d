// SPDX-License-Identifier: Apache-2.0
// The container that every file of a generation is: docs/index-format.md, ADR 0002.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/hash.h"

namespace souk::index {

using Bytes = std::span<const std::byte>;

enum class FileKind : uint32_t { kShard = 1, kDictionary = 2 };

// What a section holds. Numbers are written into files: never renumber, never reuse.
enum class SectionId : uint32_t {
  kStats = 1,
  // 0x10 to 0x15 and 0x20 to 0x25 were the plain posting lists of format level 1.
  kMainTerms = 0x16,
  kMainEntries = 0x17,
  kMainChunks = 0x18,
  kMainBytes = 0x19,
  kDescriptionTerms = 0x26,
  kDescriptionEntries = 0x27,
  kDescriptionChunks = 0x28,
  kDescriptionBytes = 0x29,
  kParamListTerms = 0x36,
  kParamListEntries = 0x37,
  kParamListChunks = 0x38,
  kParamListBytes = 0x39,
  kCategoryListTerms = 0x3A,
  kCategoryListEntries = 0x3B,
  kCategoryListChunks = 0x3C,
  kCategoryListBytes = 0x3D,
  kVendorListTerms = 0x32,
  kVendorListEntries = 0x33,
  kVendorListChunks = 0x34,
  kVendorListBytes = 0x35,
  // Columns, one value per document.
  kKeys = 0x40,
  kVersions = 0x41,
  // 0x42 was the number of a document's group: it follows from where groups begin.
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
  kFlags = 0x4E,  // only where some differ from the default
  // Groups: the models (or single offers) of a shard in document order.
  kGroupKeys = 0x50,
  // 0x51 and 0x52 were lists of documents: they are neighbours now.
  kGroupBegins = 0x53,
  // Words of each document in their order.
  kForwardOffsets = 0x60,
  kForwardTerms = 0x61,
  // Offers with prices in another currency than the base one; only where there are some.
  kForeignDocs = 0x70,
  kForeignCurrencies = 0x71,
  kForeignPrices = 0x72,
  kForeignOldPrices = 0x73,
  // Dictionary.
  // 0x80 and 0x81 were plain strings.
  kLexiconBlocks = 0x84,
  kLexiconBytes = 0x85,
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
  // Regions, only where the market has some.
  kRegionNameOffsets = 0xE0,
  kRegionNameBytes = 0xE1,
  kRegionParents = 0xE2,
  kShopRegionBegins = 0xE3,
  kShopRegions = 0xE4,
};
std::string_view name_of(SectionId id);

// How a section is coded; a reader refuses a coding it does not know.
enum class Coding : uint32_t {
  kPlain = 1,   // little-endian array
  kNarrow = 2,  // numbers in 1, 2, 4 or 8 bytes each: column.h
  kLists = 3,   // bytes that a directory in another section points into
};

// A kCorruption that names the section.
inline std::unexpected<Error> corrupt(std::string message, SectionId section) {
  return fail(ErrorCode::kCorruption, std::move(message), std::string(name_of(section)));
}

bool is_zero(Bytes bytes);

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
  // A section whose bytes come in pieces: begin, append as often as wanted, end.
  Status begin(SectionId id, Coding coding);
  Status append(Bytes bytes);
  Status end();
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
  Xxh3 checksum_;  // of the section that is open
  bool open_ = false;
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
  bool has(SectionId id) const {
    return std::ranges::any_of(sections_, [id](const Section& section) { return section.id == id; });
  }
  // A section's bytes; refuses a missing one and another coding.
  Result<Bytes> section(SectionId id, Coding coding = Coding::kPlain) const;
  // Every section with its size, in the order of the file; also those whose id is not known here.
  std::vector<std::pair<SectionId, uint64_t>> section_bytes() const;

 private:
  struct Section {
    SectionId id;
    Coding coding;
    Bytes bytes;
  };
  std::vector<Section> sections_;
};

}  // namespace souk::index
