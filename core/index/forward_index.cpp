// SPDX-License-Identifier: Apache-2.0
#include "core/index/forward_index.h"

#include <algorithm>
#include <array>

namespace souk::index {

namespace {

constexpr size_t kMostTerms = 32;

}  // namespace

Result<ForwardIndex> ForwardIndex::open(const Container& file, uint32_t documents, uint32_t lexicon) {
  ForwardIndex index;
  auto offsets = Column::open(file, SectionId::kForwardOffsets, uint64_t{documents} + 1);
  if (!offsets) return std::unexpected(offsets.error());
  index.offsets_ = *offsets;
  uint64_t before = 0;
  bool descends = index.offsets_[0] != 0;
  for (uint64_t i = 0; i <= documents; ++i) {
    const uint64_t offset = index.offsets_[i];
    descends |= offset < before;
    before = offset;
  }
  if (descends) return corrupt("the offsets do not begin with 0, or descend", SectionId::kForwardOffsets);

  auto terms = OrdinalColumn::open(file, SectionId::kForwardTerms, before);
  if (!terms) return std::unexpected(terms.error());
  index.terms_ = *terms;
  bool beyond = false;
  for (uint64_t i = 0; i < before; ++i) {
    const uint32_t term = index.terms_[i];
    beyond |= (term >= lexicon) & (term != kBreak);
  }
  if (beyond) return corrupt("a word is beyond the lexicon", SectionId::kForwardTerms);
  return index;
}

bool ForwardIndex::has_phrase(uint32_t doc, std::span<const uint32_t> terms) const {
  const uint64_t stop = end(doc);
  for (uint64_t at = begin(doc); at + terms.size() <= stop; ++at) {
    size_t same = 0;
    while (same < terms.size() && terms_[at + same] == terms[same]) ++same;
    if (same == terms.size()) return true;
  }
  return false;
}

uint32_t ForwardIndex::proximity(uint32_t doc, std::span<const uint32_t> terms) const {
  const size_t wanted = std::min(terms.size(), kMostTerms);
  std::array<uint64_t, kMostTerms> last;  // one behind where each term was seen last; 0 = not since the last break
  last.fill(0);
  size_t seen = 0;
  uint64_t shortest = ~uint64_t{0};
  const uint64_t first = begin(doc);
  const uint64_t stop = end(doc);
  for (uint64_t at = first; at < stop; ++at) {
    const uint32_t term = terms_[at];
    if (term == kBreak) {
      last.fill(0);
      seen = 0;
      continue;
    }
    const auto found = static_cast<size_t>(std::ranges::find(terms.first(wanted), term) - terms.begin());
    if (found == wanted) continue;
    seen += last[found] == 0 ? 1 : 0;
    last[found] = at - first + 1;
    if (seen < wanted) continue;
    const uint64_t oldest = *std::min_element(last.begin(), last.begin() + static_cast<ptrdiff_t>(wanted));
    shortest = std::min(shortest, last[found] - oldest + 1);
  }
  return shortest == ~uint64_t{0} ? 0 : static_cast<uint32_t>(std::min<uint64_t>(shortest, kNoOrdinal));
}

Status write_forward_index(ContainerWriter& file, std::span<const uint64_t> offsets,
                           std::span<const uint32_t> sequences) {
  Status done = write_column(file, SectionId::kForwardOffsets, offsets);
  if (done) done = write_ordinals(file, SectionId::kForwardTerms, sequences);
  return done;
}

}  // namespace souk::index
