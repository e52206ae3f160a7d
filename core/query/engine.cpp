// SPDX-License-Identifier: Apache-2.0
#include "core/query/matcher.h"
#include "core/query/search.h"
#include "core/query/write_hits.h"

namespace souk::query {

namespace {

// Candidates that no thread exceeds in a microsecond: a query that would be late even so is not begun.
constexpr uint64_t kCostPerMicrosecond = 4'000;

// Whether there is no time left, or too little for what the plan has to do at least.
bool too_late(const Plan& plan, bool skips, const Stop& stop) {
  const auto left = std::chrono::duration_cast<std::chrono::microseconds>(stop.deadline.at() - stop.clock.now());
  if (left.count() <= 0) return true;
  return !skips && plan.cost() / kCostPerMicrosecond > static_cast<uint64_t>(left.count());
}

}  // namespace

Result<wire::ShardReply> search(const ShardView& view, const wire::ShardRequest& request, const Stop& stop,
                                const Kernels& kernels, Scratch& scratch) {
  scratch.begin_query();
  BatchFilters filters(view, request, scratch);
  Plan plan(view, request, filters, scratch);
  Collector collector(view, request, plan, filters, scratch);
  if (too_late(plan, !collector.wants_all(), stop)) return fail(ErrorCode::kDeadlineExceeded, "out of time");
  Matcher matcher(plan, filters, collector, kernels, scratch, stop);
  const Status matched = matcher.run();
  wire::ShardReply reply;
  collector.end(reply);  // also when it is late: the scratch must be as it was
  Status done = matched;
  if (done) done = write_hits(view, request, collector.rows(), {kernels, stop}, reply);
  if (!done) return std::unexpected(done.error());
  reply.set_generation_number(request.generation_number());
  reply.set_generation_hash(request.generation_hash());
  reply.set_shard(static_cast<uint32_t>(view.shard.stats().shard));
  return reply;
}

}  // namespace souk::query
