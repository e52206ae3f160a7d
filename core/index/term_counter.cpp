// SPDX-License-Identifier: Apache-2.0
#include "core/index/term_counter.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/error.h"
#include "core/base/hash.h"

namespace souk::index {

namespace {

constexpr size_t kMaxTermBytes = 256;
constexpr uint64_t kFirstSlots = 1024;

}  // namespace

uint32_t TermCounter::add(std::string_view term, bool in_main) {
  SOUK_CHECK(!term.empty() && term.size() <= kMaxTermBytes);
  if (uint64_t{size_} * 10 >= slots_.size() * 7) grow();
  const uint64_t hash = xxh3(term);
  uint64_t& slot = slots_[find_slot(hash, term)];
  if (slot == 0) slot = hash << kPlaceBits | (append(term) + 1);
  Record& found = record((slot & kPlaceMask) - 1);
  ++found.any_df;
  if (in_main) ++found.main_df;
  return found.number;
}

uint32_t TermCounter::find(std::string_view term) const {
  if (size_ == 0) return kNoOrdinal;
  const uint64_t slot = slots_[find_slot(xxh3(term), term)];
  return slot == 0 ? kNoOrdinal : record((slot & kPlaceMask) - 1).number;
}

// Where the term is, or the empty slot where it would be.
uint64_t TermCounter::find_slot(uint64_t hash, std::string_view term) const {
  const uint64_t mask = slots_.size() - 1;
  for (uint64_t at = hash >> shift_;; at = (at + 1) & mask) {
    const uint64_t slot = slots_[at];
    if (slot == 0) return at;
    if (slot >> kPlaceBits == (hash << kPlaceBits) >> kPlaceBits && term_of(record((slot & kPlaceMask) - 1)) == term) {
      return at;
    }
  }
}

uint64_t TermCounter::append(std::string_view term) {
  SOUK_CHECK(size_ < kNoOrdinal - 1);  // beyond 150 GB of terms
  const uint64_t units = (kHeader + term.size() + kUnit - 1) / kUnit;
  if (end_ % kChunk + units > kChunk || end_ / kChunk == chunks_.size()) {
    end_ = chunks_.size() * kChunk;
    chunks_.push_back(std::make_unique<std::byte[]>(kChunk * kUnit));
  }
  const uint64_t place = end_;
  end_ += units;
  Record& added = record(place);
  added.number = size_++;
  places_.push_back(place);
  added.main_df = added.any_df = 0;
  added.last = static_cast<uint8_t>(term.size() - 1);
  std::memcpy(reinterpret_cast<std::byte*>(&added) + kHeader, term.data(), term.size());
  return place;
}

void TermCounter::grow() {
  const uint64_t slots = std::max(kFirstSlots, slots_.size() * 2);
  slots_ = {};  // before the greater one is made
  slots_.resize(slots);
  shift_ = 64 - std::countr_zero(slots);
  for (const uint64_t place : places_) {
    const uint64_t hash = xxh3(term_of(record(place)));
    uint64_t at = hash >> shift_;
    while (slots_[at] != 0) at = (at + 1) & (slots - 1);
    slots_[at] = hash << kPlaceBits | (place + 1);
  }
}

void TermCounter::sort() {
  // Most comparisons end within the first eight bytes and need not look at the term.
  struct Key {
    uint64_t first;
    uint64_t place;
  };
  std::vector<Key> keys;
  keys.reserve(places_.size());
  for (const uint64_t place : places_) {
    const std::string_view term = term_of(record(place));
    uint64_t first = 0;
    std::memcpy(&first, term.data(), std::min(term.size(), sizeof(first)));
    keys.push_back({std::byteswap(first), place});
  }
  std::ranges::sort(keys, [this](const Key& a, const Key& b) {
    if (a.first != b.first) return a.first < b.first;
    return term_of(record(a.place)) < term_of(record(b.place));
  });
  ordinals_.resize(size_);
  for (uint32_t ordinal = 0; ordinal < size_; ++ordinal) {
    places_[ordinal] = keys[ordinal].place;
    Record& numbered = record(keys[ordinal].place);
    ordinals_[numbered.number] = ordinal;
    numbered.number = ordinal;
  }
}

TermCounter::Counted TermCounter::operator[](uint32_t ordinal) const {
  const Record& counted = record(places_[ordinal]);
  return {term_of(counted), counted.main_df, counted.any_df};
}

}  // namespace souk::index
