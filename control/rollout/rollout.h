// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "control/client/control_client.h"
#include "core/base/clock.h"
#include "core/base/ids.h"

namespace souk::control {

// A replica that has not reported for this long is not counted on: it reports each second.
inline constexpr std::chrono::seconds kReportLife{5};

// What must be covered before a generation may serve.
struct Coverage {
  struct Cluster {
    std::string name;
    uint32_t shards = 0;
  };
  std::vector<Cluster> clusters;
  bool snippets = false;  // the world has snippet servers: one of them must have the documents
};

struct Report {
  ReplicaState state;
  SteadyTime at;  // when it came
};

// One line per shard or service that has no fresh replica ready for the generation, with the problem a replica of it
// reported if there is one. Empty = the generation may serve.
std::vector<std::string> missing(const GenerationId& generation, const Coverage& coverage,
                                 const std::vector<Report>& reports, SteadyTime now);

// The rule of the rollout, without clock, store or network. The epoch grows with every change.
// A published generation becomes the target.
Orders publish(const Orders& orders, const GenerationId& generation);
// The target becomes active when nothing of it is missing; until then the old one serves.
Orders advance(const Orders& orders, const Coverage& coverage, const std::vector<Report>& reports, SteadyTime now);

}  // namespace souk::control
