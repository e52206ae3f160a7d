// SPDX-License-Identifier: Apache-2.0
#include "meta/understand/query_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/base/ascii.h"
#include "core/text/normalize.h"

namespace souk::understand {

namespace {

// Bytes of the text between two quotes.
struct Quoted {
  size_t begin, end;
};

struct QuoteMarks {
  std::string_view opening;
  std::array<std::string_view, 2> closing;  // either
};

constexpr std::array kQuoteMarks = {QuoteMarks{"\"", {"\"", "\""}}, QuoteMarks{"«", {"»", "»"}},
                                    QuoteMarks{"„", {"“", "”"}}, QuoteMarks{"“", {"”", "“"}}};
constexpr std::array<std::string_view, 2> kOnlyClosing = {"»", "”"};

bool is_at(std::string_view text, size_t at, std::string_view mark) {
  return text.substr(at).starts_with(mark);
}

struct Quotes {
  std::vector<Quoted> found;  // in the order of the text
  bool unbalanced = false;
};

// The first that closes what `marks` opened before `from`, and its length.
std::optional<std::pair<size_t, size_t>> find_closing(std::string_view text, size_t from, const QuoteMarks& marks) {
  const size_t at = std::min(text.find(marks.closing[0], from), text.find(marks.closing[1], from));
  if (at == std::string_view::npos) return std::nullopt;
  return std::pair(at, is_at(text, at, marks.closing[0]) ? marks.closing[0].size() : marks.closing[1].size());
}

// No mark begins within a character of another, since the text is UTF-8. Time O(bytes x unbalanced marks).
Quotes find_quotes(std::string_view text) {
  Quotes quotes;
  for (size_t at = 0; at < text.size();) {
    const auto marks =
        std::ranges::find_if(kQuoteMarks, [&](const QuoteMarks& each) { return is_at(text, at, each.opening); });
    if (marks == kQuoteMarks.end()) {
      const auto closes = [&](std::string_view mark) { return is_at(text, at, mark); };
      quotes.unbalanced = quotes.unbalanced || std::ranges::any_of(kOnlyClosing, closes);
      ++at;
      continue;
    }
    const bool inches = text[at] == '"' && at > 0 && is_digit(text[at - 1]);
    at += marks->opening.size();
    if (inches) continue;
    const auto closing = find_closing(text, at, *marks);
    if (!closing) {
      quotes.unbalanced = true;
      continue;
    }
    quotes.found.push_back({at, closing->first});
    at = closing->first + closing->second;
  }
  return quotes;
}

// As long as the lexicon's terms may be, and no half of a character.
std::string cut(std::string term) {
  size_t bytes = text::Analyzer::kMaxTermBytes;
  if (term.size() <= bytes) return term;
  while (bytes > 0 && (term[bytes] & 0xC0) == 0x80) --bytes;
  term.resize(bytes);
  return term;
}

size_t letters_in(std::string_view utf8) {
  return static_cast<size_t>(std::ranges::count_if(utf8, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::unexpected<Error> too_many(size_t most, std::string_view what) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("more than {} {}", most, what), "text");
}

class TextReader {
 public:
  TextReader(std::string_view text, std::vector<text::Token> tokens) : text_(text), tokens_(std::move(tokens)) {}

  Result<QueryText> read() {
    const Quotes quotes = find_quotes(text_);
    if (quotes.unbalanced) warn("a quotation mark without its other half is taken as an ordinary character");
    size_t at = 0;  // of tokens_
    for (const Quoted& quoted : quotes.found) {
      while (at < tokens_.size() && tokens_[at].begin < quoted.begin) add_word(at++);
      const size_t first = at;
      while (at < tokens_.size() && tokens_[at].begin < quoted.end) ++at;
      if (Status done = add_phrase(first, at); !done) return std::unexpected(done.error());
    }
    while (at < tokens_.size()) add_word(at++);
    if (out_.words.size() > kMaxWords) return too_many(kMaxWords, "different words");
    return std::move(out_);
  }

 private:
  void warn(std::string warning) {
    if (std::ranges::find(out_.warnings, warning) == out_.warnings.end()) out_.warnings.push_back(std::move(warning));
  }

  std::string_view source_of(const text::Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }

  // A star right behind it that no other word follows at once.
  bool has_star(size_t token) const {
    const size_t end = tokens_[token].end;
    if (end >= text_.size() || text_[end] != '*') return false;
    return token + 1 >= tokens_.size() || tokens_[token + 1].begin > end + 1;
  }

  uint32_t index_of(QueryWord word) {
    const auto known = std::ranges::find(out_.words, word);
    const auto index = static_cast<uint32_t>(known - out_.words.begin());
    if (known == out_.words.end()) out_.words.push_back(std::move(word));
    return index;
  }

  void add_word(size_t token) {
    QueryWord word{.term = tokens_[token].term, .prefix = {}};
    if (has_star(token)) {
      std::string prefix = cut(text::fold(source_of(tokens_[token])));
      if (letters_in(prefix) >= kMinPrefixLetters) {
        word.prefix = std::move(prefix);
      } else {
        warn(fmt::format("a * behind fewer than {} letters is ignored: {}*", kMinPrefixLetters, prefix));
      }
    }
    index_of(std::move(word));
  }

  Status add_phrase(size_t begin, size_t end) {
    if (end - begin > kMaxPhraseWords) return too_many(kMaxPhraseWords, "words in a phrase");
    std::vector<uint32_t> phrase;
    for (size_t i = begin; i < end; ++i) {
      if (has_star(i)) warn(fmt::format("a * within a phrase is ignored: {}*", source_of(tokens_[i])));
      phrase.push_back(index_of({.term = tokens_[i].term, .prefix = {}}));
    }
    if (phrase.size() < 2 || std::ranges::find(out_.phrases, phrase) != out_.phrases.end()) return {};
    if (out_.phrases.size() >= query::kMaxPhrases) return too_many(query::kMaxPhrases, "phrases");
    out_.phrases.push_back(std::move(phrase));
    return {};
  }

  std::string_view text_;
  std::vector<text::Token> tokens_;
  QueryText out_;
};

}  // namespace

Result<QueryText> read_query_text(text::Analyzer& analyzer, std::string_view text) {
  return TextReader(text, analyzer.analyze(text)).read();
}

std::string shown(const QueryWord& word) {
  return word.prefix.empty() ? word.term : word.prefix + "*";
}

}  // namespace souk::understand
