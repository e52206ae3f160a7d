// SPDX-License-Identifier: Apache-2.0
#include "searcher/serve/shard_server.h"

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <optional>
#include <thread>

#include "tests/world/world.h"

namespace souk::shard_server {
namespace {

struct Built {
  Built() {
    std::vector<feed::Offer> offers;
    for (int i = 1; i <= 20; ++i) offers.push_back(world::make_offer(std::to_string(i), "Лампа " + std::to_string(i)));
    world.put_offers("shop", std::move(offers));
    id = world.publish();
    for (uint32_t shard = 1; shard <= 2; ++shard) {
      auto generation = generation::load_generation(world.folder() + "/generations", id, shard);
      if (generation) shards.push_back(std::move(*generation));
    }
  }
  world::World world;
  GenerationId id;
  std::vector<generation::Generations::Pointer> shards;
};

Built& built() {
  static Built built;
  return built;
}

class ShardServerTest : public ::testing::Test {
 protected:
  ShardServerTest() { generations_.add(built().shards.at(0)); }

  wire::ShardRequest request() const {
    wire::ShardRequest request;
    request.set_generation_number(built().id.number);
    request.set_generation_hash(built().id.content_hash);
    request.set_shard(1);
    request.set_budget_ms(1000);
    request.set_limit(10);
    return request;
  }
  net::Response post(std::string body, std::string content_type = "application/x-protobuf") {
    net::Request http{.method = "POST",
                      .path = server_.path(),
                      .query = {},
                      .headers = {{"content-type", std::move(content_type)}},
                      .body = std::move(body)};
    return built().world.run(server_.handle(std::move(http)));
  }
  Result<wire::ShardReply> answer(wire::ShardRequest request) {
    return built().world.run(server_.answer(std::move(request)));
  }
  void refused(const wire::ShardRequest& request, ErrorCode code, const std::string& argument) {
    const net::Response response = post(request.SerializeAsString());
    EXPECT_EQ(response.status, traits(code).http_status) << argument;
    EXPECT_EQ(response.content_type, "application/x-protobuf");
    wire::WireError error;
    ASSERT_TRUE(error.ParseFromString(response.body));
    EXPECT_EQ(error.code(), static_cast<uint32_t>(code)) << error.message();
    EXPECT_EQ(error.argument(), argument);
    EXPECT_FALSE(error.message().empty());
  }

  generation::Generations generations_;
  exec::WorkerPool pool_{"search", 1, 1, built().world.clock()};
  obs::Metrics metrics_;
  ShardServer server_{1, generations_, pool_, metrics_, built().world.clock()};
};

TEST_F(ShardServerTest, AnswersForItsShard) {
  EXPECT_EQ(server_.path(), "/shard1");
  const net::Response response = post(request().SerializeAsString());
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "application/x-protobuf");
  wire::ShardReply reply;
  ASSERT_TRUE(reply.ParseFromString(response.body));
  EXPECT_EQ(reply.shard(), 1U);
  EXPECT_EQ(reply.generation_number(), built().id.number);
  EXPECT_EQ(reply.generation_hash(), built().id.content_hash);
  EXPECT_EQ(reply.total_offers(), built().shards[0]->shard->documents());
  EXPECT_GT(reply.hits().keys_size(), 0);
}

TEST_F(ShardServerTest, AnotherGenerationIsRefused) {
  for (const GenerationId& id : {GenerationId{built().id.number + 1, built().id.content_hash},
                                 GenerationId{built().id.number, built().id.content_hash + 1}, GenerationId{}}) {
    auto other = request();
    other.set_generation_number(id.number);
    other.set_generation_hash(id.content_hash);
    refused(other, ErrorCode::kVersionMismatch, "generation");
  }
}

TEST_F(ShardServerTest, AGenerationWithoutAShardIsRefused) {
  auto names = generation::load_generation(built().world.folder() + "/generations", built().id, 0);
  ASSERT_TRUE(names);
  generation::Generations held;
  held.add(std::move(*names));
  obs::Metrics metrics;
  ShardServer server(1, held, pool_, metrics, built().world.clock());
  const auto reply = built().world.run(server.answer(request()));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kVersionMismatch);
}

TEST_F(ShardServerTest, AnotherShardIsRefused) {
  for (const uint32_t shard : {0U, 2U, 4000000000U}) {
    auto other = request();
    other.set_shard(shard);
    refused(other, ErrorCode::kVersionMismatch, "shard");
  }
}

TEST_F(ShardServerTest, BodiesThatAreNoRequest) {
  const std::string good = request().SerializeAsString();
  for (const std::string& body :
       {std::string("\xff\xff\xff\xff"), std::string("{}"), good.substr(0, good.size() - 1)}) {
    wire::WireError error;
    const net::Response response = post(body);
    EXPECT_EQ(response.status, 400);
    ASSERT_TRUE(error.ParseFromString(response.body));
    EXPECT_EQ(error.argument(), "body");
  }
  EXPECT_EQ(post(good, "application/json").status, 400);
  EXPECT_EQ(post("").status, traits(ErrorCode::kVersionMismatch).http_status) << "an empty message is of no shard";
}

TEST_F(ShardServerTest, OutOfBounds) {
  struct Case {
    const char* argument;
    std::function<void(wire::ShardRequest&)> spoil;
  };
  const index::Dictionary& dictionary = built().shards[0]->dictionary;
  const Case cases[] = {
      {"limit", [](auto& r) { r.set_limit(10'101); }},
      {"terms", [](auto& r) { r.add_terms()->set_text(""); }},
      {"terms", [](auto& r) { r.add_terms()->set_text(std::string(257, 'x')); }},
      {"terms",
       [](auto& r) {
         for (int i = 0; i < 33; ++i) r.add_terms()->set_text("x");
       }},
      {"sort", [](auto& r) { r.set_sort(static_cast<wire::Sort>(99)); }},
      {"group", [](auto& r) { r.set_group(static_cast<wire::Group>(-1)); }},
      {"quality_weight", [](auto& r) { r.set_quality_weight(1'000'001); }},
      {"filters.vendors", [&](auto& r) { r.mutable_filters()->mutable_vendors()->add_values(dictionary.vendors()); }},
      {"filters.shops", [](auto& r) { r.mutable_filters()->mutable_shops()->add_values(4000000000U); }},
      {"filters.params", [](auto& r) { r.mutable_filters()->add_params()->add_values(4000000000U); }},
      {"filters.categories", [](auto& r) { r.mutable_filters()->mutable_categories()->add_ranges(); }},
      {"facets",
       [](auto& r) {
         for (int i = 0; i < 33; ++i) r.add_facets();
       }},
      {"facets", [](auto& r) { r.add_facets()->set_kind(static_cast<wire::FacetKind>(50)); }},
  };
  for (const Case& test : cases) {
    auto bad = request();
    test.spoil(bad);
    refused(bad, ErrorCode::kInvalidArgument, test.argument);
  }
  EXPECT_TRUE(answer(request())) << "and still serves";
}

TEST_F(ShardServerTest, NoTimeLeft) {
  auto late = request();
  late.set_budget_ms(0);
  refused(late, ErrorCode::kDeadlineExceeded, "");
}

TEST_F(ShardServerTest, AFullQueueIsToldAtOnce) {
  std::promise<void> go_on;
  const std::shared_future<void> wait = go_on.get_future().share();
  std::promise<void> begun;
  const auto block = [wait](Status) { wait.wait(); };
  ASSERT_TRUE(pool_.submit(exec::Priority::kInteractive, Deadline::never(), [&begun, wait](Status) {
    begun.set_value();
    wait.wait();
  }));
  begun.get_future().wait();
  ASSERT_TRUE(pool_.submit(exec::Priority::kInteractive, Deadline::never(), block));
  refused(request(), ErrorCode::kOverloaded, "");
  go_on.set_value();
}

TEST_F(ShardServerTest, AQueuedQueryHoldsItsGeneration) {
  // The generation goes while the query waits for a thread.
  std::promise<void> go_on;
  const std::shared_future<void> wait = go_on.get_future().share();
  ASSERT_TRUE(pool_.submit(exec::Priority::kInteractive, Deadline::never(), [wait](Status) { wait.wait(); }));
  while (pool_.running() == 0) std::this_thread::yield();
  std::optional<Result<wire::ShardReply>> reply;
  boost::asio::io_context io;
  boost::asio::co_spawn(io, server_.answer(request()),
                        [&](std::exception_ptr, Result<wire::ShardReply> value) { reply = std::move(value); });
  while (pool_.queued() == 0) io.run_one();
  generations_.keep_only({});
  EXPECT_TRUE(generations_.held().empty());
  go_on.set_value();
  io.run();
  ASSERT_TRUE(reply && *reply);
  EXPECT_GT((*reply)->total_offers(), 0U);
}

}  // namespace
}  // namespace souk::shard_server
