// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/index/column.h"
#include "core/index/container.h"

namespace souk::index {

// The sorted terms of a generation; a term's ordinal is its place. Stored front-coded (each term as the length of what
// it shares with the one before, and the rest) in blocks of 16 whose first term is whole; exact look-up goes through a
// table of fingerprints made when the file is opened. Immutable, thread-safe; the file's bytes must outlive it. About 6
// bytes a term in the file and 11.4 more in memory; a look-up takes three cache misses and one block's decoding. Bytes
// that are no UTF-8 are safe: a code point is as long as its first byte says.
class TermDictionary {
 public:
  // Terms ascend, are not empty and at most kMaxTermBytes long. kCorruption naming the section.
  static Result<TermDictionary> open(const Container& file, SectionId blocks, SectionId bytes, uint64_t terms);
  static constexpr size_t kMaxTermBytes = 256;
  static constexpr uint32_t kBlock = 16;  // terms

  uint32_t size() const { return terms_; }
  std::optional<uint32_t> find(std::string_view term) const;
  std::string term(uint32_t ordinal) const;  // ordinal < size()

  struct Range {
    uint32_t begin, end;
  };
  Range with_prefix(std::string_view prefix) const;  // every term that begins so; all for an empty one

  struct Similar {
    uint32_t ordinal;
    uint32_t distance;  // Levenshtein over code points: Levenshtein 1966; a swap of neighbours counts two
  };
  struct SimilarTerms {
    std::vector<Similar> terms;  // by ascending ordinal
    bool complete = true;        // false when out_of_time() or `most` ended the search
  };
  // Terms within `distance` (0..2) code points of `term`, at most `most` of them. out_of_time is asked every few
  // hundred terms. Terms that share a prefix share its row of the matrix, and a prefix that is too far off is skipped
  // whole.
  SimilarTerms similar(std::string_view term, uint32_t distance, size_t most,
                       const std::function<bool()>& out_of_time) const;

  uint64_t memory_bytes() const;  // of the table beside the file

 private:
  struct Slot {
    uint32_t fingerprint;
    uint32_t ordinal;  // kNoOrdinal: empty
  };
  class BlockReader;
  class SimilarWalk;

  Status check_and_index(SectionId bytes);
  void insert(uint64_t hash, uint32_t ordinal);
  uint64_t slot_of(uint64_t hash) const;
  uint32_t blocks() const { return static_cast<uint32_t>((uint64_t{terms_} + kBlock - 1) / kBlock); }
  uint32_t terms_of(uint32_t block) const { return std::min(kBlock, terms_ - block * kBlock); }
  std::string_view head(uint32_t block) const;
  bool is(uint32_t ordinal, std::string_view term) const;
  uint32_t lower_bound(std::string_view term) const;  // the first term that is not less, or size()

  uint32_t terms_ = 0;
  Column offsets_;  // of each block, and the end
  std::string_view bytes_;
  std::vector<Slot> slots_;
};

// Holds about 6 bytes a term until they are written.
class TermDictionaryWriter {
 public:
  void add(std::string_view term);  // ascending, 1 to kMaxTermBytes long
  // kInternal when add() was called otherwise.
  Status write(ContainerWriter& file, SectionId blocks, SectionId bytes) const;

 private:
  Status status_;  // the first failure sticks
  uint64_t terms_ = 0;
  std::string last_;
  std::vector<uint64_t> offsets_;
  std::string bytes_;
};

}  // namespace souk::index
