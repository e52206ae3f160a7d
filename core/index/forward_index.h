// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/index/column.h"

namespace souk::index {

// Per document the terms of its title and of its params' values in their order, as ordinals of the generation's
// lexicon: what phrases and proximity are looked up in instead of positional postings. A break stands between the title
// and each param value, so that no phrase spans two of them. 4 bytes a document, and 1 to 4 a word.
class ForwardIndex {
 public:
  static constexpr uint32_t kBreak = kNoOrdinal;  // reads as that, whatever the width

  // lexicon = number of terms there. kCorruption naming the section.
  static Result<ForwardIndex> open(const Container& file, uint32_t documents, uint32_t lexicon);

  uint64_t begin(uint32_t doc) const { return offsets_[doc]; }
  uint64_t end(uint32_t doc) const { return offsets_[doc + 1]; }
  uint32_t term(uint64_t at) const { return terms_[at]; }
  uint64_t words() const { return terms_.size(); }
  void prefetch(uint32_t doc) const { __builtin_prefetch(terms_.raw().row(offsets_[doc])); }

  // Whether the terms stand next to each other in this order somewhere in the document. At least one term.
  bool has_phrase(uint32_t doc, std::span<const uint32_t> terms) const;
  // Words of the shortest stretch, without a break, that has every one of the (distinct, at most 32) terms; 0 = there
  // is none.
  uint32_t proximity(uint32_t doc, std::span<const uint32_t> terms) const;

 private:
  Column offsets_;
  OrdinalColumn terms_;
};

// sequences: all documents' terms one behind the other; offsets: documents + 1.
Status write_forward_index(ContainerWriter& file, std::span<const uint64_t> offsets,
                           std::span<const uint32_t> sequences);

}  // namespace souk::index
