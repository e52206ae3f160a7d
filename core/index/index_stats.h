// SPDX-License-Identifier: Apache-2.0
// What the bytes of a generation's files are for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/index/container.h"
#include "core/index/dictionary.h"
#include "core/index/shard_index.h"

namespace souk::index {

// The purposes of sections.
enum class Part : uint8_t {
  kMainPostings,
  kDescriptionPostings,
  kParamLists,
  kForward,
  kColumns,
  kParams,  // the column of params, whose size depends on the goods
  kKeys,    // with versions and the order by key
  kGroups,
  kLexicon,
  kNames,  // of categories, vendors, shops and params
  kOther,
};
inline constexpr size_t kParts = 11;
std::string_view name_of(Part part);  // "main_postings"
Part part_of(SectionId id);           // kOther for one that is not known here

using PartBytes = std::array<uint64_t, kParts>;
PartBytes bytes_by_part(std::span<const std::pair<SectionId, uint64_t>> sections);
inline uint64_t bytes_of(const PartBytes& bytes, Part part) {
  return bytes[static_cast<size_t>(part)];
}

// One set of lists.
struct PostingStats {
  struct Form {
    uint64_t count = 0;  // lists, or chunks
    uint64_t postings = 0;
    uint64_t bytes = 0;  // with the term's ordinal and entry, and the chunks' directory
  };
  uint64_t terms = 0;
  uint64_t postings = 0;
  uint64_t bytes = 0;  // of the four sections: those below and what lies between the lists
  Form single_lists, short_lists, chunked_lists;
  Form array_chunks, bitmap_chunks;  // of the chunked lists, without their ordinals and entries
};
PostingStats posting_stats(const PostingLists& lists, const PostingSections& sections,
                           std::span<const std::pair<SectionId, uint64_t>> section_bytes);

struct ShardFigures {
  ShardStats counts{};
  PostingStats main, description, params;
  uint64_t words = 0;         // of the forward index, with its breaks
  uint64_t param_values = 0;  // of all documents
};

struct DictionaryFigures {
  DictionaryStats counts{};
  uint64_t categories = 0, vendors = 0, shops = 0, params = 0, param_values = 0;
};

struct FileStats {
  uint64_t bytes = 0;                                    // of the file
  std::vector<std::pair<SectionId, uint64_t>> sections;  // in their order
  PartBytes parts{};                                     // they sum up to the file: kOther has header, table and gaps
  std::optional<ShardFigures> shard;                     // one of the two
  std::optional<DictionaryFigures> dictionary;
};

// Opens a shard file or a dictionary, as a node would, and counts. The bytes must be 8-aligned.
Result<FileStats> measure_file(Bytes file);

}  // namespace souk::index
