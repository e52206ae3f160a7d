// SPDX-License-Identifier: Apache-2.0
// More queries than a node can take: refused at once, and nothing past its deadline is executed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>
#include <future>
#include <thread>

#include "core/wire/shard.pb.h"
#include "searcher/serve/shard_server.h"
#include "tests/unit/meta/health/metrics_page.h"
#include "tests/world/world.h"

namespace souk::health {
namespace {

namespace asio = boost::asio;
namespace json = boost::json;
using testing::Fault;
using ::testing::HasSubstr;

std::vector<feed::Offer> lamps() {
  std::vector<feed::Offer> offers;
  for (int i = 1; i <= 20; ++i) offers.push_back(world::make_offer(std::to_string(i), "Лампа " + std::to_string(i)));
  return offers;
}

std::vector<std::string> values(const net::Response& response, std::string_view name) {
  std::vector<std::string> found;
  for (const net::Header& header : response.headers) {
    if (header.name == name) found.push_back(header.value);
  }
  return found;
}

asio::awaitable<void> ask(node::Node* node, std::string path, net::Response* answer) {
  net::Request request;
  request.path = std::move(path);
  *answer = co_await node->handle_public(std::move(request));
}

// The second request comes while the first is at work.
asio::awaitable<void> one_behind_the_other(node::Node* node, net::Response* first, net::Response* second,
                                           std::string second_path, SteadyTime* answered, const Clock* clock) {
  const auto executor = co_await asio::this_coro::executor;
  asio::co_spawn(executor, ask(node, "/search", first), asio::detached);
  for (int i = 0; i < 3; ++i) co_await asio::post(executor, asio::use_awaitable);
  co_await ask(node, std::move(second_path), second);
  *answered = clock->now();
}

class OverloadTest : public ::testing::Test {
 protected:
  OverloadTest() {
    world_.put_offers("shop", lamps());
    world_.activate();
    world_.advance();
  }

  // What the node answers while it holds a query whose shard hangs.
  net::Response while_one_is_held(std::string path) {
    world_.transport().set_fault(world_.peer(1), Fault::kHang);
    const SteadyTime begin = world_.clock().now();
    SteadyTime answered;
    net::Response held;
    net::Response second;
    world_.run(one_behind_the_other(&world_.node(0), &held, &second, std::move(path), &answered, &world_.clock()));
    EXPECT_EQ(answered, begin) << "at once";
    EXPECT_EQ(held.status, 200) << "the one that was let in goes on: " << held.body;
    world_.transport().set_fault(world_.peer(1), Fault::kNone);
    return second;
  }

  void make_peers_full() {
    world_.transport().serve(world_.topology().nodes[1].admin_address, [this](net::Request request) {
      return with_full_load(&world_.node(1), std::move(request));
    });
    world_.advance();
  }
  static asio::awaitable<net::Response> with_full_load(node::Node* node, net::Request request) {
    net::Response response = co_await node->handle_admin(std::move(request));
    json::object status = json::parse(response.body).as_object();
    status["load"].as_object()["full"] = true;
    response.body = json::serialize(status);
    co_return response;
  }

  double metric(std::string_view name) { return metric_of(world_, 0, name); }

  world::World world_{{.shards = 2, .limits = {.queries = 1}}};
};

TEST_F(OverloadTest, AFullNodeSaysSoAndAnotherMayBeAsked) {
  const net::Response refused = while_one_is_held("/search");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(values(refused, "retry-after"), (std::vector<std::string>{"1"}));
  EXPECT_EQ(json::parse(refused.body).at("error").at("code"), "overloaded");
  EXPECT_EQ(metric("souk_meta_queries_total{code=\"overloaded\"}"), 1);
  EXPECT_EQ(metric("souk_meta_queries_total{code=\"ok\"}"), 1);
  EXPECT_EQ(metric("souk_meta_throttled_queries_total"), 0);
  EXPECT_EQ(metric("souk_meta_queries_in_flight"), 0) << "and its place is free again";
  EXPECT_EQ(world_.get("/search").status, 200);
}

TEST_F(OverloadTest, WhenAllAreFullNobodyElseIsAsked) {
  make_peers_full();
  const uint64_t before = world_.transport().requests(world_.peer(0));
  const net::Response refused = while_one_is_held("/search");
  EXPECT_EQ(refused.status, 429) << "which the balancer never retries";
  EXPECT_EQ(values(refused, "retry-after"), (std::vector<std::string>{"1"}));
  EXPECT_EQ(metric("souk_meta_throttled_queries_total"), 1);
  EXPECT_EQ(world_.transport().requests(world_.peer(0)) - before, 1U) << "the sub-request of the held query alone";
}

TEST_F(OverloadTest, EveryKindOfQueryCounts) {
  EXPECT_EQ(while_one_is_held("/offers?model=1").status, 503);
  EXPECT_EQ(while_one_is_held("/offer/70368744177665").status, 503);
}

TEST_F(OverloadTest, PingAndStatusAreNoQueries) {
  EXPECT_EQ(while_one_is_held("/ping").status, 200) << "overload never fails it";
  EXPECT_EQ(world_.status(0).at("load").at("full"), json::value(false));
}

TEST_F(OverloadTest, OverloadedShardsMakeTheQueryOverloaded) {
  const net::Handler full = [](net::Request) -> asio::awaitable<net::Response> {
    wire::WireError error;
    error.set_code(static_cast<uint32_t>(ErrorCode::kOverloaded));
    error.set_message("the work queue is full");
    co_return net::Response{
        .status = 503, .content_type = "application/x-protobuf", .headers = {}, .body = error.SerializeAsString()};
  };
  world_.transport().serve(world_.peer(1), full);
  EXPECT_EQ(world_.get("/search").body.at("complete"), json::value(false)) << "one of two: a part, and it is told";
  world_.transport().serve(world_.peer(0), full);
  net::Request request;
  request.path = "/search";
  const net::Response response = world_.request(std::move(request));
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(json::parse(response.body).at("error").at("code"), "overloaded");
  EXPECT_EQ(values(response, "retry-after"), (std::vector<std::string>{"1"}));
  EXPECT_EQ(metric("souk_meta_sub_requests_total{code=\"overloaded\"}"), 3);
}

// The search pool of one shard, whose only thread the test keeps busy.
class SearchQueueTest : public ::testing::Test {
 protected:
  SearchQueueTest() {
    world_.put_offers("shop", lamps());
    id_ = world_.publish();
    generations_.add(*generation::load_generation(world_.folder() + "/generations", id_, 1));
    std::promise<void> entered;
    EXPECT_TRUE(pool_.submit(exec::Priority::kInteractive, Deadline::never(), [this, &entered](Status) {
      entered.set_value();
      go_on_.get_future().wait();
    }));
    entered.get_future().wait();
  }

  void ask(uint32_t budget_ms, std::optional<Result<wire::ShardReply>>& reply) {
    wire::ShardRequest request;
    request.set_generation_number(id_.number);
    request.set_generation_hash(id_.content_hash);
    request.set_shard(1);
    request.set_limit(10);
    request.set_budget_ms(budget_ms);
    asio::co_spawn(io_, server_.answer(std::move(request)),
                   [&reply](std::exception_ptr, Result<wire::ShardReply> value) { reply = std::move(value); });
  }

  double metric(std::string_view name) { return metric_in(metrics_.text(), name); }

  world::World world_{{.shards = 1}};
  GenerationId id_;
  generation::Generations generations_;
  asio::io_context io_;
  std::promise<void> go_on_;
  exec::WorkerPool pool_{"search", 1, 2, world_.clock()};
  obs::Metrics metrics_;
  shard_server::ShardServer server_{1, generations_, pool_, metrics_, world_.clock()};
};

TEST_F(SearchQueueTest, WhatIsPastItsDeadlineIsNotExecuted) {
  std::optional<Result<wire::ShardReply>> late;
  std::optional<Result<wire::ShardReply>> in_time;
  ask(10, late);
  ask(11, in_time);
  while (pool_.queued() < 2) io_.run_one();
  world_.clock().advance(std::chrono::milliseconds(10));
  go_on_.set_value();
  io_.run();
  ASSERT_TRUE(late && in_time);
  ASSERT_FALSE(*late);
  EXPECT_EQ(late->error().code, ErrorCode::kDeadlineExceeded);
  ASSERT_TRUE(*in_time) << to_string(in_time->error());
  EXPECT_EQ((*in_time)->queue_us(), 10'000U);
  EXPECT_EQ(metric("souk_shard_searches_total{outcome=\"late\"}"), 1);
  EXPECT_EQ(metric("souk_shard_searches_total{outcome=\"answered\"}"), 1);
  EXPECT_EQ(metric("souk_shard_search_seconds_count"), 1) << "only one was searched";
  EXPECT_NEAR(metric("souk_shard_queue_wait_seconds_sum"), 0.01, 1e-9);
}

TEST_F(SearchQueueTest, AFullQueueRefusesAtOnce) {
  std::optional<Result<wire::ShardReply>> queued[2];
  std::optional<Result<wire::ShardReply>> refused;
  for (auto& reply : queued) ask(1000, reply);
  while (pool_.queued() < 2) io_.run_one();
  EXPECT_TRUE(pool_.full());
  ask(1000, refused);
  while (!refused) io_.run_one();
  ASSERT_FALSE(*refused);
  EXPECT_EQ(refused->error().code, ErrorCode::kOverloaded);
  EXPECT_EQ(pool_.queued(), 2U) << "while the others still wait";
  EXPECT_EQ(metric("souk_shard_searches_total{outcome=\"overloaded\"}"), 1);
  go_on_.set_value();
  io_.run();
  for (const auto& reply : queued) EXPECT_TRUE(reply && *reply);
}

}  // namespace
}  // namespace souk::health
