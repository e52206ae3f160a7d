// SPDX-License-Identifier: Apache-2.0
#include "core/query/matcher.h"
#include "core/query/search.h"

namespace souk::query {

namespace {

// What no machine exceeds: a query that would be late even so is not begun.
constexpr uint64_t kCostPerMs = 4'000'000;

}  // namespace

Result<wire::ShardReply> search(const ShardView& view, const wire::ShardRequest& request, const Stop& stop,
                                const Kernels& kernels, Scratch& scratch) {
  scratch.begin_query();
  BatchFilters filters(view, request, scratch);
  Plan plan(view, request, filters, scratch);
  const auto left = static_cast<uint64_t>(stop.deadline.remaining(stop.clock).count());
  if (left == 0 || plan.cost() / kCostPerMs > left) return fail(ErrorCode::kDeadlineExceeded, "out of time");
  Collector collector(view, request, plan, filters, scratch);
  Matcher matcher(plan, filters, collector, kernels, scratch, stop);
  const Status matched = matcher.run();
  wire::ShardReply reply;
  collector.finish(kernels, reply);  // also when it is late: the scratch must be as it was
  if (!matched) return std::unexpected(matched.error());
  reply.set_generation_number(request.generation_number());
  reply.set_generation_hash(request.generation_hash());
  reply.set_shard(static_cast<uint32_t>(view.shard.stats().shard));
  return reply;
}

uint64_t estimate_cost(const ShardView& view, const wire::ShardRequest& request, Scratch& scratch) {
  scratch.begin_query();
  BatchFilters filters(view, request, scratch);
  return Plan(view, request, filters, scratch).cost();
}

}  // namespace souk::query
