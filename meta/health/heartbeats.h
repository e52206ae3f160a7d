// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "core/base/clock.h"
#include "runtime/exec/worker_pool.h"

namespace souk::health {

// Whether a node's own threads move: its IO thread stamps the time every half second, and a worker pool stands still
// when one piece of work runs far beyond any query's deadline. Overload is neither. Thread-safe.
class Heartbeats {
 public:
  static constexpr std::chrono::seconds kStale{3};
  static constexpr std::chrono::seconds kStuckWork{75};  // the longest deadline is 60 s

  Heartbeats(const exec::WorkerPool& pool, const Clock& clock);
  void beat();  // from the IO thread

  std::string stale() const;  // "the IO thread", "the search pool", or empty

 private:
  const exec::WorkerPool& pool_;
  const Clock& clock_;
  std::atomic<SteadyTime::rep> last_beat_;
};

}  // namespace souk::health
