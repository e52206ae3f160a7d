// SPDX-License-Identifier: Apache-2.0
#include "core/query/plan.h"

#include <algorithm>
#include <bit>

namespace souk::query {

Plan::Plan(const ShardView& view, const wire::ShardRequest& request, const BatchFilters& filters, Scratch& scratch)
    : scored(request.sort() == wire::SORT_RELEVANCE || request.explain()) {
  add_slots(view, request, scratch);
  add_musts(view, request, filters, scratch);
  add_phrases(view, request);
  restrict_documents(view, request.filters());
  all_slots = match_all == 0 || walk_least == static_cast<uint32_t>(std::popcount(match_all));
  const bool only_slots = musts.empty() && end - begin == view.shard.documents();
  needs_masks = !all_slots && !(hit_least == 1 && request.variants().empty() && only_slots);
  if (slots.size() < walk_least || begin == end) impossible = true;
}

void Plan::add_slots(const ShardView& view, const wire::ShardRequest& request, Scratch& scratch) {
  const auto add_term = [&](uint32_t number) {
    const wire::Term& term = request.terms(static_cast<int>(number));
    const auto ordinal = view.dictionary.find_term(term.text());
    if (!ordinal) return;
    const auto add = [&](const index::PostingLists& lists) {
      if (const auto list = lists.find(*ordinal)) cursors.emplace_back(lists, *list, term.weight(), scored, scratch);
    };
    add(view.shard.main());
    if (request.with_description()) add(view.shard.description());
  };
  const bool by_term = request.slots().empty();
  const auto count = static_cast<uint32_t>(by_term ? request.terms_size() : request.slots_size());
  for (uint32_t i = 0; i < count; ++i) {
    ListGroup slot{.begin = static_cast<uint32_t>(cursors.size()), .bit = uint32_t{1} << i};
    match_all |= slot.bit;
    if (by_term) {
      add_term(i);
    } else {
      for (const uint32_t term : request.slots(static_cast<int>(i)).terms()) add_term(term);
    }
    slot.end = static_cast<uint32_t>(cursors.size());
    if (slot.begin == slot.end) continue;
    uint32_t best = 0;
    for (uint32_t c = slot.begin; c < slot.end; ++c) best = std::max(best, cursors[c].max_score());
    max_score += best;
    slots.push_back(slot);
  }
  hit_least = request.min_match() == 0 ? count : request.min_match();
  walk_least = hit_least;
  for (const uint32_t variant : request.variants())
    walk_least = std::min(walk_least, static_cast<uint32_t>(std::popcount(variant)));
}

void Plan::add_musts(const ShardView& view, const wire::ShardRequest& request, const BatchFilters& filters,
                     Scratch& scratch) {
  for (int i = 0; i < request.filters().params_size(); ++i) {
    if (filters.marks_param(i)) continue;
    ListGroup must{.begin = static_cast<uint32_t>(cursors.size())};
    const index::PostingLists& lists = view.shard.param_lists();
    for (const uint32_t value : request.filters().params(i).values()) {
      if (const auto list = lists.find(value)) cursors.emplace_back(lists, *list, 0, false, scratch);
    }
    must.end = static_cast<uint32_t>(cursors.size());
    if (must.begin == must.end) impossible = true;
    musts.push_back(must);
  }
}

void Plan::add_phrases(const ShardView& view, const wire::ShardRequest& request) {
  for (const wire::Phrase& phrase : request.phrases()) {
    std::vector<uint32_t>& terms = phrases.emplace_back();
    for (const uint32_t number : phrase.terms()) {
      const auto ordinal = view.dictionary.find_term(request.terms(static_cast<int>(number)).text());
      if (!ordinal) impossible = true;
      terms.push_back(ordinal.value_or(0));
    }
  }
}

// One offer (of the model, where both are named), one model, or everything.
void Plan::restrict_documents(const ShardView& view, const wire::Filters& filters) {
  end = view.shard.documents();
  if (filters.model() != 0) {
    const auto group = view.shard.find_group(DocKey(filters.model()));
    if (!group) {
      end = 0;
      return;
    }
    begin = view.shard.group_begin(*group);
    end = view.shard.group_begin(*group + 1);
  }
  if (filters.offer() != 0) {
    const auto doc = view.shard.find_document(DocKey(filters.offer()));
    if (!doc || *doc < begin || *doc >= end) {
      begin = end = 0;
      return;
    }
    begin = *doc;
    end = *doc + 1;
  }
}

uint64_t Plan::cost() const {
  if (impossible) return 0;
  const auto postings_of = [this](const ListGroup& group) {
    uint64_t postings = 0;
    for (uint32_t c = group.begin; c < group.end; ++c) postings += cursors[c].postings();
    return postings;
  };
  uint64_t lead = end - begin;
  for (const ListGroup& must : musts) lead = std::min(lead, postings_of(must));
  std::vector<uint64_t> sizes;
  for (const ListGroup& slot : slots) sizes.push_back(postings_of(slot));
  std::ranges::sort(sizes);
  if (!slots.empty()) {
    uint64_t rarest = 0;
    for (size_t i = 0; i + walk_least <= sizes.size(); ++i) rarest += sizes[i];
    lead = std::min(lead, rarest);
  }
  return lead * (1 + slots.size() + musts.size());
}

}  // namespace souk::query
