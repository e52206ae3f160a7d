// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

namespace souk::input {

// Sixteen bytes at once, on any processor that clang knows.
using ByteVector = uint8_t __attribute__((vector_size(16)));
// Of a comparison: all bits of a byte are set or none.
using ByteFlags = decltype(ByteVector{} == ByteVector{});

inline ByteVector load_bytes(const char* at) {
  ByteVector bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

inline bool any(ByteFlags flags) {
  uint64_t halves[2];
  std::memcpy(halves, &flags, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

}  // namespace souk::input
