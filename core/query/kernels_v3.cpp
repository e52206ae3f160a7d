// SPDX-License-Identifier: Apache-2.0
// The kernels with AVX2 (x86-64-v3). Scores are below 2^31 (kernels.h), so signed compares do.
#include <immintrin.h>

#include "core/query/kernels.h"

namespace souk::query {

namespace {

constexpr uint32_t kWindow = 4096;

// For each mask of 8 lanes the lanes that are set, first ones first: a compress by one permutation.
struct Compress {
  alignas(32) uint32_t lanes[256][8];
};
constexpr Compress make_compress() {
  Compress table{};
  for (uint32_t mask = 0; mask < 256; ++mask) {
    uint32_t kept = 0;
    for (uint32_t lane = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1) != 0) table.lanes[mask][kept++] = lane;
    }
  }
  return table;
}
constexpr Compress kCompress = make_compress();

__m256i load(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}
void store(void* to, __m256i value) {
  _mm256_storeu_si256(static_cast<__m256i*>(to), value);
}
__m256i broadcast(uint32_t value) {
  return _mm256_set1_epi32(static_cast<int>(value));
}

// Lanes whose score is above `below` (= least - 1), of the first `left`.
uint32_t mask_above(__m256i scores, __m256i below, uint32_t left) {
  const auto mask = static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(scores, below))));
  return left >= 8 ? mask : mask & ((1U << left) - 1);
}

// Appends the lanes of the mask.
uint32_t append(uint32_t mask, __m256i docs, __m256i scores, uint32_t* out_docs, uint32_t* out_scores) {
  const __m256i lanes = load(kCompress.lanes[mask]);
  store(out_docs, _mm256_permutevar8x32_epi32(docs, lanes));
  store(out_scores, _mm256_permutevar8x32_epi32(scores, lanes));
  return static_cast<uint32_t>(__builtin_popcount(mask));
}

uint32_t emit_array(const uint16_t* docs, const uint8_t* impacts, uint32_t count, uint32_t weight, uint32_t base,
                    uint32_t least, uint32_t* out_docs, uint32_t* out_scores) {
  const __m256i weights = broadcast(weight);
  const __m256i bases = broadcast(base);
  const __m256i below = broadcast(least - 1);  // least = 0: -1, below every score
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i += 8) {
    const __m256i doc =
        _mm256_or_si256(bases, _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(docs + i))));
    __m256i score = _mm256_setzero_si256();
    if (impacts != nullptr) {
      const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(impacts + i));
      score = _mm256_mullo_epi32(weights, _mm256_cvtepu8_epi32(bytes));
    }
    kept += append(mask_above(score, below, count - i), doc, score, out_docs + kept, out_scores + kept);
  }
  return kept;
}

// Walking the set bits one by one is as fast here as expanding bytes without AVX-512.
uint32_t emit_bits(const uint64_t* bits, const uint8_t* impacts, uint32_t words, uint32_t weight, uint32_t base,
                   uint32_t least, uint32_t* out_docs, uint32_t* out_scores) {
  uint32_t kept = 0;
  uint32_t rank = 0;
  for (uint32_t w = 0; w < words; ++w) {
    for (uint64_t word = bits[w]; word != 0; word &= word - 1) {
      const uint32_t score = impacts != nullptr ? impacts[rank] * weight : 0;
      ++rank;
      out_docs[kept] = base + w * 64 + static_cast<uint32_t>(__builtin_ctzll(word));
      out_scores[kept] = score;
      kept += score >= least ? 1 : 0;
    }
  }
  return kept;
}

uint32_t keep_at_least(uint32_t* docs, uint32_t* scores, uint32_t count, uint32_t least) {
  const __m256i below = broadcast(least - 1);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i += 8) {
    const __m256i score = load(scores + i);
    kept += append(mask_above(score, below, count - i), load(docs + i), score, docs + kept, scores + kept);
  }
  return kept;
}

// The first of the 32 documents from `list` on that is not below doc; 32 when all are.
uint32_t first_not_below(const uint16_t* list, __m256i doc) {
  const __m256i low = load(list);
  const __m256i high = load(list + 16);
  const __m256i low_ge = _mm256_cmpeq_epi16(_mm256_max_epu16(low, doc), low);
  const __m256i high_ge = _mm256_cmpeq_epi16(_mm256_max_epu16(high, doc), high);
  const __m256i both = _mm256_permute4x64_epi64(_mm256_packs_epi16(low_ge, high_ge), 0xD8);
  const auto mask = static_cast<uint32_t>(_mm256_movemask_epi8(both));
  return static_cast<uint32_t>(_tzcnt_u32(mask));
}

void locate_in_array(const uint32_t* docs, uint32_t count, const uint16_t* list, uint32_t list_count,
                     uint32_t* places) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const auto doc = static_cast<uint16_t>(docs[i]);
    const __m256i wanted = _mm256_set1_epi16(static_cast<short>(doc));
    uint32_t step = 32;
    while (at + step < list_count && list[at + step] < doc) {
      at += step;
      step *= 2;
    }
    while (step > 32) {
      step /= 2;
      if (at + step < list_count && list[at + step] < doc) at += step;
    }
    const uint32_t place = at + first_not_below(list + at, wanted);  // list[at + 32] is not below, or not there
    const bool found = place < list_count && list[place] == doc;
    places[i] = found ? place : kNotFound;
    at = place < list_count ? place : list_count - 1;
  }
}

// Which of the 32 documents from `list` on are doc.
uint32_t equal_to(const uint16_t* list, __m256i doc) {
  const __m256i low = _mm256_cmpeq_epi16(load(list), doc);
  const __m256i high = _mm256_cmpeq_epi16(load(list + 16), doc);
  const __m256i both = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8);
  return static_cast<uint32_t>(_mm256_movemask_epi8(both));
}

void locate_in_buckets(const uint32_t* docs, uint32_t count, const uint16_t* list, const uint16_t* starts,
                       uint32_t bits, uint32_t* places) {
  for (uint32_t i = 0; i < count; ++i) {
    const auto doc = static_cast<uint16_t>(docs[i]);
    const __m256i wanted = _mm256_set1_epi16(static_cast<short>(doc));
    const uint32_t end = starts[(doc >> bits) + 1];
    uint32_t place = kNotFound;
    for (uint32_t at = starts[doc >> bits]; at < end; at += 32) {
      const uint32_t equal = equal_to(list + at, wanted);
      if (equal == 0) continue;
      const uint32_t found = at + static_cast<uint32_t>(_tzcnt_u32(equal));
      if (found < end) place = found;  // else it lies behind the bucket, so behind the list
      break;
    }
    places[i] = place;
  }
}

void locate_in_bits(const uint32_t* docs, uint32_t count, const uint64_t* bits, const uint16_t* ranks,
                    uint32_t* places) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t doc = docs[i] & 0xFFFF;
    const uint32_t word = doc >> 6;
    if ((bits[word] >> (doc & 63) & 1) == 0) {
      places[i] = kNotFound;
      continue;
    }
    uint32_t rank = ranks[doc >> 9];
    for (uint32_t w = word & ~7U; w < word; ++w) rank += static_cast<uint32_t>(__builtin_popcountll(bits[w]));
    places[i] = rank + static_cast<uint32_t>(__builtin_popcountll(_bzhi_u64(bits[word], doc & 63)));
  }
}

void add_bits(const uint64_t* bits, const uint8_t* impacts, uint32_t weight, uint32_t* sums) {
  uint32_t rank = 0;
  for (uint32_t w = 0; w < kWindow / 64; ++w) {
    for (uint64_t word = bits[w]; word != 0; word &= word - 1) {
      sums[w * 64 + static_cast<uint32_t>(__builtin_ctzll(word))] += impacts[rank++] * weight;
    }
  }
}

uint32_t take_sums(uint32_t* sums, uint32_t base, uint32_t least, uint32_t* out_docs, uint32_t* out_scores) {
  const __m256i below = broadcast(least - 1);
  const __m256i zero = _mm256_setzero_si256();
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < kWindow; i += 16) {
    const __m256i first = load(sums + i);
    const __m256i second = load(sums + i + 8);
    store(sums + i, zero);
    store(sums + i + 8, zero);
    const uint32_t first_mask = mask_above(first, below, 8);
    const uint32_t second_mask = mask_above(second, below, 8);
    if ((first_mask | second_mask) == 0) continue;
    const __m256i docs = _mm256_add_epi32(lanes, broadcast(base + i));
    kept += append(first_mask, docs, first, out_docs + kept, out_scores + kept);
    kept += append(second_mask, _mm256_add_epi32(docs, broadcast(8)), second, out_docs + kept, out_scores + kept);
  }
  return kept;
}

}  // namespace

constinit const Kernels kV3Kernels{.name = "v3",
                                   .emit_array = emit_array,
                                   .emit_bits = emit_bits,
                                   .keep_at_least = keep_at_least,
                                   .locate_in_array = locate_in_array,
                                   .locate_in_buckets = locate_in_buckets,
                                   .locate_in_bits = locate_in_bits,
                                   .add_bits = add_bits,
                                   .take_sums = take_sums};

}  // namespace souk::query
