// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "core/query/kernels.h"
#include "core/query/plan.h"
#include "core/query/search.h"

namespace souk::query {

// The documents of several lists in one chunk, window by window: their scores are summed up over the groups (within a
// group the greatest counts) and noted which groups they are of, where the plan asks for that.
class WindowUnion {
 public:
  using Groups = std::span<ListGroup* const>;

  WindowUnion(const Plan& plan, const Kernels& kernels, Scratch& scratch)
      : plan_(plan), kernels_(kernels), scratch_(scratch) {}

  // base: the chunk's first document. Windows are then asked for in their order.
  void begin_chunk(Groups groups, uint32_t base);
  // The greatest sum that a document of the window can have; kNotFound when it has no postings.
  uint32_t bound(uint32_t window);
  // Into the scratch's batch: the window's documents, but for those that stay below `needed`, if they are told apart
  // cheaply.
  void take(uint32_t window, uint32_t needed);

 private:
  bool is_sparse() const;
  void add_sparse(const ListCursor& cursor, uint32_t window, uint32_t place, uint32_t needed);
  void end_sparse();
  void add_group(const ListGroup& group, uint32_t window, uint32_t first_place, bool sums_only);
  void add_list(const ListCursor& cursor, uint32_t window, uint32_t place, std::span<uint32_t> sums,
                std::span<uint64_t> hit, uint32_t bit);
  void merge_slot(uint32_t bit, bool sums_only);
  void take_hits(uint32_t first);

  const Plan& plan_;
  const Kernels& kernels_;
  Scratch& scratch_;
  Groups groups_;
  uint32_t base_ = 0;
  bool sparse_ = false;
  uint32_t summed_ = 0;                                                       // entries of Scratch::summed
  std::array<uint32_t, std::max(kMaxFilterValues, 2 * kMaxTerms)> walked_{};  // how far each list is
};

}  // namespace souk::query
