// SPDX-License-Identifier: Apache-2.0
#include "meta/understand/plan_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <tuple>
#include <unordered_map>

#include "core/rank/bm25f.h"

namespace souk::understand {

namespace {

class WordPlanner {
 public:
  WordPlanner(const index::Dictionary& dictionary, Plan& plan) : dictionary_(dictionary), plan_(plan) {}

  void add_words(const QueryText& text) {
    const auto has_prefix = [](const QueryWord& word) { return !word.prefix.empty(); };
    prefixes_left_ = static_cast<size_t>(std::ranges::count_if(text.words, has_prefix));
    terms_left_ = query::kMaxTerms - (text.words.size() - prefixes_left_);
    for (const QueryWord& word : text.words) {
      wire::Slot& slot = *plan_.request.add_slots();
      has_prefix(word) ? add_prefix(word, slot) : slot.add_terms(index_of(word.term));
    }
  }

  void add_phrases(const QueryText& text) {
    for (const std::vector<uint32_t>& words : text.phrases) {
      wire::Phrase& phrase = *plan_.request.add_phrases();
      for (const uint32_t word : words) phrase.add_terms(index_of(text.words[word].term));
    }
  }

 private:
  // Of the request's terms, each of which is there once.
  uint32_t index_of(const std::string& term) {
    const auto [known, is_new] = indices_.try_emplace(term, static_cast<uint32_t>(plan_.terms.size()));
    if (!is_new) return known->second;
    const index::TermStatistics df = dictionary_.term(term);
    plan_.terms.push_back(term);
    plan_.main_df.push_back(df.main_df);
    plan_.any_df.push_back(df.any_df);
    wire::Term& out = *plan_.request.add_terms();
    out.set_text(term);
    out.set_weight(rank::idf_weight(dictionary_.stats().documents, df.main_df));
    return known->second;
  }

  void add_prefix(const QueryWord& word, wire::Slot& slot) {
    const index::TermDictionary::Range range = dictionary_.terms().with_prefix(word.prefix);
    const std::vector<uint32_t> terms = most_frequent(range, std::min(kMaxPrefixTerms, terms_left_ / prefixes_left_--));
    if (const size_t all = range.end - range.begin; terms.size() < all) {
      plan_.warnings.push_back(fmt::format("only the {} most frequent of {} words that begin so are searched: {}",
                                           terms.size(), all, shown(word)));
    }
    for (const uint32_t term : terms) slot.add_terms(index_of(dictionary_.terms().term(term)));
    // Terms have lost their endings: "cities" is "citi", which does not begin with "cities".
    if (terms.empty()) slot.add_terms(index_of(word.term));
    terms_left_ -= static_cast<size_t>(slot.terms_size());
  }

  std::vector<uint32_t> most_frequent(index::TermDictionary::Range range, size_t most) const {
    std::vector<uint32_t> terms(std::min<size_t>(most, range.end - range.begin));
    const auto rarity = [this](uint32_t term) {
      const index::TermStatistics df = dictionary_.term_statistics(term);
      return std::tuple(~df.main_df, ~df.any_df, term);
    };
    std::ranges::partial_sort_copy(std::views::iota(range.begin, range.end), terms, {}, rarity, rarity);
    return terms;
  }

  const index::Dictionary& dictionary_;
  Plan& plan_;
  std::unordered_map<std::string, uint32_t> indices_;
  size_t prefixes_left_ = 0;
  size_t terms_left_ = 0;  // for them
};

}  // namespace

void plan_words(const QueryText& text, uint32_t min_match, const index::Dictionary& dictionary, Plan& plan) {
  WordPlanner planner(dictionary, plan);
  planner.add_words(text);
  planner.add_phrases(text);
  // All is all, also when more is asked for.
  if (min_match < text.words.size()) plan.request.set_min_match(min_match);
}

}  // namespace souk::understand
