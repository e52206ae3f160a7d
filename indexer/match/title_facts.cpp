// SPDX-License-Identifier: Apache-2.0
#include "indexer/match/title_facts.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/ascii.h"
#include "core/base/hash.h"
#include "indexer/match/words.h"

namespace souk::match {
namespace {

constexpr size_t kMaxFacts = 16;
constexpr size_t kMaxTitleBytes = 512;  // of a title that are looked at
constexpr uint32_t kValueBits = 24;
constexpr uint32_t kColour = 255;

struct Word {
  std::string_view text;
  uint8_t kind;
};
// Units of one kind in both languages. Not "в" (volts): it is "in" far more often; nor "a".
constexpr std::array<Word, 38> kUnits = {{
    {"gb", 1},  {"гб", 1},  {"mb", 2},  {"мб", 2},  {"tb", 3},  {"тб", 3},   {"ghz", 4},  {"ггц", 4},
    {"mhz", 5}, {"мгц", 5}, {"w", 6},   {"вт", 6},  {"kw", 7},  {"квт", 7},  {"m", 8},    {"м", 8},
    {"cm", 9},  {"см", 9},  {"mm", 10}, {"мм", 10}, {"l", 11},  {"л", 11},   {"ml", 12},  {"мл", 12},
    {"kg", 13}, {"кг", 13}, {"g", 14},  {"г", 14},  {"гр", 14}, {"mah", 15}, {"мач", 15}, {"pcs", 16},
    {"pc", 16}, {"шт", 16}, {"ft", 17}, {"v", 18},  {"mg", 19}, {"мг", 19},
}};
constexpr std::array<Word, 25> kColours = {{
    {"black", 1},   {"white", 2},  {"red", 3},   {"blue", 4},     {"green", 5},   {"yellow", 6},  {"grey", 7},
    {"gray", 7},    {"silver", 8}, {"gold", 9},  {"brown", 10},   {"pink", 11},   {"orange", 12}, {"purple", 13},
    {"violet", 13}, {"beige", 14}, {"cyan", 15}, {"magenta", 16}, {"голубой", 4}, {"голубая", 4}, {"голубое", 4},
    {"серый", 7},   {"серая", 7},  {"серое", 7}, {"серые", 7},
}};
// Russian colours are known by how they begin: they have endings. "син" also begins "синтетика", hence the longer ones.
constexpr std::array<Word, 21> kColourStems = {{
    {"черн", 1},    {"белый", 2},  {"белая", 2},  {"белое", 2},   {"белые", 2},  {"красн", 3},   {"синий", 4},
    {"синяя", 4},   {"синее", 4},  {"синие", 4},  {"зелен", 5},   {"желт", 6},   {"серебр", 8},  {"золот", 9},
    {"коричн", 10}, {"розов", 11}, {"оранж", 12}, {"фиолет", 13}, {"бежев", 14}, {"пурпур", 16}, {"голуб", 4},
}};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

// Splits a folded title into numbers ("2.5") and words; everything else stands between them.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<uint32_t> facts() {
    while (place_ < text_.size()) {
      if (is_digit(text_[place_])) {
        measure();
      } else if (is_letter(text_[place_])) {
        colour(word());
      } else {
        ++place_;
      }
    }
    std::ranges::sort(facts_);
    facts_.erase(std::ranges::unique(facts_).begin(), facts_.end());
    if (facts_.size() > kMaxFacts) facts_.resize(kMaxFacts);
    return std::move(facts_);
  }

 private:
  std::string_view word() {
    const size_t begin = place_;
    while (place_ < text_.size() && is_letter(text_[place_])) ++place_;
    const std::string_view word = text_.substr(begin, place_ - begin);
    // A code, such as lx10b.
    if (place_ < text_.size() && is_digit(text_[place_])) {
      while (place_ < text_.size() && (is_letter(text_[place_]) || is_digit(text_[place_]))) ++place_;
      return {};
    }
    return word;
  }

  void colour(std::string_view word) {
    const auto exact = std::ranges::find(kColours, word, &Word::text);
    if (exact != kColours.end()) return add(kColour, exact->kind);
    const auto begins =
        std::ranges::find_if(kColourStems, [&](const Word& stem) { return word.starts_with(stem.text); });
    if (begins != kColourStems.end()) add(kColour, begins->kind);
  }

  void measure() {
    std::string number;
    while (place_ < text_.size()) {
      const char c = text_[place_];
      const bool is_point = (c == '.' || c == ',') && place_ + 1 < text_.size() && is_digit(text_[place_ + 1]);
      if (!is_digit(c) && !is_point) break;
      number += is_point ? '.' : c;
      ++place_;
    }
    if (number.contains('.')) number.erase(number.find_last_not_of('0') + 1);
    if (number.ends_with('.')) number.pop_back();
    const size_t behind = place_;
    if (place_ < text_.size() && (text_[place_] == ' ' || text_[place_] == '-')) ++place_;
    const std::string_view unit = place_ < text_.size() && is_letter(text_[place_]) ? word() : std::string_view();
    const auto known = std::ranges::find(kUnits, unit, &Word::text);
    if (known != kUnits.end()) return add(known->kind, xxh3(std::string_view(number)));
    place_ = behind;  // the word may be a colour
  }

  void add(uint32_t kind, uint64_t value) {
    facts_.push_back((kind << kValueBits) | static_cast<uint32_t>(value & ((1U << kValueBits) - 1)));
  }

  std::string_view text_;
  size_t place_ = 0;
  std::vector<uint32_t> facts_;
};

}  // namespace

std::vector<uint32_t> title_facts(std::string_view title) {
  const std::string text = folded(title.substr(0, kMaxTitleBytes));
  return Scanner(text).facts();
}

bool contradict(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const uint32_t kind = std::max(a[i] >> kValueBits, b[j] >> kValueBits);
    const bool both = a[i] >> kValueBits == b[j] >> kValueBits;
    bool common = false;
    if (both) {
      size_t x = i;
      size_t y = j;
      while (x < a.size() && y < b.size() && a[x] >> kValueBits == kind && b[y] >> kValueBits == kind && !common) {
        if (a[x] == b[y]) common = true;
        ++(a[x] < b[y] ? x : y);
      }
      if (!common) return true;
    }
    const uint32_t next = both ? kind + 1 : kind;
    while (i < a.size() && a[i] >> kValueBits < next) ++i;
    while (j < b.size() && b[j] >> kValueBits < next) ++j;
  }
  return false;
}

}  // namespace souk::match
