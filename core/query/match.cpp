// SPDX-License-Identifier: Apache-2.0
#include "core/query/match.h"

#include <numeric>

namespace souk::query {

namespace {

constexpr size_t kStopEvery = 1024;  // documents or postings between two looks at the clock

// Per document: how many of the terms it has so far, and what they score.
struct Accumulator {
  std::vector<uint8_t> seen;
  std::vector<uint32_t> scores;
  const Stop& stop;

  // Adds term number `term` (from 0). A document counts on only if it had all terms before; the second list of one
  // term (its description) finds the document already counted.
  Status add(const index::PostingList& list, uint32_t weight, uint8_t term) {
    for (size_t i = 0; i < list.docs.size(); ++i) {
      if (i % kStopEvery == 0 && stop.deadline.passed(stop.clock))
        return fail(ErrorCode::kDeadlineExceeded, "out of time");
      const uint32_t doc = list.docs[i];
      if (seen[doc] != term && seen[doc] != term + 1) continue;
      seen[doc] = static_cast<uint8_t>(term + 1);
      scores[doc] += list.impacts[i] * weight;
    }
    return {};
  }
};

// Where to look at all: one offer (of the model, where both are named), one model, or everything.
std::vector<uint32_t> candidates(const index::ShardIndex& shard, const wire::Filters& filters) {
  if (filters.offer() != 0) {
    const auto doc = shard.find_document(DocKey(filters.offer()));
    const bool right = doc && (filters.model() == 0 || shard.group_keys()[shard.group_of()[*doc]] == filters.model());
    return right ? std::vector<uint32_t>{*doc} : std::vector<uint32_t>{};
  }
  if (filters.model() != 0) {
    const auto group = shard.find_group(DocKey(filters.model()));
    if (!group) return {};
    const auto docs = shard.group_documents(*group);
    return {docs.begin(), docs.end()};
  }
  std::vector<uint32_t> all(shard.documents());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

}  // namespace

Result<std::vector<Match>> match(const index::ShardIndex& shard, const wire::ShardRequest& request, const Stop& stop) {
  const std::vector<uint32_t> docs = candidates(shard, request.filters());
  std::vector<Match> matches;
  if (request.terms().empty()) {
    for (const uint32_t doc : docs) matches.push_back({doc, 0});
    return matches;
  }
  Accumulator accumulator{std::vector<uint8_t>(shard.documents()), std::vector<uint32_t>(shard.documents()), stop};
  const auto terms = static_cast<uint8_t>(request.terms_size());
  for (uint8_t i = 0; i < terms; ++i) {
    const wire::Term& term = request.terms(i);
    Status done = accumulator.add(shard.main().find(term.text()), term.weight(), i);
    if (done && request.with_description()) {
      done = accumulator.add(shard.description().find(term.text()), term.weight(), i);
    }
    if (!done) return std::unexpected(done.error());
  }
  for (const uint32_t doc : docs) {
    if (accumulator.seen[doc] == terms) matches.push_back({doc, accumulator.scores[doc]});
  }
  return matches;
}

}  // namespace souk::query
