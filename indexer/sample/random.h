// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace souk::sample {

// SplitMix64. The standard library's distributions differ between implementations; this gives the same market anywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  // 0 <= result < bound; bound > 0 and small, so that the modulo's bias does not matter here.
  uint64_t below(uint64_t bound) { return next() % bound; }
  bool chance(uint64_t percent) { return below(100) < percent; }
  template <typename T>
  const T& pick(std::span<const T> from) {
    return from[below(from.size())];
  }

 private:
  uint64_t state_;
};

}  // namespace souk::sample
