// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace souk::health {

// The weight that a node tells the balancer, 1..100, from its own queue and CPU. docs/agent-check.md has the plot.
//   load   = max(cpu share of its threads, mean queue wait / 20 ms), 0..1
//   smooth = smooth + 0.3 (load - smooth), once a second
//   weight = 100 - 99 smooth^2
// 20 ms of waiting is DAGOR's sign of overload (WeChat 2018). The square leaves the weights of idle and half-busy nodes
// close together, where differences are noise. One thread.
class AgentWeight {
 public:
  // cpu_share: 1 = all the node's threads were busy all the second.
  void sample(double cpu_share, double queue_wait_ms);
  uint32_t weight() const;

 private:
  double smooth_ = 0;
};

}  // namespace souk::health
