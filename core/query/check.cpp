// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/query/search.h"

namespace souk::query {

namespace {

std::unexpected<Error> bad(std::string message, std::string field) {
  return fail(ErrorCode::kInvalidArgument, std::move(message), std::move(field));
}

Status check_values(const wire::OrdinalFilter& filter, uint32_t limit, const char* field) {
  if (static_cast<size_t>(filter.values_size()) > kMaxFilterValues) return bad("too many values", field);
  if (std::ranges::any_of(filter.values(), [limit](uint32_t value) { return value >= limit; })) {
    return bad("an ordinal is beyond the dictionary", field);
  }
  return {};
}

Status check_ranges(const wire::RangeFilter& filter, uint32_t limit, const char* field) {
  if (static_cast<size_t>(filter.ranges_size()) > kMaxFilterValues) return bad("too many values", field);
  for (const wire::OrdinalRange& range : filter.ranges()) {
    if (range.begin() >= range.end() || range.end() > limit) return bad("a range is beyond the dictionary", field);
  }
  return {};
}

Status check_filters(const wire::Filters& filters, const index::Dictionary& dictionary) {
  if (static_cast<size_t>(filters.params_size()) > kMaxParamFilters)
    return bad("too many param filters", "filters.params");
  Status done = check_ranges(filters.categories(), dictionary.categories(), "filters.categories");
  if (done) done = check_values(filters.vendors(), dictionary.vendors(), "filters.vendors");
  if (done) done = check_values(filters.shops(), dictionary.shops(), "filters.shops");
  if (done) done = check_values(filters.regions(), dictionary.regions(), "filters.regions");
  if (done && (filters.ways() & ~uint32_t{index::kWays}) != 0) done = bad("a way is not known", "filters.ways");
  for (const wire::OrdinalFilter& param : filters.params()) {
    if (done) done = check_values(param, dictionary.param_values(), "filters.params");
  }
  return done;
}

Status check_fixed(const wire::Filters& filters, const index::Dictionary& dictionary) {
  if (!filters.params().empty() || filters.model() != 0 || filters.offer() != 0) {
    return bad("params, model and offer cannot be fixed", "fixed");
  }
  return check_filters(filters, dictionary);
}

bool overlap(const wire::OrdinalRange& a, const wire::OrdinalRange& b) {
  return std::max(a.begin(), b.begin()) < std::min(a.end(), b.end());
}

bool count_the_same(const wire::Facet& a, const wire::Facet& b) {
  return a.kind() == b.kind() && (a.kind() != wire::FACET_PARAM || overlap(a.param(), b.param()));
}

Status check_facets(const wire::ShardRequest& request, const index::Dictionary& dictionary) {
  if (static_cast<size_t>(request.facets_size()) > kMaxFacets) return bad("too many facets", "facets");
  for (int i = 0; i < request.facets_size(); ++i) {
    const wire::Facet& facet = request.facets(i);
    if (!wire::FacetKind_IsValid(facet.kind())) return bad("an unknown kind", "facets");
    for (int j = 0; j < i; ++j) {
      if (count_the_same(facet, request.facets(j))) return bad("the same is asked for twice", "facets");
    }
    if (facet.kind() != wire::FACET_PARAM) continue;
    if (facet.param().begin() > facet.param().end() || facet.param().end() > dictionary.param_values()) {
      return bad("a range is beyond the dictionary", "facets");
    }
    if (facet.own_filter() < -1 || facet.own_filter() >= request.filters().params_size()) {
      return bad("its own filter is not there", "facets");
    }
  }
  return {};
}

Status check_indices(const google::protobuf::RepeatedField<uint32_t>& indices, int terms, const char* field) {
  if (indices.empty()) return bad("one is empty", field);
  if (static_cast<size_t>(indices.size()) > kMaxTerms) return bad("one has too many terms", field);
  if (std::ranges::any_of(indices, [terms](uint32_t index) { return index >= static_cast<uint32_t>(terms); })) {
    return bad("a term is not there", field);
  }
  return {};
}

Status check_terms(const wire::ShardRequest& request) {
  if (static_cast<size_t>(request.terms_size()) > kMaxTerms) return bad("too many terms", "terms");
  for (const wire::Term& term : request.terms()) {
    if (term.text().empty() || term.text().size() > kMaxTermBytes) return bad("a term is empty or too long", "terms");
    if (term.weight() > 0xFFFF) return bad("a weight is over 65535", "terms");
  }
  if (static_cast<size_t>(request.slots_size()) > kMaxSlots) return bad("too many slots", "slots");
  if (request.slots().empty() && static_cast<size_t>(request.terms_size()) > kMaxSlots) return bad("too many", "terms");
  size_t in_slots = 0;
  for (const wire::Slot& slot : request.slots()) {
    if (Status done = check_indices(slot.terms(), request.terms_size(), "slots"); !done) return done;
    in_slots += static_cast<size_t>(slot.terms_size());
  }
  if (in_slots > kMaxTerms) return bad("too many terms in all", "slots");
  if (static_cast<size_t>(request.phrases_size()) > kMaxPhrases) return bad("too many phrases", "phrases");
  for (const wire::Phrase& phrase : request.phrases()) {
    if (Status done = check_indices(phrase.terms(), request.terms_size(), "phrases"); !done) return done;
  }
  return {};
}

// What is said of slots: how many, and which.
Status check_slots_named(const wire::ShardRequest& request) {
  const auto slots = static_cast<uint32_t>(request.slots().empty() ? request.terms_size() : request.slots_size());
  if (request.min_match() > slots) return bad("more than there are slots", "min_match");
  if (static_cast<size_t>(request.variants_size()) > kMaxVariants) return bad("too many variants", "variants");
  for (const uint32_t set : request.variants()) {
    if (set == 0) return bad("one is empty", "variants");
    if (uint64_t{set} >> slots != 0) return bad("a slot is not there", "variants");
  }
  return {};
}

// What of the answer is wanted.
Status check_wanted(const wire::ShardRequest& request) {
  if (request.limit() > kMaxLimit) return bad("over 10100", "limit");
  if (request.explain() && size_t{request.limit()} * static_cast<size_t>(request.terms_size()) > kMaxExplained) {
    return bad("too many hits and terms to explain", "limit");
  }
  if (!wire::Sort_IsValid(request.sort())) return bad("an unknown sort", "sort");
  if (!wire::Group_IsValid(request.group())) return bad("an unknown grouping", "group");
  if (!wire::Totals_IsValid(request.totals())) return bad("an unknown kind", "totals");
  if (request.totals() == wire::TOTALS_AT_LEAST && !(request.facets().empty() && request.variants().empty())) {
    return bad("facets and variants need every match", "totals");
  }
  const wire::After& after = request.after();
  if (request.has_after() && (after.group() == 0 || (request.group() == wire::GROUP_OFFER && after.key() == 0))) {
    return bad("not the place of a hit", "after");
  }
  return {};
}

}  // namespace

Status check_request(const wire::ShardRequest& request, const index::Dictionary& dictionary) {
  Status done = check_terms(request);
  if (done) done = check_slots_named(request);
  if (done && request.quality_weight() > 1'000'000) done = bad("over 1000000", "quality_weight");
  if (done) done = check_wanted(request);
  if (done) done = check_filters(request.filters(), dictionary);
  if (done) done = check_fixed(request.fixed(), dictionary);
  if (done) done = check_facets(request, dictionary);
  return done;
}

}  // namespace souk::query
