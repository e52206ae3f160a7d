// SPDX-License-Identifier: Apache-2.0
#include "core/query/matcher.h"

#include <algorithm>
#include <bit>

namespace souk::query {

using index::ChunkView;
using index::kBlockPostings;
using index::kChunkBits;
using index::kChunkDocuments;
using index::kRanksPerWindow;
using index::kWindowDocuments;
using index::kWindows;
using index::kWindowWords;

namespace {

// Postings of a list that are not skipped anyway, at once: what is known of them stays in the L1 cache.
constexpr uint32_t kMostAtOnce = 1024;
constexpr uint64_t kWorkOfChunk = 1 << 10;
// Look-ups of documents between two looks at the clock: some tenths of a millisecond.
constexpr uint64_t kWorkPerLook = 1 << 17;
// Columns up to this size are near enough for every candidate of the leading list to be filtered before it is looked up
// elsewhere; larger ones are only read for matches (ADR 0007).
constexpr uint64_t kNearBytes = 8 << 20;

uint32_t minus(uint32_t a, uint32_t b) {
  return a > b ? a - b : 0;
}

}  // namespace

Matcher::Matcher(Plan& plan, const BatchFilters& filters, Collector& collector, const Kernels& kernels,
                 Scratch& scratch, const Stop& stop)
    : plan_(plan),
      filters_(filters),
      collector_(collector),
      kernels_(kernels),
      scratch_(scratch),
      batch_(scratch.batch),
      union_(plan, kernels, scratch),
      stop_(stop),
      filters_first_(filters.dropping_bytes() <= kNearBytes) {}

// Whether the deadline has passed, looked at when enough was done since the last look.
bool Matcher::out_of_time(uint64_t work) {
  work_ += work;
  if (late_ || work_ < kWorkPerLook) return late_;
  work_ = 0;
  late_ = stop_.deadline.passed(stop_.clock);
  return late_;
}

Status Matcher::run() {
  if (plan_.impossible) return {};
  const uint32_t last = (plan_.end - 1) >> kChunkBits;
  for (uint32_t key = plan_.begin >> kChunkBits; (key = next_chunk(key)) <= last; ++key) {
    if (out_of_time(kWorkOfChunk)) break;
    match_chunk(key);
    if (late_) break;
    if (nothing_better_behind(key)) break;
  }
  return late_ ? Status(fail(ErrorCode::kDeadlineExceeded, "out of time")) : Status{};
}

uint32_t Matcher::seek(ListGroup& group, uint32_t key) {
  group.key = kNoChunk;
  for (uint32_t c = group.begin; c < group.end; ++c) group.key = std::min(group.key, plan_.cursors[c].seek(key));
  return group.key;
}

// The first chunk, not before `from`, that has postings of every filter and of as many slots as a document must match.
uint32_t Matcher::next_chunk(uint32_t from) {
  std::array<uint32_t, kMaxSlots> keys;
  for (uint32_t key = from;; from = key) {
    for (ListGroup& must : plan_.musts) key = std::max(key, seek(must, key));
    if (key == kNoChunk) return key;
    if (!plan_.slots.empty()) {
      uint32_t count = 0;
      for (ListGroup& slot : plan_.slots) keys[count++] = seek(slot, key);
      const auto nth = keys.begin() + plan_.walk_least - 1;
      std::nth_element(keys.begin(), nth, keys.begin() + count);
      key = std::max(key, *nth);
      if (key == kNoChunk) return key;
    }
    if (key == from) return key;
  }
}

void Matcher::measure(ListGroup& group) {
  group.count = 0;
  group.max_score = 0;
  for (uint32_t c = group.begin; c < group.end; ++c) {
    const ListCursor& cursor = plan_.cursors[c];
    if (cursor.view().key != base_ >> kChunkBits) continue;
    group.count += cursor.view().count;
    group.max_score = std::max(group.max_score, cursor.chunk_max_score());
  }
}

// Whether no document of a later chunk can be a hit: levels never ascend, so its order is at most that of the best text
// there.
bool Matcher::nothing_better_behind(uint32_t key) const {
  const uint64_t next = (uint64_t{key} + 1) << kChunkBits;
  if (next >= plan_.end) return true;
  return plan_.max_score < collector_.least_score(static_cast<uint32_t>(next), plan_.end - 1);
}

void Matcher::match_chunk(uint32_t key) {
  base_ = key << kChunkBits;
  begin_ = std::max(plan_.begin, base_);
  end_ = static_cast<uint32_t>(std::min<uint64_t>(plan_.end, uint64_t{base_} + kChunkDocuments));
  leading_ = nullptr;
  present_count_ = 0;
  uint32_t most = 0;
  for (ListGroup& slot : plan_.slots) {
    if (slot.key != key) continue;
    measure(slot);
    most += slot.max_score;
    present_[present_count_++] = &slot;
  }
  const uint32_t least = collector_.least_score(begin_, end_ - 1);
  if (present_count_ < plan_.walk_least || most < least) return;

  uint64_t cost = end_ - begin_;
  ListGroup* must = nullptr;
  for (ListGroup& candidate : plan_.musts) {
    measure(candidate);
    if (candidate.count >= cost) continue;
    cost = candidate.count;
    must = &candidate;
  }
  const bool only_slots = !plan_.all_slots && !plan_.needs_masks;  // a candidate must be known to have one
  if (only_slots) cost = ~uint64_t{0};
  const uint32_t essential = present_count_ == 0 ? 0 : choose_essential(least, cost);
  if (essential > 0) {
    walk_groups(Groups(present_).first(essential), essential);
  } else if (must != nullptr) {
    leading_ = must;
    walk_groups(Groups(&must, 1), 0);
  } else {
    walk_documents();
  }
}

// Puts essential slots in front of present_, the others behind them in the order in which they are looked up, and gives
// their number; 0 when their postings are more than `cost`, else `cost` becomes that.
uint32_t Matcher::choose_essential(uint32_t least, uint64_t& cost) {
  const auto present = std::span(present_).first(present_count_);
  const auto by_count = [](const ListGroup* a, const ListGroup* b) { return a->count < b->count; };
  const auto by_score = [](const ListGroup* a, const ListGroup* b) { return a->max_score > b->max_score; };
  std::ranges::sort(present, by_count);
  uint32_t essential = present_count_ - plan_.walk_least + 1;
  uint64_t postings = 0;
  for (uint32_t i = 0; i < essential; ++i) postings += present[i]->count;

  if (!plan_.all_slots) {
    std::array<ListGroup*, kMaxSlots> scored = present_;
    std::sort(scored.begin(), scored.begin() + present_count_, by_score);
    uint32_t size = present_count_;
    for (uint32_t rest = 0; size > 1 && rest + scored[size - 1]->max_score < least; --size) {
      rest += scored[size - 1]->max_score;
    }
    uint64_t scored_postings = 0;
    for (uint32_t i = 0; i < size; ++i) scored_postings += scored[i]->count;
    if (scored_postings < postings) {
      present_ = scored;
      essential = size;
      postings = scored_postings;
    }
    std::sort(present_.begin() + essential, present_.begin() + present_count_, by_score);
  }
  if (postings > cost) return 0;
  cost = postings;
  return essential;
}

uint32_t Matcher::rest_score(uint32_t from) const {
  uint32_t score = 0;
  for (uint32_t i = from; i < present_count_; ++i) score += present_[i]->max_score;
  return score;
}

void Matcher::start_masks(uint32_t bit) {
  if (plan_.needs_masks) std::fill_n(batch_.masks.begin(), batch_.count, bit);
}

// --- candidates

void Matcher::walk_documents() {
  for (uint32_t doc = begin_; doc < end_ && !late_; doc += batch_.count) {
    batch_.count = std::min(end_ - doc, kMostInBatch);
    const uint32_t count = batch_.count;
    for (uint32_t i = 0; i < count; ++i) batch_.docs[i] = doc + i;
    std::fill_n(batch_.scores.begin(), count, 0U);
    start_masks(0);
    finish(0);
    batch_.count = count;
  }
}

void Matcher::walk_groups(Groups groups, uint32_t from) {
  const ListGroup& first = *groups[0];
  const ListCursor* only = nullptr;  // the only list with postings here
  uint32_t lists = 0;
  for (const ListGroup* group : groups) {
    for (uint32_t c = group->begin; c < group->end; ++c) {
      if (plan_.cursors[c].view().key != base_ >> kChunkBits) continue;
      only = &plan_.cursors[c];
      ++lists;
    }
  }
  if (lists > 1) {
    walk_union(groups, from);
  } else if (only->view().bits != nullptr) {
    walk_bits(*only, first.bit, from);
  } else {
    walk_array(*only, first.bit, from);
  }
}

void Matcher::walk_array(const ListCursor& cursor, uint32_t bit, uint32_t from) {
  const ChunkView& view = cursor.view();
  const uint32_t rest = rest_score(from);
  const auto place_of = [&](uint32_t doc) {
    const auto at = std::lower_bound(view.docs, view.docs + view.count, doc, std::less<uint32_t>());
    return static_cast<uint32_t>(at - view.docs);
  };
  const uint32_t last = end_ - base_ == kChunkDocuments ? view.count : place_of(end_ - base_);
  uint32_t next = 0;
  for (uint32_t at = begin_ == base_ ? 0 : place_of(begin_ - base_); at < last && !late_; at = next) {
    const uint32_t block = at / kBlockPostings;
    next = std::min(collector_.wants_all() ? at + kMostAtOnce : (block + 1) * kBlockPostings, last);
    const uint32_t least = collector_.least_score(base_ | view.docs[at], base_ | view.docs[next - 1]);
    const uint32_t max_impact = view.maxima != nullptr ? view.maxima[block] : view.max_impact;
    if (max_impact * cursor.weight() + rest < least) continue;
    batch_.count =
        kernels_.emit_array(view.docs + at, view.impacts != nullptr ? view.impacts + at : nullptr, next - at,
                            cursor.weight(), base_, minus(least, rest), batch_.docs.data(), batch_.scores.data());
    start_masks(bit);
    finish(from);
  }
}

void Matcher::walk_bits(const ListCursor& cursor, uint32_t bit, uint32_t from) {
  const ChunkView& view = cursor.view();
  const uint32_t rest = rest_score(from);
  for (uint32_t window = (begin_ - base_) / kWindowDocuments; window < kWindows && !late_; ++window) {
    const uint32_t first = base_ + window * kWindowDocuments;
    if (first >= end_) break;
    const uint32_t least = collector_.least_score(first, first + kWindowDocuments - 1);
    const uint32_t max_impact = view.maxima != nullptr ? view.maxima[window] : view.max_impact;
    if (max_impact * cursor.weight() + rest < least) continue;
    // When the rarest slot is a bitmap, so are all: the words of all are intersected before any document is looked at.
    const bool intersected = plan_.all_slots && from > 0 && intersect_bits(window);
    if (intersected) {
      batch_.count = kernels_.emit_bits(words_.data(), nullptr, kWindowWords, 0, first, 0, batch_.docs.data(),
                                        batch_.scores.data());
    } else {
      const uint8_t* impacts = view.impacts != nullptr ? view.impacts + view.ranks[window * kRanksPerWindow] : nullptr;
      batch_.count =
          kernels_.emit_bits(view.bits + size_t{window} * kWindowWords, impacts, kWindowWords, cursor.weight(), first,
                             minus(least, rest), batch_.docs.data(), batch_.scores.data());
    }
    keep_in_range();
    start_masks(bit);
    finish(intersected ? from - 1 : from);
  }
}

// Into words_; false when some slot is no single bitmap here.
bool Matcher::intersect_bits(uint32_t window) {
  if (present_count_ < 2) return false;
  words_.fill(~uint64_t{0});
  for (uint32_t i = 0; i < present_count_; ++i) {
    const ListGroup& slot = *present_[i];
    const ChunkView& view = plan_.cursors[slot.begin].view();
    if (slot.end - slot.begin != 1 || view.bits == nullptr) return false;
    for (uint32_t w = 0; w < kWindowWords; ++w) words_[w] &= view.bits[window * kWindowWords + w];
  }
  return true;
}

void Matcher::walk_union(Groups groups, uint32_t from) {
  union_.begin_chunk(groups, base_);
  const uint32_t rest = rest_score(from);
  for (uint32_t window = (begin_ - base_) / kWindowDocuments; window < kWindows && !late_; ++window) {
    const uint32_t first = base_ + window * kWindowDocuments;
    if (first >= end_) break;
    const uint32_t bound = union_.bound(window);
    const uint32_t least = collector_.least_score(first, first + kWindowDocuments - 1);
    if (bound == kNotFound || bound + rest < least) continue;
    union_.take(window, minus(least, rest));
    keep_in_range();
    finish(from);
  }
}

// --- what becomes of candidates

void Matcher::keep_in_range() {
  if (begin_ == base_ && end_ - base_ == kChunkDocuments) return;
  batch_.keep_if(plan_.needs_masks, [this](uint32_t i) { return batch_.docs[i] >= begin_ && batch_.docs[i] < end_; });
}

void Matcher::finish(uint32_t from) {
  if (batch_.count == 0) return;
  if (out_of_time(batch_.count)) return;
  if (filters_first_) filters_.keep(batch_, plan_.needs_masks);
  for (const ListGroup& must : plan_.musts) {
    if (&must != leading_ && batch_.count > 0) look_up(must, true);
  }
  look_up_slots(from);
  if (!filters_first_) filters_.keep(batch_, plan_.needs_masks);
  if (batch_.count == 0) return;
  work_ += batch_.count * collector_.lists_per_document();
  collector_.take(kernels_);
}

void Matcher::look_up_slots(uint32_t from) {
  uint32_t rest = rest_score(from);
  for (uint32_t i = from; i <= present_count_ && batch_.count > 0; ++i) {
    const uint32_t least = collector_.least_score(batch_.docs[0], batch_.docs[batch_.count - 1]);
    if (least > rest) keep_least(least - rest);
    if (plan_.needs_masks) keep_matching(present_count_ - i);
    if (i == present_count_ || batch_.count == 0) return;
    rest -= present_[i]->max_score;
    look_up(*present_[i], plan_.all_slots);
  }
}

void Matcher::look_up(const ListGroup& group, bool required) {
  if (group.end - group.begin == 1) {
    look_up_list(plan_.cursors[group.begin], group.bit, required);
  } else {
    look_up_lists(group, required);
  }
}

void Matcher::look_up_list(const ListCursor& cursor, uint32_t bit, bool required) {
  const ChunkView& view = cursor.view();
  locate(view, batch_, kernels_, scratch_);
  const uint8_t* impacts = view.impacts;
  batch_.keep_if(plan_.needs_masks, [&](uint32_t i) {
    const uint32_t place = scratch_.places[i];
    const bool found = place != kNotFound;
    const uint32_t score = impacts != nullptr ? impacts[found ? place : 0] * cursor.weight() : 0;
    batch_.scores[i] += found ? score : 0;
    if (plan_.needs_masks) batch_.masks[i] |= found ? bit : 0;
    return found || !required;
  });
}

// The best of several lists counts.
void Matcher::look_up_lists(const ListGroup& group, bool required) {
  constexpr uint32_t kAbsent = 0;  // else the score + 1
  std::fill_n(scratch_.best.begin(), batch_.count, kAbsent);
  for (uint32_t c = group.begin; c < group.end; ++c) {
    const ListCursor& cursor = plan_.cursors[c];
    const ChunkView& view = cursor.view();
    if (view.key != base_ >> kChunkBits) continue;
    if (out_of_time(batch_.count)) {
      batch_.count = 0;
      return;
    }
    locate(view, batch_, kernels_, scratch_);
    for (uint32_t i = 0; i < batch_.count; ++i) {
      const uint32_t place = scratch_.places[i];
      if (place == kNotFound) continue;
      const uint32_t score = view.impacts != nullptr ? view.impacts[place] * cursor.weight() : 0;
      scratch_.best[i] = std::max(scratch_.best[i], score + 1);
    }
  }
  batch_.keep_if(plan_.needs_masks, [&](uint32_t i) {
    const bool found = scratch_.best[i] != kAbsent;
    batch_.scores[i] += found ? scratch_.best[i] - 1 : 0;
    if (plan_.needs_masks) batch_.masks[i] |= found ? group.bit : 0;
    return found || !required;
  });
}

void Matcher::keep_least(uint32_t least) {
  if (plan_.needs_masks) {
    batch_.keep_if(true, [this, least](uint32_t i) { return batch_.scores[i] >= least; });
  } else {
    batch_.count = kernels_.keep_at_least(batch_.docs.data(), batch_.scores.data(), batch_.count, least);
  }
}

// Drops what cannot match enough slots any more.
void Matcher::keep_matching(uint32_t still_possible) {
  batch_.keep_if(true, [this, still_possible](uint32_t i) {
    return static_cast<uint32_t>(std::popcount(batch_.masks[i])) + still_possible >= plan_.walk_least;
  });
}

}  // namespace souk::query
