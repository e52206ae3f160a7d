// SPDX-License-Identifier: Apache-2.0
#include "core/index/posting_checks.h"

#include <algorithm>
#include <bit>

namespace souk::index {

namespace {

bool ascend(const uint16_t* docs, uint32_t count) {
  bool wrong = false;
  for (uint32_t i = 1; i < count; ++i) wrong |= docs[i] <= docs[i - 1];
  return !wrong;
}

// docs ascend, so that only those around each start need to be looked at.
bool starts_right(const uint16_t* docs, uint32_t count, const uint16_t* starts) {
  const uint32_t all = buckets(count);
  bool wrong = false;
  for (uint32_t bucket = 0; bucket < all; ++bucket) {
    const uint32_t start = starts[bucket];
    if (start > count) return false;
    wrong |= start > 0 && docs[start - 1] >> bucket_bits(count) >= bucket;
    wrong |= start < count && docs[start] >> bucket_bits(count) < bucket;
  }
  return !wrong && (all == 0 || starts[all] == count);
}

uint32_t count_bits(const uint64_t* words, uint32_t size) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < size; ++i) bits += static_cast<uint32_t>(std::popcount(words[i]));
  return bits;
}

}  // namespace

Result<uint64_t> PostingChecker::check(std::span<const TermEntry> entries) {
  if (bytes_.size() < kOverRead) return corrupt("the section is too short", sections_.bytes);
  uint64_t postings = 0;
  for (const TermEntry& entry : entries) {
    if (entry.df == 0 || entry.df > bounds_.documents) {
      return corrupt("a term has no documents, or more than there are", sections_.entries);
    }
    postings += entry.df;
    const ListKind kind = list_kind(entry.df, bounds_.documents);
    Status done = kind == ListKind::kSingle  ? check_single(entry)
                  : kind == ListKind::kShort ? check_short(entry)
                                             : check_chunked(entry);
    if (!done) return std::unexpected(done.error());
  }
  if (next_chunk_ != chunks_.size()) return corrupt("there are chunks that belong to no term", sections_.chunks);
  if (end_ != bytes_.size() - kOverRead || !is_zero(bytes_.subspan(end_))) {
    return corrupt("there are bytes that belong to no list", sections_.bytes);
  }
  return postings;
}

const std::byte* PostingChecker::take(uint64_t at, uint64_t alignment, uint64_t size) {
  const uint64_t limit = bytes_.size() - kOverRead;
  const uint64_t begin = (end_ + alignment - 1) / alignment * alignment;
  if (at != begin || begin > limit || size > limit - begin || !is_zero(bytes_.subspan(end_, begin - end_))) {
    return nullptr;
  }
  end_ = begin + size;
  return bytes_.data() + begin;
}

bool PostingChecker::right_impacts(const uint8_t* impacts, uint32_t count, uint8_t& most) const {
  uint8_t least = 0xFF;
  for (uint32_t i = 0; i < count; ++i) {
    most = std::max(most, impacts[i]);
    least = std::min(least, impacts[i]);
  }
  return least > 0;
}

bool PostingChecker::right_masks(const uint8_t* masks, uint32_t count) const {
  uint8_t least = 0xFF;
  uint8_t all = 0;
  for (uint32_t i = 0; i < count; ++i) {
    least = std::min(least, masks[i]);
    all |= masks[i];
  }
  return least > 0 && (all & ~bounds_.allowed_mask) == 0;
}

Status PostingChecker::check_single(const TermEntry& entry) const {
  const auto doc = static_cast<uint32_t>(entry.at);
  const uint64_t mask = entry.at >> 32;
  const bool weights_right = sections_.weighted
                                 ? entry.max_impact > 0 && mask > 0 && (mask & ~uint64_t{bounds_.allowed_mask}) == 0
                                 : entry.max_impact == 0 && mask == 0;
  if (doc >= bounds_.documents || !weights_right || entry.chunks_less_one != 0 || entry.gap_bits != 0) {
    return corrupt("a single posting is wrong", sections_.entries);
  }
  return {};
}

Status PostingChecker::check_short(const TermEntry& entry) {
  if (entry.gap_bits > 32 || entry.chunks_less_one != 0) return corrupt("a short list is wrong", sections_.entries);
  const uint64_t packed = packed_bytes(entry.df, entry.gap_bits);
  const std::byte* const at = take(entry.at, 1, packed + (sections_.weighted ? 2 * uint64_t{entry.df} : 0));
  if (at == nullptr) return corrupt("a list does not lie where it must", sections_.entries);

  // At most kMostInShortList gaps of 32 bits: the sum does not overflow.
  const uint64_t mask = (uint64_t{1} << entry.gap_bits) - 1;
  uint64_t gaps = 0;
  uint64_t widest = 0;
  uint64_t bit = 0;
  for (uint32_t i = 0; i < entry.df; ++i, bit += entry.gap_bits) {
    uint64_t word;
    std::memcpy(&word, at + bit / 8, sizeof(word));
    const uint64_t gap = (word >> (bit % 8)) & mask;
    gaps += gap;
    widest |= gap;
  }
  if (std::bit_width(widest) != entry.gap_bits) return corrupt("gaps have more bits than they need", sections_.entries);
  if (gaps + entry.df > bounds_.documents) return corrupt("a document is out of bounds", sections_.bytes);
  if (bit % 8 != 0 && std::to_integer<uint32_t>(at[packed - 1]) >> (bit % 8) != 0) {
    return corrupt("the bits behind a list are not zero", sections_.bytes);
  }
  uint8_t most = 0;
  if (sections_.weighted) {
    const auto* const impacts = reinterpret_cast<const uint8_t*>(at + packed);
    if (!right_impacts(impacts, entry.df, most)) return corrupt("an impact is 0", sections_.bytes);
    if (!right_masks(impacts + entry.df, entry.df)) return corrupt("a field mask is wrong", sections_.bytes);
  }
  return most == entry.max_impact ? Status{} : corrupt("a list's greatest impact is wrong", sections_.entries);
}

Status PostingChecker::check_chunked(const TermEntry& entry) {
  const uint64_t size = entry.chunks_less_one + uint64_t{1};
  if (entry.gap_bits != 0 || entry.at != next_chunk_ || size > chunks_.size() - next_chunk_) {
    return corrupt("a list's chunks do not lie where they must", sections_.entries);
  }
  next_chunk_ += size;
  uint64_t count = 0;
  uint8_t most = 0;
  const Chunk* before = nullptr;
  for (const Chunk& chunk : chunks_.subspan(entry.at, size)) {
    if (before != nullptr && chunk.key <= before->key) {
      return corrupt("the chunks of a list do not ascend", sections_.chunks);
    }
    before = &chunk;
    count += chunk.count_less_one + uint64_t{1};
    most = std::max(most, chunk.max_impact);
    if (Status done = check_chunk(chunk); !done) return done;
  }
  if (count != entry.df) return corrupt("a list has another number of postings than its chunks", sections_.entries);
  return most == entry.max_impact ? Status{} : corrupt("a list's greatest impact is wrong", sections_.entries);
}

Status PostingChecker::check_chunk(const Chunk& chunk) {
  const ChunkLayout layout = chunk_layout(chunk.count_less_one + 1U, sections_.weighted);
  const std::byte* const at = take(chunk.at, chunk_alignment(layout.bitmap), layout.size);
  if (at == nullptr || (chunk.unused[0] | chunk.unused[1] | chunk.unused[2]) != 0) {
    return corrupt("a chunk does not lie where it must", sections_.chunks);
  }
  Status done = layout.bitmap ? check_bitmap(chunk, at) : check_array(chunk, at);
  if (!done) return done;
  if (!sections_.weighted) {
    return chunk.max_impact == 0 ? Status{} : corrupt("a chunk's greatest impact is wrong", sections_.chunks);
  }
  const auto* const masks = reinterpret_cast<const uint8_t*>(at + layout.masks);
  return right_masks(masks, chunk.count_less_one + 1U) ? Status{} : corrupt("a field mask is wrong", sections_.bytes);
}

Status PostingChecker::check_array(const Chunk& chunk, const std::byte* at) const {
  const uint32_t count = chunk.count_less_one + 1U;
  const ChunkLayout layout = chunk_layout(count, sections_.weighted);
  const auto* const docs = reinterpret_cast<const uint16_t*>(at);
  const uint32_t last = (uint32_t{chunk.key} << kChunkBits) | docs[count - 1];
  if (!ascend(docs, count) || last >= bounds_.documents) {
    return corrupt("the documents of a term are out of order or bounds", sections_.bytes);
  }
  if (!starts_right(docs, count, reinterpret_cast<const uint16_t*>(at + layout.ranks))) {
    return corrupt("where a chunk's buckets begin is wrong", sections_.bytes);
  }
  if (!sections_.weighted) return {};
  const auto* const maxima = reinterpret_cast<const uint8_t*>(at + layout.maxima);
  const auto* const impacts = reinterpret_cast<const uint8_t*>(at + layout.impacts);
  uint8_t most = 0;
  for (uint32_t first = 0; first < count; first += kBlockPostings) {
    uint8_t of_block = 0;
    if (!right_impacts(impacts + first, std::min(kBlockPostings, count - first), of_block)) {
      return corrupt("an impact is 0", sections_.bytes);
    }
    if (count > kBlockPostings && maxima[first / kBlockPostings] != of_block) {
      return corrupt("a block's greatest impact is wrong", sections_.bytes);
    }
    most = std::max(most, of_block);
  }
  return most == chunk.max_impact ? Status{} : corrupt("a chunk's greatest impact is wrong", sections_.chunks);
}

Status PostingChecker::check_bitmap(const Chunk& chunk, const std::byte* at) const {
  const uint32_t count = chunk.count_less_one + 1U;
  const ChunkLayout layout = chunk_layout(count, sections_.weighted);
  const auto* const bits = reinterpret_cast<const uint64_t*>(at);
  const auto* const ranks = reinterpret_cast<const uint16_t*>(at + layout.ranks);
  constexpr uint32_t kRunWords = kRankBits / 64;
  uint32_t before = 0;
  bool ranks_right = true;
  for (uint32_t run = 0; run < kBitmapWords / kRunWords; ++run) {
    ranks_right &= ranks[run] == before;
    before += count_bits(bits + run * kRunWords, kRunWords);
  }
  if (before != count || !ranks_right) return corrupt("a bitmap's counts are wrong", sections_.bytes);
  uint32_t word = kBitmapWords - 1;  // the last that has a bit; there is one
  while (bits[word] == 0) --word;
  const uint32_t last =
      (uint32_t{chunk.key} << kChunkBits) | (word * 64 + 63 - static_cast<uint32_t>(std::countl_zero(bits[word])));
  if (last >= bounds_.documents) return corrupt("a document is out of bounds", sections_.bytes);
  if (!sections_.weighted) return {};

  const auto* const maxima = reinterpret_cast<const uint8_t*>(at + layout.maxima);
  const auto* const impacts = reinterpret_cast<const uint8_t*>(at + layout.impacts);
  uint8_t most = 0;
  for (uint32_t window = 0; window < kWindows; ++window) {
    const uint32_t first = ranks[window * kRanksPerWindow];
    const uint32_t end = window + 1 < kWindows ? ranks[(window + 1) * kRanksPerWindow] : count;
    uint8_t of_window = 0;
    if (!right_impacts(impacts + first, end - first, of_window)) return corrupt("an impact is 0", sections_.bytes);
    if (maxima[window] != of_window) return corrupt("a window's greatest impact is wrong", sections_.bytes);
    most = std::max(most, of_window);
  }
  return most == chunk.max_impact ? Status{} : corrupt("a chunk's greatest impact is wrong", sections_.chunks);
}

}  // namespace souk::index
