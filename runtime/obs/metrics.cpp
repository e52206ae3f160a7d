// SPDX-License-Identifier: Apache-2.0
#include "runtime/obs/metrics.h"

#include <prometheus/text_serializer.h>

namespace souk::obs {

prometheus::Counter& Metrics::counter(const std::string& name, const std::string& help, const Labels& labels) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry_).Add(labels);
}

prometheus::Gauge& Metrics::gauge(const std::string& name, const std::string& help, const Labels& labels) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry_).Add(labels);
}

prometheus::Histogram& Metrics::seconds(const std::string& name, const std::string& help, const Labels& labels) {
  static const prometheus::Histogram::BucketBoundaries kBounds = {
      0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5};
  return prometheus::BuildHistogram().Name(name).Help(help).Register(registry_).Add(labels, kBounds);
}

std::string Metrics::text() const {
  return prometheus::TextSerializer().Serialize(registry_.Collect());
}

}  // namespace souk::obs
