// SPDX-License-Identifier: Apache-2.0
#include "indexer/match/vendor_name.h"

#include <algorithm>
#include <array>
#include <utility>

#include "indexer/match/words.h"

namespace souk::match {
namespace {

constexpr size_t kMaxNameBytes = 200;  // of a name that are looked at
constexpr size_t kLeastPrefix = 3;

constexpr std::array<std::string_view, 30> kLegalForms = {
    "ооо", "оао",  "зао",         "пао", "ао",      "ип",   "тоо", "llc", "ltd", "limited",
    "inc", "corp", "corporation", "co",  "company", "gmbh", "ag",  "kg",  "sa",  "srl",
    "spa", "bv",   "nv",          "oy",  "ab",      "plc",  "pte", "pty", "kk",  "sarl",
};
constexpr std::array<std::string_view, 25> kNobody = {
    "noname", "nobrand",   "unbranded", "generic",  "oem",      "unknown",   "none",       "na",          "no",
    "нет",    "безбренда", "нетбренда", "безмарки", "неуказан", "неуказано", "неизвестно", "неизвестный", "нонейм",
    "china",  "китай",     "russia",    "россия",   "другой",   "other",     "brand",
};
// Two bytes of UTF-8 each; a vowel, й, х, ь, ъ have no sound.
constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kCyrillic = {{
    {"б", "b"}, {"в", "v"}, {"г", "k"}, {"д", "d"}, {"ж", "s"}, {"з", "s"}, {"к", "k"},
    {"л", "l"}, {"м", "m"}, {"н", "n"}, {"п", "p"}, {"р", "r"}, {"с", "s"}, {"т", "t"},
    {"ф", "f"}, {"ц", "s"}, {"ч", "s"}, {"ш", "s"}, {"щ", "s"}, {"ґ", "k"},
}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 21> kLatin = {{
    {"sch", "s"}, {"ph", "f"}, {"ch", "s"}, {"sh", "s"}, {"zh", "s"}, {"b", "b"}, {"v", "v"},
    {"w", "v"},   {"g", "k"},  {"d", "d"},  {"j", "s"},  {"z", "s"},  {"k", "k"}, {"c", "k"},
    {"q", "k"},   {"l", "l"},  {"m", "m"},  {"n", "n"},  {"p", "p"},  {"r", "r"}, {"s", "s"},
}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kLatinRest = {
    {{"t", "t"}, {"f", "f"}, {"x", "ks"}}};

template <size_t N>
bool add_sound(const std::array<std::pair<std::string_view, std::string_view>, N>& sounds, std::string_view& rest,
               std::string& sound) {
  for (const auto& [letters, value] : sounds) {
    if (!rest.starts_with(letters)) continue;
    for (const char c : value) {
      if (sound.empty() || sound.back() != c) sound += c;
    }
    rest.remove_prefix(letters.size());
    return true;
  }
  return false;
}

std::string sound_of(std::string_view joined) {
  std::string sound;
  while (!joined.empty()) {
    if (add_sound(kCyrillic, joined, sound) || add_sound(kLatin, joined, sound) ||
        add_sound(kLatinRest, joined, sound)) {
      continue;
    }
    joined.remove_prefix(1);
  }
  return sound;
}

// Letters of the Cyrillic block have a first byte of D0..D3.
bool has_cyrillic(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return (static_cast<unsigned char>(c) & 0xFC) == 0xD0; });
}

std::string first_letter(const std::string& word) {
  size_t end = 1;
  while (end < word.size() && (static_cast<unsigned char>(word[end]) & 0xC0) == 0x80) ++end;
  return word.substr(0, end);
}

bool stands_in(const VendorName& part, const VendorName& whole) {
  return !std::ranges::search(whole.words, part.words).empty() ||
         (part.joined.size() >= kLeastPrefix && whole.joined.starts_with(part.joined)) ||
         (!whole.initials.empty() && part.joined == whole.initials);
}

}  // namespace

VendorName vendor_name(std::string_view vendor) {
  VendorName name;
  std::vector<std::string> words = words_of(vendor.substr(0, kMaxNameBytes));
  std::vector<std::string> bare = words;
  std::erase_if(bare,
                [](const std::string& word) { return std::ranges::find(kLegalForms, word) != kLegalForms.end(); });
  name.words = bare.empty() ? std::move(words) : std::move(bare);
  name.joined = compact(name.words);
  if (std::ranges::find(kNobody, name.joined) != kNobody.end()) return {};
  if (name.words.size() > 1) {
    for (const std::string& word : name.words) name.initials += first_letter(word);
  }
  name.sound = sound_of(name.joined);
  name.is_cyrillic = has_cyrillic(name.joined);
  return name;
}

bool obviously_differ(const VendorName& a, const VendorName& b) {
  if (a.words.empty() || b.words.empty() || a.joined == b.joined) return false;
  if (stands_in(a, b) || stands_in(b, a)) return false;
  return a.is_cyrillic == b.is_cyrillic || a.sound.empty() || a.sound != b.sound;
}

}  // namespace souk::match
