// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/index/posting_lists.h"
#include "core/query/scratch.h"

namespace souk::query {

inline constexpr uint32_t kNoChunk = 0xFFFFFFFF;

// Walks forward over the chunks of one posting list; a short list is unpacked first and then looks the same.
class ListCursor {
 public:
  // weight multiplies impacts; `scored` = false hides them. The scratch must outlive the cursor, within one query.
  ListCursor(const index::PostingLists& lists, uint32_t list, uint32_t weight, bool scored, Scratch& scratch);

  // Key of the first chunk that is not before `key`; kNoChunk at the end. Never goes back.
  uint32_t seek(uint32_t key);
  // The chunk that seek() found. Valid while the scratch is.
  const index::ChunkView& view() const { return view_; }

  uint32_t weight() const { return weight_; }
  uint32_t postings() const { return postings_; }
  uint32_t max_score() const { return max_score_; }
  uint32_t chunk_max_score() const { return view_.max_impact * weight_; }

 private:
  void load();

  const index::PostingLists* lists_;
  Scratch* scratch_;
  std::span<const index::Chunk> chunks_;  // of a chunked list
  uint32_t first_view_ = 0;               // of a short one
  uint32_t size_ = 0;
  uint32_t at_ = 0;
  uint32_t weight_;
  uint32_t postings_;
  uint32_t max_score_;
  bool scored_;
  index::ChunkView view_;
};

// An array chunk that is looked through faster than searched.
inline constexpr uint32_t kFewPostings = 64;

// Where the batch's documents stand in a chunk of theirs: into scratch.places.
inline void locate(const index::ChunkView& view, const Batch& batch, const Kernels& kernels, Scratch& scratch) {
  if (view.bits != nullptr) {
    kernels.locate_in_bits(batch.docs.data(), batch.count, view.bits, view.ranks, scratch.places.data());
  } else if (view.starts != nullptr) {
    kernels.locate_in_buckets(batch.docs.data(), batch.count, view.docs, view.starts, index::bucket_bits(view.count),
                              scratch.places.data());
  } else if (view.count <= kFewPostings) {
    const uint16_t starts[2] = {0, static_cast<uint16_t>(view.count)};
    kernels.locate_in_buckets(batch.docs.data(), batch.count, view.docs, starts, index::kChunkBits,
                              scratch.places.data());
  } else {
    kernels.locate_in_array(batch.docs.data(), batch.count, view.docs, view.count, scratch.places.data());
  }
}

// A document's posting in a list; impact and mask are 0 when it is not there.
struct FoundPosting {
  uint32_t impact = 0;
  uint32_t mask = 0;
};
FoundPosting find_posting(const index::PostingLists& lists, uint32_t list, uint32_t doc, const Kernels& kernels);

}  // namespace souk::query
