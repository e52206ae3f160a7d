// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "core/base/error.h"
#include "runtime/obs/metrics.h"

namespace souk::meta_serve {

// What the whole-query side of a node counts. `code` is ok or the label of an error (core/base/error.h).
class MetaMetrics {
 public:
  explicit MetaMetrics(obs::Metrics& metrics);

  prometheus::Counter& queries(const Result<void>& outcome) { return *queries_[index_of(outcome)]; }
  prometheus::Counter& sub_requests(const Result<void>& outcome) { return *sub_requests_[index_of(outcome)]; }

  prometheus::Counter& throttled;
  prometheus::Counter& incomplete;
  prometheus::Counter& dropped_hits;
  prometheus::Counter& second_stages;
  prometheus::Histogram& query_seconds;
  prometheus::Histogram& sub_request_seconds;
  prometheus::Histogram& snippet_seconds;

 private:
  static constexpr size_t kOutcomes = kErrorCodes + 1;
  using ByOutcome = std::array<prometheus::Counter*, kOutcomes>;
  static size_t index_of(const Result<void>& outcome) {
    return outcome ? 0 : 1 + static_cast<size_t>(outcome.error().code);
  }
  static ByOutcome by_outcome(obs::Metrics& metrics, const char* name, const char* help);

  ByOutcome queries_;
  ByOutcome sub_requests_;
};

}  // namespace souk::meta_serve
