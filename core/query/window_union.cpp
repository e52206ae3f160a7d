// SPDX-License-Identifier: Apache-2.0
#include "core/query/window_union.h"

#include <bit>

namespace souk::query {

using index::ChunkView;
using index::kChunkBits;
using index::kRanksPerWindow;
using index::kWindowDocuments;
using index::kWindows;
using index::kWindowWords;

void WindowUnion::begin_chunk(Groups groups, uint32_t base) {
  groups_ = groups;
  base_ = base;
  walked_.fill(0);
  sparse_ = is_sparse();
}

// Moves array lists on to the window.
uint32_t WindowUnion::bound(uint32_t window) {
  const uint32_t begin = window * kWindowDocuments;
  uint32_t place = 0;
  uint32_t bound = 0;
  bool any = false;
  for (const ListGroup* group : groups_) {
    uint32_t best = 0;
    for (uint32_t c = group->begin; c < group->end; ++c, ++place) {
      const ChunkView& view = plan_.cursors[c].view();
      if (view.key != base_ >> kChunkBits) continue;
      uint32_t max_impact = view.max_impact;
      if (view.bits != nullptr) {
        if (view.maxima != nullptr) max_impact = view.maxima[window];
      } else {
        uint32_t& at = walked_[place];
        while (at < view.count && view.docs[at] < begin) ++at;
        if (at == view.count || view.docs[at] >= begin + kWindowDocuments) continue;
      }
      any = true;
      best = std::max(best, max_impact * plan_.cursors[c].weight());
    }
    bound += best;
  }
  return any ? bound : kNotFound;
}

void WindowUnion::take(uint32_t window, uint32_t needed) {
  const uint32_t first = base_ + window * kWindowDocuments;
  const bool sums_only = needed > 0 && !plan_.needs_masks;
  uint32_t place = 0;
  for (const ListGroup* group : groups_) {
    if (sums_only && sparse_) {
      add_sparse(plan_.cursors[group->begin], window, place, needed);
    } else {
      add_group(*group, window, place, sums_only);
    }
    place += group->end - group->begin;
  }
  if (sums_only && !sparse_) {
    Batch& batch = scratch_.batch;
    batch.count = kernels_.take_sums(scratch_.sums.data(), first, needed, batch.docs.data(), batch.scores.data());
    return;
  }
  take_hits(first);
  end_sparse();
}

// Whether the groups are single lists with so few postings that looking at each of them beats looking at each sum.
bool WindowUnion::is_sparse() const {
  constexpr uint32_t kMostInWindow = 400;
  uint32_t postings = 0;
  for (const ListGroup* group : groups_) {
    const ChunkView& view = plan_.cursors[group->begin].view();
    if (group->end - group->begin != 1 || view.bits != nullptr) return false;
    postings += view.count;
  }
  return postings < kMostInWindow * kWindows;
}

// Into the sums; the documents that reach what is needed into hit, all that have a sum into summed.
void WindowUnion::add_sparse(const ListCursor& cursor, uint32_t window, uint32_t place, uint32_t needed) {
  const ChunkView& view = cursor.view();
  const uint32_t begin = window * kWindowDocuments;
  if (cursor.weight() == 0) return;
  uint32_t at = walked_[place];
  for (; at < view.count && view.docs[at] < begin + kWindowDocuments; ++at) {
    const uint32_t x = view.docs[at] - begin;
    const uint32_t before = scratch_.sums[x];
    const uint32_t sum = before + view.impacts[at] * cursor.weight();
    scratch_.sums[x] = sum;
    scratch_.summed[summed_] = static_cast<uint16_t>(x);
    summed_ += before == 0 ? 1 : 0;
    scratch_.hit[x / 64] |= uint64_t{sum >= needed} << (x % 64);
  }
  walked_[place] = at;
}

void WindowUnion::end_sparse() {
  for (uint32_t i = 0; i < summed_; ++i) scratch_.sums[scratch_.summed[i]] = 0;
  summed_ = 0;
}

void WindowUnion::add_group(const ListGroup& group, uint32_t window, uint32_t place, bool sums_only) {
  const bool several = group.end - group.begin > 1;
  const auto sums = std::span(several ? scratch_.slot_best : scratch_.sums);
  const auto hit = several ? std::span(scratch_.slot_hit) : sums_only ? std::span<uint64_t>() : std::span(scratch_.hit);
  for (uint32_t c = group.begin; c < group.end; ++c, ++place) {
    const ListCursor& cursor = plan_.cursors[c];
    if (cursor.view().key == base_ >> kChunkBits) add_list(cursor, window, place, sums, hit, several ? 0 : group.bit);
  }
  if (several) merge_slot(group.bit, sums_only);
}

// Into sums (of a slot of several lists: the greatest instead) and, where wanted, into hit and the slots seen.
void WindowUnion::add_list(const ListCursor& cursor, uint32_t window, uint32_t place, std::span<uint32_t> sums,
                           std::span<uint64_t> hit, uint32_t bit) {
  const ChunkView& view = cursor.view();
  const uint32_t begin = window * kWindowDocuments;
  const bool greatest = sums.data() == scratch_.slot_best.data();
  const bool masks = plan_.needs_masks && !greatest;
  const auto add = [&](uint32_t x, uint32_t score) {
    sums[x] = greatest ? std::max(sums[x], score) : sums[x] + score;
    if (!hit.empty()) hit[x / 64] |= uint64_t{1} << (x % 64);
    if (masks) scratch_.slots_seen[x] |= bit;
  };
  if (view.bits == nullptr) {
    uint32_t at = walked_[place];
    for (; at < view.count && view.docs[at] < begin + kWindowDocuments; ++at) {
      add(view.docs[at] - begin, view.impacts != nullptr ? view.impacts[at] * cursor.weight() : 0);
    }
    walked_[place] = at;
    return;
  }
  const uint64_t* bits = view.bits + size_t{window} * kWindowWords;
  const uint8_t* impacts = view.impacts != nullptr ? view.impacts + view.ranks[window * kRanksPerWindow] : nullptr;
  if (!greatest && !masks && impacts != nullptr) {
    kernels_.add_bits(bits, impacts, cursor.weight(), sums.data());
    for (uint32_t w = 0; w < hit.size(); ++w) hit[w] |= bits[w];
    return;
  }
  uint32_t rank = 0;
  for (uint32_t w = 0; w < kWindowWords; ++w) {
    for (uint64_t word = bits[w]; word != 0; word &= word - 1, ++rank) {
      add(w * 64 + static_cast<uint32_t>(std::countr_zero(word)),
          impacts != nullptr ? impacts[rank] * cursor.weight() : 0);
    }
  }
}

// Adds what a slot of several lists came to.
void WindowUnion::merge_slot(uint32_t bit, bool sums_only) {
  for (uint32_t w = 0; w < kWindowWords; ++w) {
    if (!sums_only) scratch_.hit[w] |= scratch_.slot_hit[w];
    for (uint64_t word = scratch_.slot_hit[w]; word != 0; word &= word - 1) {
      const uint32_t x = w * 64 + static_cast<uint32_t>(std::countr_zero(word));
      scratch_.sums[x] += scratch_.slot_best[x];
      scratch_.slot_best[x] = 0;
      if (plan_.needs_masks) scratch_.slots_seen[x] |= bit;
    }
    scratch_.slot_hit[w] = 0;
  }
}

void WindowUnion::take_hits(uint32_t first) {
  Batch& batch = scratch_.batch;
  uint32_t count = 0;
  for (uint32_t w = 0; w < kWindowWords; ++w) {
    for (uint64_t word = scratch_.hit[w]; word != 0; word &= word - 1) {
      const uint32_t x = w * 64 + static_cast<uint32_t>(std::countr_zero(word));
      batch.docs[count] = first + x;
      batch.scores[count] = scratch_.sums[x];
      scratch_.sums[x] = 0;
      if (plan_.needs_masks) {
        batch.masks[count] = scratch_.slots_seen[x];
        scratch_.slots_seen[x] = 0;
      }
      ++count;
    }
    scratch_.hit[w] = 0;
  }
  batch.count = count;
}

}  // namespace souk::query
