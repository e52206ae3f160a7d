// SPDX-License-Identifier: Apache-2.0
#include "core/index/index_stats.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/index/posting_checks.h"

namespace souk::index {

namespace {

using Sections = std::span<const std::pair<SectionId, uint64_t>>;

// Sections are numbered by what they are for.
struct Range {
  uint32_t first, last;
  Part part;
};
constexpr Range kRanges[] = {{0x10, 0x1F, Part::kMainPostings}, {0x20, 0x2F, Part::kDescriptionPostings},
                             {0x30, 0x3F, Part::kParamLists},   {0x40, 0x41, Part::kKeys},
                             {0x4A, 0x4B, Part::kParams},       {0x4C, 0x4C, Part::kKeys},
                             {0x40, 0x4F, Part::kColumns},      {0x50, 0x5F, Part::kGroups},
                             {0x60, 0x6F, Part::kForward},      {0x70, 0x7F, Part::kColumns},
                             {0xE0, 0xEF, Part::kNames},        {0x80, 0x8F, Part::kLexicon},
                             {0x90, 0xCF, Part::kNames}};

uint64_t size_of(Sections sections, SectionId id) {
  const auto at = std::ranges::find(sections, id, &std::pair<SectionId, uint64_t>::first);
  return at == sections.end() ? 0 : at->second;
}

// What the header claims; whoever opens the file checks it.
bool says_dictionary(Bytes file) {
  constexpr size_t kKindAt = 12;
  uint32_t kind = 0;
  if (file.size() < kKindAt + sizeof(kind)) return false;
  std::memcpy(&kind, file.data() + kKindAt, sizeof(kind));
  return kind == static_cast<uint32_t>(FileKind::kDictionary);
}

void add(PostingStats::Form& form, uint64_t postings, uint64_t bytes) {
  ++form.count;
  form.postings += postings;
  form.bytes += bytes;
}

ShardFigures figures(const ShardIndex& shard) {
  const Sections sections = shard.section_bytes();
  return {.counts = shard.stats(),
          .main = posting_stats(shard.main(), kMainLists, sections),
          .description = posting_stats(shard.description(), kDescriptionLists, sections),
          .params = posting_stats(shard.param_lists(), kParamLists, sections),
          .words = shard.forward().words(),
          .param_values = shard.param_values().size()};
}

DictionaryFigures figures(const Dictionary& dictionary) {
  return {.counts = dictionary.stats(),
          .categories = dictionary.categories(),
          .vendors = dictionary.vendors(),
          .shops = dictionary.shops(),
          .params = dictionary.params(),
          .param_values = dictionary.param_values()};
}

}  // namespace

std::string_view name_of(Part part) {
  static constexpr std::array<std::string_view, kParts> kNames = {"main_postings", "description_postings",
                                                                  "param_lists",   "forward_index",
                                                                  "columns",       "params",
                                                                  "keys",          "groups",
                                                                  "lexicon",       "names",
                                                                  "other"};
  return kNames[static_cast<size_t>(part)];
}

Part part_of(SectionId id) {
  const auto number = static_cast<uint32_t>(id);
  for (const Range& range : kRanges) {
    if (number >= range.first && number <= range.last) return range.part;
  }
  return Part::kOther;
}

PartBytes bytes_by_part(Sections sections) {
  PartBytes bytes{};
  for (const auto& [id, size] : sections) bytes[static_cast<size_t>(part_of(id))] += size;
  return bytes;
}

PostingStats posting_stats(const PostingLists& lists, const PostingSections& sections, Sections section_bytes) {
  constexpr uint64_t kPerList = sizeof(uint32_t) + sizeof(TermEntry);
  PostingStats stats;
  stats.terms = lists.size();
  stats.postings = lists.postings();
  for (const SectionId id : {sections.terms, sections.entries, sections.chunks, sections.bytes})
    stats.bytes += size_of(section_bytes, id);
  const uint64_t weights = sections.weighted ? 2 : 0;  // impact and mask
  for (uint32_t list = 0; list < lists.size(); ++list) {
    const TermEntry& entry = lists.entry(list);
    if (lists.kind(list) == ListKind::kSingle) {
      add(stats.single_lists, 1, kPerList);
    } else if (lists.kind(list) == ListKind::kShort) {
      add(stats.short_lists, entry.df, kPerList + packed_bytes(entry.df, entry.gap_bits) + weights * entry.df);
    } else {
      uint64_t bytes = kPerList;
      for (const Chunk& chunk : lists.chunks(list)) {
        const uint32_t count = chunk.count_less_one + 1U;
        const ChunkLayout layout = chunk_layout(count, sections.weighted);
        add(layout.bitmap ? stats.bitmap_chunks : stats.array_chunks, count, sizeof(Chunk) + layout.size);
        bytes += sizeof(Chunk) + layout.size;
      }
      add(stats.chunked_lists, entry.df, bytes);
    }
  }
  return stats;
}

Result<FileStats> measure_file(Bytes file) {
  FileStats stats;
  stats.bytes = file.size();
  if (says_dictionary(file)) {
    const auto container = Container::open(file, FileKind::kDictionary);
    if (!container) return std::unexpected(container.error());
    const auto dictionary = Dictionary::open(file);
    if (!dictionary) return std::unexpected(dictionary.error());
    stats.sections = container->section_bytes();
    stats.dictionary = figures(*dictionary);
  } else {
    const auto shard = ShardIndex::open(file);
    if (!shard) return std::unexpected(shard.error());
    stats.sections = shard->section_bytes();
    stats.shard = figures(*shard);
  }
  stats.parts = bytes_by_part(stats.sections);
  stats.parts[static_cast<size_t>(Part::kOther)] +=
      file.size() - std::accumulate(stats.parts.begin(), stats.parts.end(), uint64_t{0});
  return stats;
}

}  // namespace souk::index
