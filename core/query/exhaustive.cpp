// SPDX-License-Identifier: Apache-2.0
#include "core/query/facets.h"
#include "core/query/filter.h"
#include "core/query/grouping.h"
#include "core/query/match.h"
#include "core/query/search.h"

namespace souk::query {

Result<wire::ShardReply> search(const ShardView& view, const wire::ShardRequest& request, const Stop& stop) {
  constexpr size_t kStopEvery = 1024;
  auto matches = match(view.shard, request, stop);
  if (!matches) return std::unexpected(matches.error());

  const Filters filters(request.filters());
  std::vector<FacetCounter> counters;
  counters.reserve(static_cast<size_t>(request.facets_size()));
  for (const wire::Facet& facet : request.facets()) counters.emplace_back(view, facet);
  std::vector<Match> passed;
  for (size_t i = 0; i < matches->size(); ++i) {
    if (i % kStopEvery == 0 && stop.deadline.passed(stop.clock))
      return fail(ErrorCode::kDeadlineExceeded, "out of time");
    const Match& candidate = (*matches)[i];
    const uint64_t failed = filters.failed(view.shard, candidate.doc);
    if (failed == 0) passed.push_back(candidate);
    for (FacetCounter& counter : counters) counter.count(candidate.doc, failed);
  }

  wire::ShardReply reply;
  reply.set_generation_number(request.generation_number());
  reply.set_generation_hash(request.generation_hash());
  reply.set_shard(static_cast<uint32_t>(view.shard.stats().shard));
  // Each of these is one sort.
  const auto late = [&stop] { return stop.deadline.passed(stop.clock); };
  if (late()) return fail(ErrorCode::kDeadlineExceeded, "out of time");
  rank_into(view.shard, request, passed, reply);
  for (FacetCounter& counter : counters) {
    if (late()) return fail(ErrorCode::kDeadlineExceeded, "out of time");
    *reply.add_facets() = counter.finish();
  }
  return reply;
}

}  // namespace souk::query
