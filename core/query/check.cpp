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
  for (const wire::OrdinalFilter& param : filters.params()) {
    if (done) done = check_values(param, dictionary.param_values(), "filters.params");
  }
  return done;
}

Status check_facets(const wire::ShardRequest& request, const index::Dictionary& dictionary) {
  if (static_cast<size_t>(request.facets_size()) > kMaxFacets) return bad("too many facets", "facets");
  for (const wire::Facet& facet : request.facets()) {
    if (!wire::FacetKind_IsValid(facet.kind())) return bad("an unknown kind", "facets");
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

}  // namespace

Status check_request(const wire::ShardRequest& request, const index::Dictionary& dictionary) {
  if (static_cast<size_t>(request.terms_size()) > kMaxTerms) return bad("too many terms", "terms");
  for (const wire::Term& term : request.terms()) {
    if (term.text().empty() || term.text().size() > kMaxTermBytes) return bad("a term is empty or too long", "terms");
    if (term.weight() > 0xFFFF) return bad("a weight is over 65535", "terms");
  }
  if (request.quality_weight() > 1'000'000) return bad("over 1000000", "quality_weight");
  if (request.limit() > kMaxLimit) return bad("over 10100", "limit");
  if (!wire::Sort_IsValid(request.sort())) return bad("an unknown sort", "sort");
  if (!wire::Group_IsValid(request.group())) return bad("an unknown grouping", "group");
  if (Status done = check_filters(request.filters(), dictionary); !done) return done;
  return check_facets(request, dictionary);
}

}  // namespace souk::query
