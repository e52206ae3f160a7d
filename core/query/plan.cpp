// SPDX-License-Identifier: Apache-2.0
#include "core/query/plan.h"

#include <algorithm>
#include <bit>

namespace souk::query {

namespace {

constexpr size_t kMostLists = 16;  // of one filter; with more its column is faster

}  // namespace

Plan::Plan(const ShardView& view, const wire::ShardRequest& request, BatchFilters& filters, Scratch& scratch)
    : scored(request.sort() == wire::SORT_RELEVANCE || request.explain()) {
  add_slots(view, request, scratch);
  if (slots.size() < walk_least) {  // the commonest of all: a word that the shard does not have
    impossible = true;
    return;
  }
  add_phrases(view, request);
  restrict_documents(view, request.filters());
  add_param_filters(view, request.filters(), filters, scratch);
  if (!impossible) add_value_filters(view, {request.filters(), filters.asked()}, filters, scratch);
  if (!impossible) add_value_filters(view, {request.fixed(), filters.fixed()}, filters, scratch);
  all_slots = match_all == 0 || walk_least == static_cast<uint32_t>(std::popcount(match_all));
  const bool only_slots = musts.empty() && end - begin == view.shard.documents();
  needs_masks = !all_slots && !(hit_least == 1 && request.variants().empty() && only_slots);
  if (begin == end) impossible = true;
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

void Plan::add_param_filters(const ShardView& view, const wire::Filters& asked, const BatchFilters& filters,
                             Scratch& scratch) {
  for (int i = 0; i < asked.params_size(); ++i) {
    if (filters.marks_param(i)) continue;
    ListGroup must{.begin = static_cast<uint32_t>(cursors.size())};
    for (const uint32_t value : distinct(asked.params(i).values())) add_value(view.shard.param_lists(), value, scratch);
    end_must(must);
  }
}

// A category or vendor filter can be a column that candidates are looked up in, or lists that give the candidates. The
// lists are worth it when they are a good deal shorter than what would give them else.
void Plan::add_value_filters(const ShardView& view, const FilterSet& set, BatchFilters& filters, Scratch& scratch) {
  using Field = BatchFilters::Field;
  std::vector<uint32_t> lists;
  if (filters.drops_by(set.columns, Field::kCategory)) {
    for (const wire::OrdinalRange& range : set.asked.categories().ranges()) {
      for (uint32_t c = range.begin(); c < range.end() && lists.size() <= kMostLists; ++c) {
        if (const auto list = view.shard.category_lists().find(c)) lists.push_back(*list);
      }
    }
    if (walk_instead(view.shard.category_lists(), lists, scratch)) filters.leave_out(set.columns, Field::kCategory);
  }
  if (filters.drops_by(set.columns, Field::kVendor)) {
    lists.clear();
    for (const uint32_t vendor : distinct(set.asked.vendors().values())) {
      if (const auto list = view.shard.vendor_lists().find(vendor)) lists.push_back(*list);
    }
    if (walk_instead(view.shard.vendor_lists(), lists, scratch)) filters.leave_out(set.columns, Field::kVendor);
  }
}

bool Plan::walk_instead(const index::PostingLists& lists, const std::vector<uint32_t>& values, Scratch& scratch) {
  constexpr uint64_t kWorthIt = 2;
  if (values.size() > kMostLists) return false;
  uint64_t postings = 0;
  for (const uint32_t list : values) postings += lists.entry(list).df;
  if (postings * kWorthIt >= lead_postings()) return false;
  ListGroup must{.begin = static_cast<uint32_t>(cursors.size())};
  for (const uint32_t list : values) cursors.emplace_back(lists, list, 0, false, scratch);
  end_must(must);
  return true;
}

void Plan::add_value(const index::PostingLists& lists, uint32_t value, Scratch& scratch) {
  if (const auto list = lists.find(value)) cursors.emplace_back(lists, *list, 0, false, scratch);
}

void Plan::end_must(ListGroup must) {
  must.end = static_cast<uint32_t>(cursors.size());
  if (must.begin == must.end) impossible = true;
  musts.push_back(must);
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

// What the cheapest way to candidates walks over.
uint64_t Plan::lead_postings() const {
  const auto postings_of = [this](const ListGroup& group) {
    uint64_t postings = 0;
    for (uint32_t c = group.begin; c < group.end; ++c) postings += cursors[c].postings();
    return postings;
  };
  uint64_t lead = end - begin;
  for (const ListGroup& must : musts) lead = std::min(lead, postings_of(must));
  if (slots.empty()) return lead;
  std::vector<uint64_t> sizes;
  for (const ListGroup& slot : slots) sizes.push_back(postings_of(slot));
  std::ranges::sort(sizes);
  uint64_t rarest = 0;
  for (size_t i = 0; i + walk_least <= sizes.size(); ++i) rarest += sizes[i];
  return std::min(lead, rarest);
}

uint64_t Plan::cost() const {
  return impossible ? 0 : lead_postings();
}

}  // namespace souk::query
