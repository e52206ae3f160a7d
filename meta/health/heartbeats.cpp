// SPDX-License-Identifier: Apache-2.0
#include "meta/health/heartbeats.h"

namespace souk::health {

Heartbeats::Heartbeats(const exec::WorkerPool& pool, const Clock& clock)
    : pool_(pool), clock_(clock), last_beat_(clock.now().time_since_epoch().count()) {}

void Heartbeats::beat() {
  last_beat_.store(clock_.now().time_since_epoch().count(), std::memory_order_relaxed);
}

std::string Heartbeats::stale() const {
  const SteadyTime last{SteadyTime::duration(last_beat_.load(std::memory_order_relaxed))};
  if (clock_.now() - last > kStale) return "the IO thread";
  if (pool_.longest_running() > kStuckWork) return "the search pool";
  return {};
}

}  // namespace souk::health
