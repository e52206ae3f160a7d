// SPDX-License-Identifier: Apache-2.0
#include "core/oracle/match.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace souk::oracle {

namespace {

constexpr size_t kStopEvery = 1024;  // documents or postings between two looks at the clock

// What the slots came to so far, by document.
class SlotSums {
 public:
  SlotSums(const ShardView& view, const wire::ShardRequest& request, const Stop& stop)
      : view_(view), request_(request), stop_(stop) {
    slots_.resize(view.shard.documents());
    scores_.resize(view.shard.documents());
  }

  // Slot number `slot`: a document has it that has one of its terms, and gets the score of the best.
  Status add(uint32_t slot, const std::vector<uint32_t>& terms) {
    best_.assign(view_.shard.documents(), 0);
    for (const uint32_t index : terms) {
      const wire::Term& term = request_.terms(static_cast<int>(index));
      const auto ordinal = view_.dictionary.find_term(term.text());
      if (!ordinal) continue;
      Status done = add_list(slot, view_.shard.main(), *ordinal, term.weight());
      if (done && request_.with_description())
        done = add_list(slot, view_.shard.description(), *ordinal, term.weight());
      if (!done) return done;
    }
    for (size_t doc = 0; doc < best_.size(); ++doc) scores_[doc] += best_[doc];
    return {};
  }

  Match of(uint32_t doc) const { return {doc, scores_[doc], slots_[doc]}; }

 private:
  Status add_list(uint32_t slot, const index::PostingLists& lists, uint32_t term, uint32_t weight) {
    const auto list = lists.find(term);
    if (!list) return {};
    const index::DecodedList postings = lists.decode(*list);
    for (size_t i = 0; i < postings.docs.size(); ++i) {
      if (i % kStopEvery == 0 && stop_.deadline.passed(stop_.clock))
        return fail(ErrorCode::kDeadlineExceeded, "out of time");
      const uint32_t doc = postings.docs[i];
      slots_[doc] |= 1U << slot;
      best_[doc] = std::max(best_[doc], postings.impacts[i] * weight);
    }
    return {};
  }

  const ShardView& view_;
  const wire::ShardRequest& request_;
  const Stop& stop_;
  std::vector<uint32_t> slots_, scores_, best_;
};

using Sequence = std::vector<uint32_t>;

// The phrases as ordinals of the lexicon; none at all when one of them has a word that no document has.
std::optional<std::vector<Sequence>> phrases_of(const ShardView& view, const wire::ShardRequest& request) {
  std::vector<Sequence> phrases;
  for (const wire::Phrase& phrase : request.phrases()) {
    Sequence& sequence = phrases.emplace_back();
    for (const uint32_t index : phrase.terms()) {
      const auto ordinal = view.dictionary.find_term(request.terms(static_cast<int>(index)).text());
      if (!ordinal) return std::nullopt;
      sequence.push_back(*ordinal);
    }
  }
  return phrases;
}

// Where to look at all: one offer (of the model, where both are named), one model, or everything.
std::vector<uint32_t> candidates(const index::ShardIndex& shard, const wire::Filters& filters) {
  if (filters.offer() != 0) {
    const auto doc = shard.find_document(DocKey(filters.offer()));
    const bool right = doc && (filters.model() == 0 || shard.group_keys()[shard.group_of(*doc)] == filters.model());
    return right ? std::vector<uint32_t>{*doc} : std::vector<uint32_t>{};
  }
  if (filters.model() != 0) {
    std::vector<uint32_t> docs;
    for (uint32_t doc = 0; doc < shard.documents(); ++doc) {
      if (shard.group_keys()[shard.group_of(doc)] == filters.model()) docs.push_back(doc);
    }
    return docs;
  }
  std::vector<uint32_t> all(shard.documents());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

}  // namespace

std::vector<std::vector<uint32_t>> slots_of(const wire::ShardRequest& request) {
  std::vector<std::vector<uint32_t>> slots;
  for (const wire::Slot& slot : request.slots()) slots.emplace_back(slot.terms().begin(), slot.terms().end());
  if (!slots.empty()) return slots;
  for (uint32_t term = 0; term < static_cast<uint32_t>(request.terms_size()); ++term) slots.push_back({term});
  return slots;
}

Result<std::vector<Match>> match(const ShardView& view, const wire::ShardRequest& request, const Stop& stop) {
  const auto phrases = phrases_of(view, request);
  if (!phrases) return std::vector<Match>{};
  const auto slots = slots_of(request);
  SlotSums sums(view, request, stop);
  for (uint32_t slot = 0; slot < slots.size(); ++slot) {
    if (Status done = sums.add(slot, slots[slot]); !done) return std::unexpected(done.error());
  }
  const auto has = [&view](uint32_t doc) {
    return [&view, doc](const Sequence& phrase) { return view.shard.forward().has_phrase(doc, phrase); };
  };
  std::vector<Match> matches;
  size_t looked_at = 0;
  for (const uint32_t doc : candidates(view.shard, request.filters())) {
    if (looked_at++ % kStopEvery == 0 && stop.deadline.passed(stop.clock))
      return fail(ErrorCode::kDeadlineExceeded, "out of time");
    const Match match = sums.of(doc);
    if (!slots.empty() && match.slots == 0) continue;
    if (std::ranges::all_of(*phrases, has(doc))) matches.push_back(match);
  }
  return matches;
}

}  // namespace souk::oracle
