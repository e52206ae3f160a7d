// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/query/collector.h"
#include "core/query/plan.h"
#include "core/query/search.h"
#include "core/query/window_union.h"

namespace souk::query {

// Finds the documents of a plan, chunk by chunk, and hands them on in batches.
//
// One algorithm for AND, OR and everything between: in a chunk some of the slots are essential, that is, every document
// that can be a hit is in one of their lists. That holds when the others are fewer than the slots a document must match
// (so for AND the rarest slot alone is essential: an intersection), or when the greatest scores of the others do not
// reach what the worst hit so far has (MaxScore: Turtle, Flood, "Query evaluation: strategies and optimizations", 1995;
// here with the chunk's own maxima). The essential lists, or a filter's list, or the documents themselves, whichever is
// the least work, give the candidates; the other lists are looked up for them, and candidates that cannot make it any
// more are dropped on the way.
class Matcher {
 public:
  Matcher(Plan& plan, const BatchFilters& filters, Collector& collector, const Kernels& kernels, Scratch& scratch,
          const Stop& stop);

  Status run();  // kDeadlineExceeded

 private:
  using Groups = WindowUnion::Groups;

  uint32_t next_chunk(uint32_t from);
  uint32_t seek(ListGroup& group, uint32_t key);
  void measure(ListGroup& group);
  void match_chunk(uint32_t key);
  uint32_t choose_essential(uint32_t least, uint64_t& cost);
  bool nothing_better_behind(uint32_t key) const;

  // Give candidates; `from` is the first of present_ that is still to be looked up for them.
  void walk_documents();
  void walk_groups(Groups groups, uint32_t from);
  void walk_array(const ListCursor& cursor, uint32_t bit, uint32_t from);
  void walk_bits(const ListCursor& cursor, uint32_t bit, uint32_t from);
  bool intersect_bits(uint32_t window);
  void walk_union(Groups groups, uint32_t from);

  void finish(uint32_t from);
  void look_up_slots(uint32_t from);
  void look_up(const ListGroup& group, bool required);
  void look_up_list(const ListCursor& cursor, uint32_t bit, bool required);
  void look_up_lists(const ListGroup& group, bool required);
  void keep_least(uint32_t least);
  void keep_matching(uint32_t still_possible);
  void keep_in_range();
  void start_masks(uint32_t bit);
  uint32_t rest_score(uint32_t from) const;
  bool out_of_time(uint64_t work);

  Plan& plan_;
  const BatchFilters& filters_;
  Collector& collector_;
  const Kernels& kernels_;
  Scratch& scratch_;
  Batch& batch_;
  WindowUnion union_;
  const Stop& stop_;
  bool filters_first_;
  bool late_ = false;
  uint64_t work_ = 0;  // since the last look at the clock

  // Of the chunk at hand.
  uint32_t base_ = 0;                   // its first document
  uint32_t begin_ = 0, end_ = 0;        // its documents that come into question
  const ListGroup* leading_ = nullptr;  // the filter whose lists give the candidates
  uint32_t present_count_ = 0;
  std::array<ListGroup*, kMaxSlots> present_{};                 // slots with postings here, the essential ones first
  std::array<uint64_t, index::kWindowDocuments / 64> words_{};  // of a window of bitmaps, intersected
};

}  // namespace souk::query
