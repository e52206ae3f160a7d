// SPDX-License-Identifier: Apache-2.0
#include "core/text/analyzer.h"

#include <libstemmer.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/base/error.h"
#include "core/text/icu_fold.h"

namespace souk::text {

namespace {

enum class Script { kNone, kLatin, kCyrillic, kOther };

bool is_mark(UChar32 c) {
  return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0;
}

bool is_word(UChar32 c) {
  if (c < 0x80) return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return u_isalnum(c) != 0;
}

// Simple case folding where it is the whole of NFKC_Casefold: ASCII and the Russian letters. 0 = take the long way.
UChar32 fold_common(UChar32 c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  if (c >= 0x0430 && c <= 0x044F) return c;
  if (c >= 0x0410 && c <= 0x042F) return c + 32;
  if (c == 0x0401 || c == 0x0451) return 0x0435;
  return 0;
}

Script script_of(std::string_view term) {
  Script script = Script::kNone;
  const auto length = static_cast<int32_t>(term.size());
  for (int32_t i = 0; i < length;) {
    UChar32 c = 0;
    U8_NEXT_OR_FFFD(term.data(), i, length, c);
    const Script one = c >= 'a' && c <= 'z'         ? Script::kLatin
                       : c >= 0x0430 && c <= 0x044F ? Script::kCyrillic
                                                    : Script::kOther;
    if (script == Script::kNone) script = one;
    if (one != script) return Script::kOther;
  }
  return script;
}

// Snowball strips endings only behind the first vowel, so the forms of an adjective whose root has none keep theirs and
// never meet. Only "злой" is common; nouns such as "слой" look alike and are right as they are, hence a list.
bool is_irregular_adjective(std::string_view word, std::string_view root) {
  static constexpr std::array<std::string_view, 13> kEndings = {"ой", "ая", "ое", "ые",  "ого", "ому", "ым",
                                                                "ом", "ую", "ых", "ыми", "ою",  "ы"};
  return word.starts_with(root) && std::ranges::find(kEndings, word.substr(root.size())) != kEndings.end();
}

// Cut at a character's start.
void cut(std::string& term, size_t bytes) {
  if (term.size() <= bytes) return;
  while (bytes > 0 && (static_cast<unsigned char>(term[bytes]) & 0xC0) == 0x80) --bytes;
  term.resize(bytes);
}

}  // namespace

struct Analyzer::Impl {
  static constexpr size_t kRemembered = 1 << 16;
  struct Free {
    void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
  };
  std::unique_ptr<sb_stemmer, Free> russian{sb_stemmer_new("russian", "UTF_8")};
  std::unique_ptr<sb_stemmer, Free> english{sb_stemmer_new("english", "UTF_8")};
  std::unordered_map<std::string, std::string> stems;  // emptied when full
  std::string scratch;

  std::string stem(const std::string& word) {
    const Script script = script_of(word);
    if (script != Script::kLatin && script != Script::kCyrillic) return word;
    if (const auto known = stems.find(word); known != stems.end()) return known->second;
    std::string result = script == Script::kLatin ? run(*english, word) : russian_stem(word);
    if (stems.size() >= kRemembered) stems.clear();
    stems.emplace(word, result);
    return result;
  }

  std::string russian_stem(const std::string& word) {
    static constexpr std::string_view kVowellessRoots[] = {"зл"};
    for (const std::string_view root : kVowellessRoots) {
      if (is_irregular_adjective(word, root)) return std::string(root);
    }
    return run(*russian, word);
  }

  static std::string run(sb_stemmer& stemmer, const std::string& word) {
    const sb_symbol* out =
        sb_stemmer_stem(&stemmer, reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
    if (out == nullptr) return word;  // out of memory inside Snowball
    std::string result(reinterpret_cast<const char*>(out), static_cast<size_t>(sb_stemmer_length(&stemmer)));
    return result.empty() ? word : result;
  }

  // The long way: marks, other scripts, compatibility forms. What is no word character afterwards is left out.
  void normalise(std::string_view source, std::string& word) {
    nfkc_casefold(source, scratch);
    word.clear();
    const auto length = static_cast<int32_t>(scratch.size());
    for (int32_t i = 0; i < length;) {
      UChar32 c = 0;
      U8_NEXT_OR_FFFD(scratch.data(), i, length, c);
      if (is_word(c) || is_mark(c)) append_utf8(without_yo(c), word);
    }
  }
};

Analyzer::Analyzer() : impl_(std::make_unique<Impl>()) {
  SOUK_CHECK(impl_->russian && impl_->english);
}
Analyzer::~Analyzer() = default;
Analyzer::Analyzer(Analyzer&&) noexcept = default;
Analyzer& Analyzer::operator=(Analyzer&&) noexcept = default;

std::vector<Token> Analyzer::analyze(std::string_view utf8) {
  std::vector<Token> tokens;
  const auto length = static_cast<int64_t>(utf8.size());
  std::string word;
  for (int64_t i = 0; i < length;) {
    const int64_t begin = i;
    UChar32 c = 0;
    U8_NEXT_OR_FFFD(utf8.data(), i, length, c);
    if (!is_word(c)) continue;
    bool common = true;
    int64_t end = begin;
    word.clear();
    for (;;) {  // c is in the word and ends before i
      end = i;
      const UChar32 folded = common ? fold_common(c) : 0;
      if (folded == 0) common = false;
      if (common) append_utf8(folded, word);
      if (i >= length) break;
      U8_NEXT_OR_FFFD(utf8.data(), i, length, c);
      if (!is_word(c) && !is_mark(c)) break;
    }
    if (!common) impl_->normalise(utf8.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin)), word);
    cut(word, kMaxTermBytes);
    if (word.empty()) continue;
    tokens.push_back({impl_->stem(word), static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
  }
  return tokens;
}

}  // namespace souk::text
