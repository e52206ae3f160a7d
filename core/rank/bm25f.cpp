// SPDX-License-Identifier: Apache-2.0
#include "core/rank/bm25f.h"

#include <algorithm>
#include <cmath>

namespace souk::rank {

namespace {

uint8_t impact(const Bm25f& model, const FieldCounts& counts, const FieldCounts& lengths, size_t begin, size_t end) {
  double frequency = 0;
  bool occurs = false;
  for (size_t f = begin; f < end; ++f) {
    if (counts[f] == 0) continue;
    occurs = true;
    const FieldParameters& field = model.fields[f];
    frequency += field.weight * counts[f] / (1 - field.b + field.b * lengths[f] / field.average_length);
  }
  if (!occurs) return 0;
  const double saturated = frequency > 0 ? frequency / (model.k1 + frequency) : 0;
  return static_cast<uint8_t>(std::clamp(std::lround(255 * saturated), 1L, 255L));
}

}  // namespace

uint8_t main_impact(const Bm25f& model, const FieldCounts& counts, const FieldCounts& lengths) {
  return impact(model, counts, lengths, 0, index::kMainFields);
}

uint8_t description_impact(const Bm25f& model, const FieldCounts& counts, const FieldCounts& lengths) {
  return impact(model, counts, lengths, index::kMainFields, index::kFields);
}

uint32_t idf_weight(uint64_t documents, uint64_t df) {
  const double n = static_cast<double>(documents);
  const double d = static_cast<double>(df);
  return static_cast<uint32_t>(std::clamp(std::lround(2048 * std::log(1 + (n - d + 0.5) / (d + 0.5))), 1L, 65535L));
}

}  // namespace souk::rank
