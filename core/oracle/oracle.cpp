// SPDX-License-Identifier: Apache-2.0
#include "core/oracle/oracle.h"

#include <algorithm>
#include <bit>

#include "core/oracle/facets.h"
#include "core/oracle/filter.h"
#include "core/oracle/grouping.h"
#include "core/oracle/match.h"

namespace souk::oracle {

namespace {

// Counts the documents that have every slot of one set.
class VariantCounter {
 public:
  explicit VariantCounter(uint32_t slots) : slots_(slots) {}

  void count(const Match& match, uint32_t group) {
    if ((match.slots & slots_) == slots_) groups_.push_back(group);
  }
  void finish(wire::ShardReply& reply) {
    reply.add_variant_offers(groups_.size());
    std::ranges::sort(groups_);
    const auto repeated = std::ranges::unique(groups_);
    reply.add_variant_models(groups_.size() - repeated.size());
  }

 private:
  uint32_t slots_;
  std::vector<uint32_t> groups_;  // one per offer
};

struct Counters {
  std::vector<FacetCounter> facets;
  std::vector<VariantCounter> variants;

  Counters(const ShardView& view, const wire::ShardRequest& request) {
    for (const wire::Facet& facet : request.facets()) facets.emplace_back(view, facet);
    for (const uint32_t slots : request.variants()) variants.emplace_back(slots);
  }
};

}  // namespace

Result<wire::ShardReply> search_exhaustively(const ShardView& view, const wire::ShardRequest& request,
                                             const Stop& stop) {
  constexpr size_t kStopEvery = 1024;
  const auto late = [&stop] { return stop.deadline.passed(stop.clock); };
  auto matches = match(view, request, stop);
  if (!matches) return std::unexpected(matches.error());

  const Filters filters(view, request.filters());
  const Filters fixed(view, request.fixed());
  const size_t enough = request.min_match() == 0 ? slots_of(request).size() : request.min_match();
  Counters counters(view, request);
  std::vector<Match> passed;
  for (size_t i = 0; i < matches->size(); ++i) {
    if (i % kStopEvery == 0 && late()) return fail(ErrorCode::kDeadlineExceeded, "out of time");
    const Match& candidate = (*matches)[i];
    if (fixed.failed(candidate.doc) != 0) continue;  // for facets and variants too
    const auto group = view.shard.group_of(candidate.doc);
    const uint64_t failed = filters.failed(candidate.doc);
    if (failed == 0) {
      for (VariantCounter& variant : counters.variants) variant.count(candidate, group);
    }
    if (static_cast<size_t>(std::popcount(candidate.slots)) < enough) continue;
    if (failed == 0) passed.push_back(candidate);
    for (FacetCounter& facet : counters.facets) facet.count(candidate.doc, failed);
  }

  wire::ShardReply reply;
  reply.set_generation_number(request.generation_number());
  reply.set_generation_hash(request.generation_hash());
  reply.set_shard(static_cast<uint32_t>(view.shard.stats().shard));
  // Each of these is one sort.
  if (late()) return fail(ErrorCode::kDeadlineExceeded, "out of time");
  rank_into(view, request, passed, reply);
  for (FacetCounter& facet : counters.facets) {
    if (late()) return fail(ErrorCode::kDeadlineExceeded, "out of time");
    *reply.add_facets() = facet.finish();
  }
  for (VariantCounter& variant : counters.variants) {
    if (late()) return fail(ErrorCode::kDeadlineExceeded, "out of time");
    variant.finish(reply);
  }
  return reply;
}

}  // namespace souk::oracle
