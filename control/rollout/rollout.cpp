// SPDX-License-Identifier: Apache-2.0
#include "control/rollout/rollout.h"

#include <algorithm>
#include <functional>

namespace souk::control {

namespace {

using Belongs = std::function<bool(const ReplicaState&)>;

// Adds a line when no fresh replica of this kind holds the generation.
void need_one(std::vector<std::string>& lines, const std::string& what, const GenerationId& generation,
              const std::vector<const ReplicaState*>& fresh, const Belongs& belongs) {
  std::string line = what + ": no replica reports";
  for (const ReplicaState* state : fresh) {
    if (!belongs(*state)) continue;
    if (std::ranges::find(state->ready, generation) != state->ready.end()) return;
    line = state->problem.empty() ? what + ": " + state->name + " is not ready yet"
                                  : what + ": " + state->name + ": " + state->problem;
  }
  lines.push_back(std::move(line));
}

}  // namespace

std::vector<std::string> missing(const GenerationId& generation, const Coverage& coverage,
                                 const std::vector<Report>& reports, SteadyTime now) {
  std::vector<const ReplicaState*> fresh;
  for (const Report& report : reports) {
    if (now - report.at <= kReportLife) fresh.push_back(&report.state);
  }
  std::vector<std::string> lines;
  for (const Coverage::Cluster& cluster : coverage.clusters) {
    for (uint32_t shard = 1; shard <= cluster.shards; ++shard) {
      need_one(lines, "cluster " + cluster.name + " shard " + std::to_string(shard), generation, fresh,
               [&](const ReplicaState& state) { return state.cluster == cluster.name && state.shard == shard; });
    }
  }
  if (coverage.snippets) {
    need_one(lines, "snippets", generation, fresh,
             [](const ReplicaState& state) { return state.cluster.empty() && state.shard == 0; });
  }
  return lines;
}

Orders publish(const Orders& orders, const GenerationId& generation) {
  if (orders.target == generation) return orders;
  return Orders{orders.active, generation, orders.epoch + 1};
}

Orders advance(const Orders& orders, const Coverage& coverage, const std::vector<Report>& reports, SteadyTime now) {
  if (!orders.target || orders.active == orders.target) return orders;
  if (!missing(orders.target, coverage, reports, now).empty()) return orders;
  return Orders{orders.target, orders.target, orders.epoch + 1};
}

}  // namespace souk::control
