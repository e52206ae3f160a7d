// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "runtime/obs/metrics.h"

namespace souk::partner {

struct PartnerMetrics {
  // Requests of one of the three faces, by what became of them.
  struct Face {
    Face(obs::Metrics& metrics, const std::string& face);
    void note(int status);
    prometheus::Counter& answered;
    prometheus::Counter& refused;
    prometheus::Counter& failed;
  };
  explicit PartnerMetrics(obs::Metrics& metrics);

  Face api, pages, admin;
  prometheus::Histogram& seconds;
  prometheus::Counter& wrong_tokens;
  prometheus::Gauge& sessions;
  prometheus::Gauge& queued_calls;
};

}  // namespace souk::partner
