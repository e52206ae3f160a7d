// SPDX-License-Identifier: Apache-2.0
// What a node's /status says of its engine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/query/kernels.h"
#include "tests/world/world.h"

namespace souk::health {
namespace {

namespace json = boost::json;

TEST(NodeStatus, SaysWhatItsMemoryGoesInto) {
  world::World world({.shards = 1});
  EXPECT_TRUE(world.status(0).at("index").is_null()) << "nothing is active yet";
  world.put_offers("shop", {world::make_offer("1", "Лампа синяя"), world::make_offer("2", "Лампа белая")});
  world.activate();
  const json::object status = world.status(0);
  EXPECT_EQ(status.at("kernels").as_string(), query::best_kernels().name);
  const json::object& index = status.at("index").as_object();
  EXPECT_EQ(index.at("groups").to_number<uint64_t>(), 2U);
  EXPECT_GE(index.at("main_postings").to_number<uint64_t>(), 4U);
  EXPECT_GE(index.at("postings").to_number<uint64_t>(), index.at("main_postings").to_number<uint64_t>());
  const json::object& bytes = index.at("bytes").as_object();
  EXPECT_EQ(bytes.at("keys").to_number<uint64_t>(), 2U * (8 + 8 + 4));
  EXPECT_DOUBLE_EQ(
      index.at("bytes_per_main_posting").to_number<double>() * index.at("main_postings").to_number<double>(),
      bytes.at("main_postings").to_number<double>());
  // Together they are what the generation takes, but for padding and tables.
  uint64_t files = 0;
  for (const auto& [part, size] : bytes) files += part == "term_table" ? 0 : size.to_number<uint64_t>();
  EXPECT_LE(files, status.at("memory_bytes").to_number<uint64_t>());
  EXPECT_GT(files, status.at("memory_bytes").to_number<uint64_t>() / 2);
}

}  // namespace
}  // namespace souk::health
