// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/datasets/random.h"

namespace souk::bench {

inline constexpr uint32_t kCategories = 500;
inline constexpr uint32_t kVendors = 5000;

// A word of the corpus by number. Words, vendors' names, models' codes and article numbers have numbers of their own,
// one kind behind the other.
using WordId = uint32_t;

struct Title {
  uint32_t category = 0;
  uint32_t vendor = 0;
  uint64_t price = 0;  // minor units, > 0
  uint32_t model = 0;
  uint32_t quality = 0;       // 0..15
  std::vector<WordId> words;  // in their order; some occur twice
};

// Product-like short documents. Offers of a model share category, vendor, about the price, most of the title and a
// code; the rest of a title are words that are frequent everywhere or in its category (both after Zipf). One offer in
// five has an article number of its own: so, as in real catalogues, most terms occur once. The same seed and number
// give the same titles.
class Titles {
 public:
  Titles(uint64_t seed, uint32_t documents);

  // Document `number`, whatever was made before.
  void make(uint32_t number, Title& title) const;

  WordId words() const { return first_article_ + documents_; }  // bound of the numbers
  std::string spell(WordId word) const;

 private:
  static constexpr uint32_t kVocabulary = 100'000;
  static constexpr uint32_t kTopicWords = 1500;  // of a category

  WordId topic_word(uint32_t category, Random& random) const;

  uint64_t seed_;
  uint32_t documents_;
  uint32_t models_;
  WordId first_code_, first_article_;
  Zipf general_, topic_, categories_, vendors_;
};

}  // namespace souk::bench
