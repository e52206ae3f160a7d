// SPDX-License-Identifier: Apache-2.0
// How the bytes of posting lists are laid out, and what a reader refuses. Private to core/index.
#pragma once

#include <cstdint>
#include <span>

#include "core/index/posting_lists.h"

namespace souk::index {

// Where the parts of a chunk's bytes begin, from its own beginning.
struct ChunkLayout {
  bool bitmap;
  uint64_t ranks, maxima, impacts, masks, size;  // an array's ranks are its buckets' starts
};

// Buckets of an array chunk; 0 when it does without.
constexpr uint32_t buckets(uint32_t count) {
  const uint32_t bits = bucket_bits(count);
  return bits == kChunkBits ? 0 : kChunkDocuments >> bits;
}

constexpr ChunkLayout chunk_layout(uint32_t count, bool weighted) {
  ChunkLayout layout{};
  layout.bitmap = count > kMostInArray;
  layout.ranks = layout.bitmap ? kBitmapWords * sizeof(uint64_t) : count * sizeof(uint16_t);
  const uint32_t starts = buckets(count) == 0 ? 0 : buckets(count) + 1;
  layout.maxima = layout.ranks + (layout.bitmap ? kChunkDocuments / kRankBits : starts) * sizeof(uint16_t);
  layout.impacts = layout.masks = layout.size = layout.maxima;
  if (!weighted) return layout;
  if (layout.bitmap) {
    layout.impacts += kChunkDocuments / kWindowDocuments;
  } else if (count > kBlockPostings) {
    layout.impacts += (count + kBlockPostings - 1) / kBlockPostings;
  }
  layout.masks = layout.impacts + count;
  layout.size = layout.masks + count;
  return layout;
}

constexpr uint64_t chunk_alignment(bool bitmap) {
  return bitmap ? 8 : 2;
}

constexpr uint64_t packed_bytes(uint32_t df, uint32_t gap_bits) {
  return (uint64_t{df} * gap_bits + 7) / 8;
}

// Checks lists one behind the other, so that each byte belongs to exactly one of them. Nothing is read before its
// bounds are known to be right. What is checked per posting is gathered without branches and judged once per chunk or
// list.
class PostingChecker {
 public:
  struct Bounds {
    uint32_t documents;
    uint8_t allowed_mask;
  };
  PostingChecker(const PostingSections& sections, Bounds bounds, std::span<const Chunk> chunks, Bytes bytes)
      : sections_(sections), bounds_(bounds), chunks_(chunks), bytes_(bytes) {}

  // The number of postings. `entries` are all there are, in their order.
  Result<uint64_t> check(std::span<const TermEntry> entries);

 private:
  Status check_single(const TermEntry& entry) const;
  Status check_short(const TermEntry& entry);
  Status check_chunked(const TermEntry& entry);
  Status check_chunk(const Chunk& chunk);
  Status check_array(const Chunk& chunk, const std::byte* at) const;
  Status check_bitmap(const Chunk& chunk, const std::byte* at) const;
  // Takes the next `size` bytes, which must begin at `at`, the first multiple of `alignment` from where the last ones
  // ended.
  const std::byte* take(uint64_t at, uint64_t alignment, uint64_t size);
  // Whether `count` impacts and masks are right; the impacts' maximum into `most`.
  bool right_impacts(const uint8_t* impacts, uint32_t count, uint8_t& most) const;
  bool right_masks(const uint8_t* masks, uint32_t count) const;

  PostingSections sections_;
  Bounds bounds_;
  std::span<const Chunk> chunks_;
  Bytes bytes_;
  uint64_t end_ = 0;         // of the bytes that were taken
  uint64_t next_chunk_ = 0;  // of the directory
};

}  // namespace souk::index
