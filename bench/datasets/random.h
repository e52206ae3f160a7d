// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace souk::bench {

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): the same numbers anywhere.
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
  uint64_t between(uint64_t least, uint64_t most) { return least + below(most - least + 1); }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // 0 <= result < 1
  bool chance(double probability) { return unit() < probability; }

 private:
  uint64_t state_;
};

// Number k with the weight (k + 1)^-exponent, in constant time (Walker's alias method in Vose's form, 1991).
class Zipf {
 public:
  Zipf(uint32_t size, double exponent) : keep_(size), other_(size) {
    std::vector<double> weights(size);
    double sum = 0;
    for (uint32_t k = 0; k < size; ++k) sum += weights[k] = std::pow(k + 1.0, -exponent);
    std::vector<uint32_t> small, large;
    for (uint32_t k = 0; k < size; ++k) {
      keep_[k] = weights[k] / sum * size;
      (keep_[k] < 1 ? small : large).push_back(k);
    }
    while (!small.empty() && !large.empty()) {
      const uint32_t poor = small.back(), rich = large.back();
      small.pop_back();
      other_[poor] = rich;
      keep_[rich] -= 1 - keep_[poor];
      if (keep_[rich] < 1) {
        large.pop_back();
        small.push_back(rich);
      }
    }
    // What is left is 1 but for rounding.
    for (const uint32_t k : small) keep_[k] = 1;
    for (const uint32_t k : large) keep_[k] = 1;
  }

  uint32_t pick(Random& random) const {
    const auto k = static_cast<uint32_t>(random.below(keep_.size()));
    return random.unit() < keep_[k] ? k : other_[k];
  }

 private:
  std::vector<double> keep_;
  std::vector<uint32_t> other_;
};

}  // namespace souk::bench
