// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/index/posting_lists.h"
#include "core/query/kernels.h"

namespace souk::query {

// Documents that the engine looks at together: of one chunk, ascending, at most a window's worth.
inline constexpr uint32_t kMostInBatch = index::kWindowDocuments;

struct Batch {
  uint32_t count = 0;
  std::array<uint32_t, kMostInBatch + kKernelPad> docs;
  std::array<uint32_t, kMostInBatch + kKernelPad> scores;
  std::array<uint32_t, kMostInBatch> masks;  // slots that matched, where the query asks for them

  // Keeps the documents for whose place keep() holds, in place and without a branch for each.
  template <typename Keep>
  void keep_if(bool with_masks, Keep keep) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const bool keeps = keep(i);
      docs[kept] = docs[i];
      scores[kept] = scores[i];
      if (with_masks) masks[kept] = masks[i];
      kept += keeps ? 1 : 0;
    }
    count = kept;
  }
};

// What counts one value of a facet.
struct FacetCell {
  uint32_t own = 0;  // offers with this very value
  uint32_t sum = 0;  // categories: models all of whose offers have this very one; at the end all offers with one below
  uint32_t models = 0;
  uint32_t last_group = 0;  // + 1; 0 = none yet
};

// Where short lists are unpacked to: blocks that stay where they are, and stay for the next query.
class UnpackedDocs {
 public:
  uint16_t* take(size_t size) {  // at most kBlock
    if (used_ + size > kBlock) {
      ++block_;
      used_ = 0;
    }
    if (block_ == blocks_.size()) blocks_.push_back(std::make_unique_for_overwrite<uint16_t[]>(kBlock));
    used_ += size;
    return blocks_[block_].get() + used_ - size;
  }
  void clear() { block_ = used_ = 0; }

 private:
  static constexpr size_t kBlock = 1 << 15;
  std::vector<std::unique_ptr<uint16_t[]>> blocks_;
  size_t block_ = 0;
  size_t used_ = 0;
};

// Working memory of one query at a time, kept from query to query so that none is allocated on the way. About 250 KiB,
// 16 bytes per value of the most facets that were ever counted together, and what short lists were unpacked to.
struct Scratch {
  Batch batch;
  std::array<uint32_t, kMostInBatch> places;                // of the batch's documents in a list
  std::array<uint32_t, kMostInBatch> best;                  // score of a slot of several lists
  std::array<uint64_t, kMostInBatch> failed;                // filters that the batch's documents fail
  std::array<uint32_t, kMostInBatch> groups;                // of the batch's documents
  std::array<int64_t, kMostInBatch> prices;                 // likewise
  std::array<bool, kMostInBatch> in_stock;                  // likewise
  std::array<uint32_t, kMostInBatch> values, value_groups;  // of those that a facet counts
  // A window's sums, and which documents it has; all zero between windows.
  alignas(64) std::array<uint32_t, index::kWindowDocuments> sums{};
  std::array<uint32_t, index::kWindowDocuments> slot_best{};
  std::array<uint32_t, index::kWindowDocuments> slots_seen{};
  std::array<uint64_t, index::kWindowDocuments / 64> hit{};
  std::array<uint64_t, index::kWindowDocuments / 64> slot_hit{};
  std::array<uint16_t, index::kWindowDocuments + 1> summed;  // documents of a sparse window with a sum
  // Short lists, unpacked.
  UnpackedDocs short_docs;
  std::vector<index::ChunkView> short_views;
  // Of all facets, one behind the other; all zero between queries. And which of each facet's are not.
  std::vector<FacetCell> facet_cells;
  std::vector<uint32_t> facet_touched;
  std::vector<uint64_t> facet_bits;  // to put them in order; all zero between two facets

  void begin_query() {
    constexpr size_t kMostKept = 1 << 16;
    short_docs.clear();
    short_views.clear();
    if (short_views.capacity() > kMostKept) short_views = {};  // what a rare query took is given back
  }
};

}  // namespace souk::query
