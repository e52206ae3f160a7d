// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace souk {

// What a key names. Values are written into stores and files: never renumber.
enum class KeyType : uint16_t { kOffer = 1, kModel = 2, kShop = 3, kCategory = 4 };

// The 64-bit name of a document, unique over all shards and generations and never used again:
//   2 reserved bits | 16 bits slot (virtual shard) | 10 bits type | 36 bits local id
// The layout is Pinterest's (MISSION B): 241294492511762325 is slot 3429, type 1, local id 7075733.
class DocKey {
 public:
  static constexpr int kLocalBits = 36;
  static constexpr int kTypeBits = 10;
  static constexpr uint64_t kMaxLocal = (uint64_t{1} << kLocalBits) - 1;

  constexpr DocKey() = default;
  constexpr explicit DocKey(uint64_t value) : value_(value) {}
  // local must be <= kMaxLocal.
  static constexpr DocKey make(uint16_t slot, KeyType type, uint64_t local) {
    return DocKey((uint64_t{slot} << (kLocalBits + kTypeBits)) | (uint64_t{static_cast<uint16_t>(type)} << kLocalBits) |
                  (local & kMaxLocal));
  }

  constexpr uint64_t value() const { return value_; }
  constexpr uint16_t slot() const { return static_cast<uint16_t>(value_ >> (kLocalBits + kTypeBits)); }
  constexpr KeyType type() const { return static_cast<KeyType>((value_ >> kLocalBits) & ((1U << kTypeBits) - 1)); }
  constexpr uint64_t local() const { return value_ & kMaxLocal; }
  constexpr explicit operator bool() const { return value_ != 0; }
  constexpr auto operator<=>(const DocKey&) const = default;

 private:
  uint64_t value_ = 0;
};

// Decimal text, as keys are written in JSON and URLs (JavaScript loses 64-bit integers). Refuses signs, blanks,
// overflow and set reserved bits.
Result<DocKey> parse_key(std::string_view text);
std::string to_string(DocKey key);

// A generation: sequence number given by control, and the hash of its canonical content. Written "7-00ab…" (16 hex).
struct GenerationId {
  uint64_t number = 0;
  uint64_t content_hash = 0;
  constexpr auto operator<=>(const GenerationId&) const = default;
  constexpr explicit operator bool() const { return number != 0; }
};
std::string to_string(const GenerationId& id);
Result<GenerationId> parse_generation(std::string_view text);
std::string hex16(uint64_t value);

}  // namespace souk

template <>
struct std::hash<souk::DocKey> {
  size_t operator()(souk::DocKey key) const noexcept { return std::hash<uint64_t>{}(key.value()); }
};
