// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// The words the sample market is made of. All names of makers and shops are invented.
namespace souk::sample {

enum class Language { kRussian, kEnglish };

struct Text {
  std::string_view ru;
  std::string_view en;
  constexpr std::string_view in(Language language) const { return language == Language::kRussian ? ru : en; }
};

struct ParamSpec {
  Text name;
  Text unit;  // empty when there is none
  std::span<const Text> values;
  bool in_title = false;
};

// What is sold in one second-level category.
struct Kind {
  Text category;
  std::span<const Text> nouns;   // what the thing is called
  std::span<const Text> series;  // the maker's name of the line
  bool numbered = false;         // a number follows the line's name
  std::span<const ParamSpec> params;
  int64_t price_low = 0;  // roubles
  int64_t price_high = 0;
};

struct Department {
  Text name;
  std::span<const Kind> kinds;
  std::span<const std::string_view> brands;
  std::span<const Text> sentences;  // for descriptions
  bool brand_in_title = true;
};

std::span<const Department> departments();
std::span<const Text> closing_sentences();

}  // namespace souk::sample
