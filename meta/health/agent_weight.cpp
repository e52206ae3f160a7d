// SPDX-License-Identifier: Apache-2.0
#include "meta/health/agent_weight.h"

#include <algorithm>
#include <cmath>

namespace souk::health {

void AgentWeight::sample(double cpu_share, double queue_wait_ms) {
  constexpr double kOverloadedWaitMs = 20;
  constexpr double kSmoothing = 0.3;
  const double load = std::clamp(std::max(cpu_share, queue_wait_ms / kOverloadedWaitMs), 0.0, 1.0);
  smooth_ += kSmoothing * (load - smooth_);
}

uint32_t AgentWeight::weight() const {
  return static_cast<uint32_t>(std::clamp(std::lround(100 - 99 * smooth_ * smooth_), 1L, 100L));
}

}  // namespace souk::health
