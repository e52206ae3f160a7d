// SPDX-License-Identifier: Apache-2.0
#include "runtime/obs/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace souk::obs {
namespace {

using ::testing::HasSubstr;

TEST(Metrics, CountersAndGaugesAsText) {
  Metrics metrics;
  metrics.counter("souk_test_things_total", "Things.", {{"code", "ok"}}).Increment(3);
  metrics.gauge("souk_test_level_bytes", "A level.").Set(-1.5);
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr("# HELP souk_test_things_total Things.\n# TYPE souk_test_things_total counter\n"
                              "souk_test_things_total{code=\"ok\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("# TYPE souk_test_level_bytes gauge\nsouk_test_level_bytes -1.5\n"));
}

TEST(Metrics, AHistogramOfSecondsReachesFrom50MicrosecondsTo5Seconds) {
  Metrics metrics;
  prometheus::Histogram& histogram = metrics.seconds("souk_test_seconds", "Time.");
  for (const double seconds : {0.00005, 0.003, 60.0}) histogram.Observe(seconds);
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr("# TYPE souk_test_seconds histogram\n"));
  EXPECT_THAT(text, HasSubstr("souk_test_seconds_bucket{le=\"5e-05\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("souk_test_seconds_bucket{le=\"0.0025\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("souk_test_seconds_bucket{le=\"0.005\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("souk_test_seconds_bucket{le=\"5\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("souk_test_seconds_bucket{le=\"+Inf\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("souk_test_seconds_count 3\n"));
}

TEST(Metrics, TheSameNameAndLabelsAreTheSameSeries) {
  Metrics metrics;
  metrics.counter("souk_test_total", "Things.", {{"code", "a"}}).Increment();
  metrics.counter("souk_test_total", "Things.", {{"code", "b"}}).Increment(5);
  metrics.counter("souk_test_total", "Things.", {{"code", "a"}}).Increment();
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr("souk_test_total{code=\"a\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("souk_test_total{code=\"b\"} 5\n"));
  EXPECT_EQ(text.find("# TYPE"), text.rfind("# TYPE"));
}

TEST(Metrics, CountsFromManyThreads) {
  Metrics metrics;
  prometheus::Counter& counter = metrics.counter("souk_test_total", "Things.");
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) {
          counter.Increment();
          if (i % 100 == 0) static_cast<void>(metrics.text());
        }
      });
    }
  }
  EXPECT_THAT(metrics.text(), HasSubstr("souk_test_total 4000\n"));
}

}  // namespace
}  // namespace souk::obs
