// SPDX-License-Identifier: Apache-2.0
#include "core/index/posting_lists.h"

#include <algorithm>
#include <bit>

#include "core/index/posting_checks.h"

namespace souk::index {

namespace {

// The packed number that begins at `bit`; at most 32 bits. May load 8 bytes from where its first bit lies.
uint32_t unpack_number(const std::byte* bytes, uint64_t bit, uint64_t mask) {
  uint64_t word;
  std::memcpy(&word, bytes + bit / 8, sizeof(word));
  return static_cast<uint32_t>((word >> (bit % 8)) & mask);
}

// Calls take(document) for each of a short list's documents.
template <typename Take>
void for_each_packed(const TermEntry& entry, const std::byte* bytes, Take take) {
  const uint64_t mask = (uint64_t{1} << entry.gap_bits) - 1;
  uint64_t bit = 0;
  uint64_t next = 0;  // the least that the next document can be
  for (uint32_t i = 0; i < entry.df; ++i, bit += entry.gap_bits) {
    const uint64_t doc = next + unpack_number(bytes, bit, mask);
    take(static_cast<uint32_t>(doc));
    next = doc + 1;
  }
}

const uint8_t* as_u8(const std::byte* bytes) {
  return reinterpret_cast<const uint8_t*>(bytes);
}

}  // namespace

ListKind list_kind(uint32_t df, uint32_t documents) {
  if (df == 1) return ListKind::kSingle;
  const uint64_t chunks = (uint64_t{documents} + kChunkDocuments - 1) / kChunkDocuments;
  return df <= std::min<uint64_t>(kMostInShortList, 8 * chunks) ? ListKind::kShort : ListKind::kChunked;
}

Result<PostingLists> PostingLists::open(const Container& file, const PostingSections& sections, uint32_t documents,
                                        uint64_t terms, uint8_t allowed_mask) {
  PostingLists lists;
  lists.documents_ = documents;
  lists.weighted_ = sections.weighted;
  auto ordinals = file.array<uint32_t>(sections.terms);
  if (!ordinals) return std::unexpected(ordinals.error());
  lists.terms_ = *ordinals;
  if (lists.terms_.size() > kNoOrdinal) return corrupt("there are too many lists", sections.terms);
  if (Status done = file.read(sections.entries, lists.terms_.size(), lists.entries_); !done)
    return std::unexpected(done.error());
  auto chunks = file.array<Chunk>(sections.chunks);
  if (!chunks) return std::unexpected(chunks.error());
  lists.chunks_ = *chunks;
  auto bytes = file.section(sections.bytes, Coding::kLists);
  if (!bytes) return std::unexpected(bytes.error());
  lists.bytes_ = *bytes;

  bool ascend = true;
  for (size_t i = 1; i < lists.terms_.size(); ++i) ascend &= lists.terms_[i - 1] < lists.terms_[i];
  if (!ascend) return corrupt("the terms do not ascend", sections.terms);
  if (!lists.terms_.empty() && lists.terms_.back() >= terms) {
    return corrupt("a term is beyond the dictionary", sections.terms);
  }
  PostingChecker checker(sections, {documents, allowed_mask}, lists.chunks_, lists.bytes_);
  auto postings = checker.check(lists.entries_);
  if (!postings) return std::unexpected(postings.error());
  lists.postings_ = *postings;
  lists.mark_present();
  return lists;
}

// Where most of the lexicon's terms have a list, as they do but for a few shards of a huge one, a look-up is one cache
// miss. A file cannot make this larger than 16 bytes a list.
void PostingLists::mark_present() {
  constexpr uint64_t kMostTermsPerList = 64;
  if (terms_.empty() || terms_.back() >= terms_.size() * kMostTermsPerList) return;
  present_.resize(terms_.back() / 64 + 1);
  for (const uint32_t term : terms_) present_[term / 64].terms |= uint64_t{1} << (term % 64);
  uint64_t before = 0;
  for (Present& word : present_) {
    word.before = before;
    before += static_cast<uint64_t>(std::popcount(word.terms));
  }
}

std::optional<uint32_t> PostingLists::find(uint32_t term) const {
  if (!present_.empty()) {
    if (term / 64 >= present_.size()) return std::nullopt;
    const Present& word = present_[term / 64];
    if ((word.terms >> (term % 64) & 1) == 0) return std::nullopt;
    const uint64_t below = word.terms & ((uint64_t{1} << (term % 64)) - 1);
    return static_cast<uint32_t>(word.before + static_cast<uint64_t>(std::popcount(below)));
  }
  const auto at = std::ranges::lower_bound(terms_, term);
  if (at == terms_.end() || *at != term) return std::nullopt;
  return static_cast<uint32_t>(at - terms_.begin());
}

ChunkView PostingLists::view(const Chunk& chunk) const {
  ChunkView view;
  view.key = chunk.key;
  view.count = chunk.count_less_one + 1U;
  view.max_impact = chunk.max_impact;
  const ChunkLayout layout = chunk_layout(view.count, weighted_);
  const std::byte* const at = bytes_.data() + chunk.at;
  if (layout.bitmap) {
    view.bits = reinterpret_cast<const uint64_t*>(at);
    view.ranks = reinterpret_cast<const uint16_t*>(at + layout.ranks);
  } else {
    view.docs = reinterpret_cast<const uint16_t*>(at);
    if (buckets(view.count) != 0) view.starts = reinterpret_cast<const uint16_t*>(at + layout.ranks);
  }
  if (!weighted_) return view;
  if (layout.impacts > layout.maxima) view.maxima = as_u8(at + layout.maxima);
  view.impacts = as_u8(at + layout.impacts);
  view.masks = as_u8(at + layout.masks);
  return view;
}

void PostingLists::unpack(uint32_t list, uint16_t* docs, std::vector<ChunkView>& views) const {
  const TermEntry& entry = entries_[list];
  ChunkView view;
  view.docs = docs;
  if (entry.df == 1) {
    const auto doc = static_cast<uint32_t>(entry.at);
    docs[0] = static_cast<uint16_t>(doc);
    view.key = doc >> kChunkBits;
    view.count = 1;
    view.max_impact = entry.max_impact;
    if (weighted_) {
      view.impacts = &entry.max_impact;
      view.masks = reinterpret_cast<const uint8_t*>(&entry.at) + sizeof(uint32_t);
    }
    views.push_back(view);
    return;
  }
  const std::byte* const bytes = bytes_.data() + entry.at;
  const uint8_t* const impacts = as_u8(bytes + packed_bytes(entry.df, entry.gap_bits));
  uint32_t i = 0;
  const auto close = [&] {  // the chunk that ends before posting i
    if (view.count == 0) return;
    if (weighted_) {
      view.impacts = impacts + (i - view.count);
      view.masks = view.impacts + entry.df;
      view.max_impact = *std::max_element(view.impacts, view.impacts + view.count);
    }
    views.push_back(view);
  };
  for_each_packed(entry, bytes, [&](uint32_t doc) {
    if (view.count == 0 || doc >> kChunkBits != view.key) {
      close();
      view.key = doc >> kChunkBits;
      view.count = 0;
      view.docs = docs + i;
    }
    docs[i] = static_cast<uint16_t>(doc);
    ++view.count;
    ++i;
  });
  close();
}

DecodedList PostingLists::decode(uint32_t list) const {
  const TermEntry& entry = entries_[list];
  DecodedList decoded;
  decoded.docs.reserve(entry.df);
  const auto append_weights = [&](const uint8_t* impacts, const uint8_t* masks, uint32_t count) {
    if (!weighted_) return;
    decoded.impacts.insert(decoded.impacts.end(), impacts, impacts + count);
    decoded.masks.insert(decoded.masks.end(), masks, masks + count);
  };
  const ListKind form = kind(list);
  if (form == ListKind::kSingle) {
    decoded.docs.push_back(static_cast<uint32_t>(entry.at));
    const auto mask = static_cast<uint8_t>(entry.at >> 32);
    append_weights(&entry.max_impact, &mask, 1);
  } else if (form == ListKind::kShort) {
    const std::byte* const bytes = bytes_.data() + entry.at;
    for_each_packed(entry, bytes, [&](uint32_t doc) { decoded.docs.push_back(doc); });
    const uint8_t* const impacts = as_u8(bytes + packed_bytes(entry.df, entry.gap_bits));
    append_weights(impacts, impacts + entry.df, entry.df);
  } else {
    for (const Chunk& chunk : chunks(list)) {
      const ChunkView view = this->view(chunk);
      const uint32_t base = view.key << kChunkBits;
      for (uint32_t i = 0; view.docs != nullptr && i < view.count; ++i) decoded.docs.push_back(base | view.docs[i]);
      for (uint32_t w = 0; view.bits != nullptr && w < kBitmapWords; ++w) {
        for (uint64_t word = view.bits[w]; word != 0; word &= word - 1) {
          decoded.docs.push_back(base | (w * 64 + static_cast<uint32_t>(std::countr_zero(word))));
        }
      }
      append_weights(view.impacts, view.masks, view.count);
    }
  }
  return decoded;
}

}  // namespace souk::index
