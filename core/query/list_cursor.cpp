// SPDX-License-Identifier: Apache-2.0
#include "core/query/list_cursor.h"

#include <algorithm>

namespace souk::query {

using index::ListKind;

namespace {

// What PostingLists::unpack wants room for.
size_t unpacked_size(const index::PostingLists& lists, uint32_t list) {
  constexpr size_t kPad = 32;
  return lists.entry(list).df + kPad;
}

}  // namespace

ListCursor::ListCursor(const index::PostingLists& lists, uint32_t list, uint32_t weight, bool scored, Scratch& scratch)
    : lists_(&lists),
      scratch_(&scratch),
      weight_(weight),
      postings_(lists.entry(list).df),
      max_score_(lists.entry(list).max_impact * weight),
      scored_(scored) {
  if (lists.kind(list) == ListKind::kChunked) {
    chunks_ = lists.chunks(list);
    size_ = static_cast<uint32_t>(chunks_.size());
  } else {
    first_view_ = static_cast<uint32_t>(scratch.short_views.size());
    lists.unpack(list, scratch.short_docs.take(unpacked_size(lists, list)), scratch.short_views);
    size_ = static_cast<uint32_t>(scratch.short_views.size()) - first_view_;
  }
  load();
}

void ListCursor::load() {
  if (at_ == size_) {
    view_ = {.key = kNoChunk};
    return;
  }
  view_ = chunks_.empty() ? scratch_->short_views[first_view_ + at_] : lists_->view(chunks_[at_]);
  if (!scored_) view_.impacts = nullptr;
}

uint32_t ListCursor::seek(uint32_t key) {
  if (view_.key >= key) return view_.key;
  if (chunks_.empty()) {
    while (at_ < size_ && scratch_->short_views[first_view_ + at_].key < key) ++at_;
  } else {
    while (at_ < size_ && chunks_[at_].key < key) ++at_;
  }
  load();
  return view_.key;
}

FoundPosting find_posting(const index::PostingLists& lists, uint32_t list, uint32_t doc, const Kernels& kernels) {
  std::vector<uint16_t> docs;
  std::vector<index::ChunkView> views;
  if (lists.kind(list) == ListKind::kChunked) {
    const auto chunks = lists.chunks(list);
    const auto chunk =
        std::ranges::lower_bound(chunks, doc >> index::kChunkBits, {}, [](const auto& c) { return uint32_t{c.key}; });
    if (chunk != chunks.end()) views.push_back(lists.view(*chunk));
  } else {
    docs.resize(unpacked_size(lists, list));
    lists.unpack(list, docs.data(), views);
  }
  for (const index::ChunkView& view : views) {
    if (view.key != doc >> index::kChunkBits) continue;
    uint32_t place = kNotFound;
    if (view.bits != nullptr) {
      kernels.locate_in_bits(&doc, 1, view.bits, view.ranks, &place);
    } else {
      kernels.locate_in_array(&doc, 1, view.docs, view.count, &place);
    }
    if (place != kNotFound) return {view.impacts[place], view.masks[place]};
  }
  return {};
}

}  // namespace souk::query
