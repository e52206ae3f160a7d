// SPDX-License-Identifier: Apache-2.0
// The whole list of a node's metrics: dashboards and alerts depend on these names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/meta/health/metrics_page.h"

namespace souk::health {
namespace {

std::vector<std::string> families(const std::string& page) {
  constexpr std::string_view kType = "# TYPE ";
  std::vector<std::string> found;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kType)) found.push_back(line.substr(kType.size()));
  }
  std::ranges::sort(found);
  return found;
}

TEST(NodeMetrics, TheList) {
  world::World world({.shards = 1});
  world.put_offers("shop", {world::make_offer("1", "Лампа")});
  const GenerationId active = world.activate();
  ASSERT_EQ(world.get("/search").status, 200);
  const std::string page = metrics_page(world, 0);
  EXPECT_THAT(
      families(page),
      ::testing::ElementsAre(
          "souk_meta_dropped_hits_total counter", "souk_meta_incomplete_answers_total counter",
          "souk_meta_queries_in_flight gauge", "souk_meta_queries_total counter", "souk_meta_query_seconds histogram",
          "souk_meta_second_stages_total counter", "souk_meta_snippet_seconds histogram",
          "souk_meta_sub_request_seconds histogram", "souk_meta_sub_requests_total counter",
          "souk_meta_throttled_queries_total counter", "souk_node_active_generation gauge", "souk_node_available gauge",
          "souk_node_peers_gone gauge", "souk_node_weight_percent gauge", "souk_process_cpu_seconds gauge",
          "souk_process_resident_bytes gauge", "souk_shard_documents gauge", "souk_shard_index_bytes gauge",
          "souk_shard_queue_wait_seconds histogram", "souk_shard_queued_searches gauge",
          "souk_shard_search_seconds histogram", "souk_shard_searches_total counter"))
      << page;
  EXPECT_EQ(metric_in(page, "souk_node_available"), 1);
  EXPECT_EQ(metric_in(page, "souk_node_active_generation"), static_cast<double>(active.number));
  EXPECT_EQ(metric_in(page, "souk_shard_documents"), 1);
  EXPECT_EQ(metric_in(page, "souk_meta_queries_total{code=\"ok\"}"), 1);
  EXPECT_EQ(metric_in(page, "souk_meta_sub_requests_total{code=\"ok\"}"), 1);
}

}  // namespace
}  // namespace souk::health
