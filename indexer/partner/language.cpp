// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/language.h"

#include <algorithm>
#include <charconv>

namespace souk::partner {

namespace {

// "…;q=0.8" -> 0.8; 1 when it says nothing, 0 when it cannot be read.
double quality_of(std::string_view parameters) {
  const size_t at = parameters.find("q=");
  if (at == std::string_view::npos) return 1;
  const std::string_view digits = parameters.substr(at + 2);
  double quality = 0;
  const auto [stopped, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), quality, std::chars_format::fixed);
  return failure == std::errc{} && quality >= 0 && quality <= 1 ? quality : 0;
}

}  // namespace

std::string_view to_string(Language language) {
  return language == Language::kRussian ? "ru" : "en";
}

std::optional<Language> parse_language(std::string_view name) {
  if (name == "ru") return Language::kRussian;
  if (name == "en") return Language::kEnglish;
  return std::nullopt;
}

Language accepted_language(std::string_view header) {
  Language best = Language::kRussian;
  double best_quality = 0;
  while (!header.empty()) {
    const size_t end = std::min(header.find(','), header.size());
    std::string_view range = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    while (range.starts_with(' ')) range.remove_prefix(1);
    const auto language = parse_language(range.substr(0, range.find_first_of("-; ")));
    const double quality = quality_of(range);
    if (!language || quality <= best_quality) continue;
    best = *language;
    best_quality = quality;
  }
  return best;
}

}  // namespace souk::partner
