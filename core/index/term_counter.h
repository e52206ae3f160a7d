// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/index/fields.h"

namespace souk::index {

// The distinct terms of a generation that is being built, with the number of documents that have each. Called for every
// word of every document, so it is a table of our own: a look-up that hits takes two cache misses and no allocation,
// and a term costs its bytes, 23 more, and 11 to 23 in the table.
class TermCounter {
 public:
  // Counts one document for a term of 1 to 256 bytes. The term's id: how many distinct ones came before.
  uint32_t add(std::string_view term, bool in_main);

  // Once, after the last add: numbers the terms in ascending order. Costs 4 bytes a term more, and 16 while it works.
  void sort();
  uint32_t ordinal(uint32_t id) const { return ordinals_[id]; }
  uint32_t find(std::string_view term) const;  // its ordinal; kNoOrdinal when it was never added

  uint32_t size() const { return size_; }
  struct Counted {
    std::string_view term;
    uint32_t main_df, any_df;
  };
  Counted operator[](uint32_t ordinal) const;  // after sort()

 private:
  // Lies in the arena before the term's bytes.
  struct Record {
    uint32_t number;  // the id, and once they are sorted the ordinal
    uint32_t main_df, any_df;
    uint8_t last;  // the term's size - 1
  };
  static constexpr size_t kHeader = offsetof(Record, last) + 1;

  Record& record(uint64_t place) const {
    return *reinterpret_cast<Record*>(chunks_[place / kChunk].get() + place % kChunk * kUnit);
  }
  static std::string_view term_of(const Record& record) {
    return {reinterpret_cast<const char*>(&record) + kHeader, size_t{record.last} + 1};
  }
  uint64_t find_slot(uint64_t hash, std::string_view term) const;
  uint64_t append(std::string_view term);
  void grow();

  static constexpr size_t kUnit = alignof(Record);
  static constexpr uint64_t kChunk = uint64_t{1} << 18;  // units in a chunk: 1 MiB
  // A slot is a fingerprint of 24 bits and a place + 1 of 40 bits, or 0: empty.
  static constexpr int kPlaceBits = 40;
  static constexpr uint64_t kPlaceMask = (uint64_t{1} << kPlaceBits) - 1;

  uint32_t size_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  uint64_t end_ = 0;                // place behind the last record
  std::vector<uint64_t> slots_;     // a power of two
  int shift_ = 0;                   // from a hash to a slot
  std::vector<uint64_t> places_;    // of the records by id, and once they are sorted by ordinal
  std::vector<uint32_t> ordinals_;  // by id
};

}  // namespace souk::index
