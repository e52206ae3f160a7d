// SPDX-License-Identifier: Apache-2.0
// The kernels without SIMD: what every other level is tested against, and what runs where there is no AVX2.
#include "core/query/kernels.h"

namespace souk::query {

namespace {

constexpr uint32_t kWindow = 4096;

uint32_t emit_array(const uint16_t* docs, const uint8_t* impacts, uint32_t count, uint32_t weight, uint32_t base,
                    uint32_t least, uint32_t* out_docs, uint32_t* out_scores) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t score = impacts != nullptr ? impacts[i] * weight : 0;
    out_docs[kept] = base | docs[i];
    out_scores[kept] = score;
    kept += score >= least ? 1 : 0;
  }
  return kept;
}

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
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t score = scores[i];
    docs[kept] = docs[i];
    scores[kept] = score;
    kept += score >= least ? 1 : 0;
  }
  return kept;
}

// The first place from `from` on whose document is not below doc: steps of 32, doubled while they help, then halved
// again.
uint32_t gallop(const uint16_t* list, uint32_t count, uint32_t from, uint16_t doc) {
  uint32_t at = from;
  uint32_t step = 32;
  while (at + step < count && list[at + step] < doc) {
    at += step;
    step *= 2;
  }
  for (; step != 0; step /= 2) {
    if (at + step < count && list[at + step] < doc) at += step;
  }
  return at < count && list[at] < doc ? at + 1 : at;
}

void locate_in_array(const uint32_t* docs, uint32_t count, const uint16_t* list, uint32_t list_count,
                     uint32_t* places) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const auto doc = static_cast<uint16_t>(docs[i]);
    at = gallop(list, list_count, at, doc);
    places[i] = at < list_count && list[at] == doc ? at : kNotFound;
  }
}

void locate_in_buckets(const uint32_t* docs, uint32_t count, const uint16_t* list, const uint16_t* starts,
                       uint32_t bits, uint32_t* places) {
  for (uint32_t i = 0; i < count; ++i) {
    const auto doc = static_cast<uint16_t>(docs[i]);
    uint32_t place = kNotFound;
    for (uint32_t at = starts[doc >> bits]; at < starts[(doc >> bits) + 1]; ++at) place = list[at] == doc ? at : place;
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
    const uint64_t below = bits[word] & ((uint64_t{1} << (doc & 63)) - 1);
    places[i] = rank + static_cast<uint32_t>(__builtin_popcountll(below));
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
  uint32_t kept = 0;
  for (uint32_t i = 0; i < kWindow; ++i) {
    out_docs[kept] = base + i;
    out_scores[kept] = sums[i];
    kept += sums[i] >= least ? 1 : 0;
    sums[i] = 0;
  }
  return kept;
}

}  // namespace

constinit const Kernels kScalarKernels{.name = "scalar",
                                       .emit_array = emit_array,
                                       .emit_bits = emit_bits,
                                       .keep_at_least = keep_at_least,
                                       .locate_in_array = locate_in_array,
                                       .locate_in_buckets = locate_in_buckets,
                                       .locate_in_bits = locate_in_bits,
                                       .add_bits = add_bits,
                                       .take_sums = take_sums};

}  // namespace souk::query
