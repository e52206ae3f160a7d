// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <memory>
#include <string>
#include <vector>

namespace souk::obs {

// One server's metrics in Prometheus' terms: souk_<component>_<what>_<unit>. Components declare theirs once in a
// <component>_metrics.h; labels come from closed sets, never from what a user sends. Thread-safe.
class Metrics {
 public:
  using Labels = prometheus::Labels;

  prometheus::Counter& counter(const std::string& name, const std::string& help, const Labels& labels = {});
  prometheus::Gauge& gauge(const std::string& name, const std::string& help, const Labels& labels = {});
  // Bounds from 50 us to 5 s: everything here is between.
  prometheus::Histogram& seconds(const std::string& name, const std::string& help, const Labels& labels = {});

  std::string text() const;  // text format 0.0.4

 private:
  prometheus::Registry registry_;
};

inline constexpr const char* kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace souk::obs
