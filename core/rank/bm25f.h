// SPDX-License-Identifier: Apache-2.0
// BM25F with a length normalisation per field (Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and
// Beyond, 2009, section 3.6.1), quantised: a posting's 8-bit impact times a term's 16-bit idf weight is an integer, so
// a sum depends neither on the order of adding nor on the shard.
#pragma once

#include <array>
#include <cstdint>

#include "core/index/fields.h"

namespace souk::rank {

struct FieldParameters {
  double weight = 1.0;
  double b = 0.75;
  double average_length = 1.0;  // terms, over all offers of the generation; > 0
};

struct Bm25f {
  double k1 = 1.2;
  std::array<FieldParameters, index::kFields> fields;
};

using FieldCounts = std::array<uint32_t, index::kFields>;

// Impact of a term that occurs counts[f] times in fields of lengths[f] terms, over the main fields (all but the
// description): 255 * x / (k1 + x), rounded, at least 1; 0 when it occurs in none of them.
uint8_t main_impact(const Bm25f& model, const FieldCounts& counts, const FieldCounts& lengths);
// The same of the description alone.
uint8_t description_impact(const Bm25f& model, const FieldCounts& counts, const FieldCounts& lengths);

// 2048 * ln(1 + (N - df + 0.5) / (df + 0.5)), rounded, 1..65535. df <= documents.
uint32_t idf_weight(uint64_t documents, uint64_t df);

}  // namespace souk::rank
