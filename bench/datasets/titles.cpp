// SPDX-License-Identifier: Apache-2.0
#include "bench/datasets/titles.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace souk::bench {

namespace {

uint64_t mix(uint64_t value) {
  return Random(value).next();
}

// Different numbers below 14^3 x 5^3 give different words.
std::string pronounceable(uint32_t number) {
  static constexpr std::string_view kConsonants = "bdfgklmnprstvz", kVowels = "aeiou";
  static constexpr std::array<std::string_view, 8> kEndings = {"", "n", "r", "s", "ko", "ten", "ger", "lin"};
  constexpr uint32_t kSyllables = 70;
  constexpr uint32_t kWords = kSyllables * kSyllables * kSyllables;
  uint32_t rest = static_cast<uint32_t>(uint64_t{number} * 123'457 % kWords);  // neighbours look different
  std::string word;
  for (int syllable = 0; syllable < 3; ++syllable) {
    word += kConsonants[rest % kSyllables / 5];
    word += kVowels[rest % 5];
    rest /= kSyllables;
  }
  return word.append(kEndings[mix(number) % kEndings.size()]);
}

}  // namespace

Titles::Titles(uint64_t seed, uint32_t documents)
    : seed_(mix(seed)),
      documents_(documents),
      models_(std::max(documents / 2, 1U)),
      first_code_(kVocabulary + kVendors),
      first_article_(first_code_ + models_),
      general_(kVocabulary, 1.0),
      topic_(kTopicWords, 0.8),
      categories_(kCategories, 0.7),
      vendors_(kVendors, 0.8) {}

// The r-th word of each category is another one; categories share words.
WordId Titles::topic_word(uint32_t category, Random& random) const {
  constexpr uint32_t kFirst = 100, kLast = 20'000;  // neither the most frequent of all nor the rarest
  Random choice(seed_ ^ (uint64_t{category} * kTopicWords + topic_.pick(random) + 1));
  const double at = choice.unit();
  return kFirst + static_cast<WordId>(at * at * (kLast - kFirst));
}

void Titles::make(uint32_t number, Title& title) const {
  Random random(seed_ + mix(number));
  const double popularity = random.unit();
  // About 0.4 models per document; a few have many offers.
  title.model = std::min(static_cast<uint32_t>(popularity * popularity * models_), models_ - 1);

  Random model(seed_ ^ mix(uint64_t{title.model} << 32));
  title.category = categories_.pick(model);
  // Each category has its own big vendors.
  title.vendor = static_cast<uint32_t>((vendors_.pick(model) + mix(title.category)) % kVendors);
  const double price = std::exp(6.9 + 8.5 * model.unit());  // 1,000 to 5,000,000
  title.price = static_cast<uint64_t>(price * (0.85 + 0.3 * random.unit()));
  title.quality = static_cast<uint32_t>(std::min<uint64_t>(model.below(8) + random.below(5) + random.below(5), 15));

  title.words.clear();
  const uint64_t core = model.between(3, 5);
  for (uint64_t i = 0; i < core; ++i) {
    const WordId word = model.chance(0.7) ? topic_word(title.category, model) : general_.pick(model);
    if (random.chance(0.9)) title.words.push_back(word);
  }
  if (random.chance(0.75)) title.words.push_back(kVocabulary + title.vendor);
  if (random.chance(0.4)) title.words.push_back(first_code_ + title.model);
  const uint64_t own = random.between(2, 7);
  for (uint64_t i = 0; i < own; ++i) {
    title.words.push_back(random.chance(0.45) ? topic_word(title.category, random) : general_.pick(random));
  }
  if (random.chance(0.25)) title.words.push_back(first_article_ + number);
}

std::string Titles::spell(WordId word) const {
  if (word < first_code_) return pronounceable(word);
  const bool article = word >= first_article_;
  const uint32_t number = word - (article ? first_article_ : first_code_);
  const uint64_t letters = mix(word);
  std::string code;
  code += static_cast<char>('a' + letters % 26);
  if (!article) code += static_cast<char>('a' + letters / 26 % 26);
  return code + std::to_string(number);
}

}  // namespace souk::bench
