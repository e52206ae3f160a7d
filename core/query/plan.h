// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/query/batch_filters.h"
#include "core/query/list_cursor.h"
#include "core/query/search.h"

namespace souk::query {

// Lists of which a document must be in one, or may be: a word with its synonyms, or a param filter with its values.
struct ListGroup {
  uint32_t begin = 0, end = 0;  // of Plan::cursors
  uint32_t bit = 0;             // 1 << slot; 0 for a filter

  // Where the walk is: what the current chunk holds.
  uint32_t key = kNoChunk;
  uint32_t count = 0;      // postings
  uint32_t max_score = 0;  // of one document
};

// A request with everything looked up: what the matcher walks over.
struct Plan {
  Plan(const ShardView& view, const wire::ShardRequest& request, BatchFilters& filters, Scratch& scratch);

  std::vector<ListCursor> cursors;
  std::vector<ListGroup> slots;  // those of which the shard has a term
  std::vector<ListGroup> musts;  // filters that every match passes
  uint32_t match_all = 0;        // bits of all slots of the request
  uint32_t hit_least = 0;        // slots that a hit must match
  uint32_t walk_least = 0;       // slots that a document must match to be looked at at all (variants may ask for fewer)
  std::vector<std::vector<uint32_t>> phrases;  // lexicon ordinals
  uint32_t begin = 0, end = 0;                 // documents that come into question
  bool impossible = false;                     // nothing can match
  bool scored = false;
  uint32_t max_score = 0;  // of any document

  bool all_slots = false;  // a document must match all of them
  // Whether candidates must carry the slots that they matched: not where all must, nor where any one will do and
  // nothing else is walked.
  bool needs_masks = false;

  uint64_t cost() const;  // documents that must be looked at in any case, unless some can be skipped by score

 private:
  void add_slots(const ShardView& view, const wire::ShardRequest& request, Scratch& scratch);
  void add_param_filters(const ShardView& view, const wire::Filters& asked, const BatchFilters& filters,
                         Scratch& scratch);
  struct FilterSet {
    const wire::Filters& asked;
    const ColumnFilters& columns;  // the same
  };
  void add_value_filters(const ShardView& view, const FilterSet& set, BatchFilters& filters, Scratch& scratch);
  bool walk_instead(const index::PostingLists& lists, const std::vector<uint32_t>& values, Scratch& scratch);
  uint64_t lead_postings() const;
  void add_value(const index::PostingLists& lists, uint32_t value, Scratch& scratch);
  void end_must(ListGroup must);
  void add_phrases(const ShardView& view, const wire::ShardRequest& request);
  void restrict_documents(const ShardView& view, const wire::Filters& filters);
};

}  // namespace souk::query
