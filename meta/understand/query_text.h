// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/query/search.h"
#include "core/text/analyzer.h"

namespace souk::understand {

// Bounds of a text besides its length (docs/api.md).
inline constexpr size_t kMaxWords = query::kMaxSlots;
inline constexpr size_t kMaxPhraseWords = 32;
inline constexpr size_t kMinPrefixLetters = 2;

// What a document is to have: a word, or with a star any word that begins so.
struct QueryWord {
  std::string term;    // normalised and stemmed
  std::string prefix;  // normalised, not stemmed; empty without a star
  bool operator==(const QueryWord&) const = default;
};

// What a query's text says.
struct QueryText {
  std::vector<QueryWord> words;                // different ones, in the order of the text
  std::vector<std::vector<uint32_t>> phrases;  // of two words or more; indices into words, none of which has a prefix
  std::vector<std::string> warnings;
};

// Reads the syntax of `text`: words; "a phrase", in any of "" «» „“ “”; a prefix*. What does not fit it is an ordinary
// character and warned of; so a `"` behind a digit, which means inches, begins no phrase, and the star of 20*30 no
// prefix.
// kInvalidArgument naming `text` when it has more words or phrases than the bounds.
Result<QueryText> read_query_text(text::Analyzer& analyzer, std::string_view text);

// As it is shown to people: the term, or the prefix with its star.
std::string shown(const QueryWord& word);

}  // namespace souk::understand
