// SPDX-License-Identifier: Apache-2.0
#include "meta/fanout/fanout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <functional>
#include <map>

#include "tests/world/stage.h"

namespace souk::fanout {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

constexpr uint32_t kShards = 4;

// Four shards that answer right unless a test says otherwise.
class FanOutTest : public ::testing::Test {
 protected:
  using Spoil = std::function<void(wire::ShardReply&)>;

  FanOutTest() {
    request_.set_generation_number(7);
    request_.set_generation_hash(0xaa);
    request_.set_limit(2);
    request_.add_facets()->set_kind(wire::FACET_VENDOR);
    for (uint32_t shard = 1; shard <= kShards; ++shard) {
      targets_.push_back({shard, endpoint(shard)});
      stage_.transport.serve(endpoint(shard),
                             [this, shard](net::Request request) { return answer(std::move(request), shard); });
    }
  }

  static net::Endpoint endpoint(uint32_t shard) { return {"127.0.0.1", static_cast<uint16_t>(shard)}; }

  asio::awaitable<net::Response> answer(net::Request http, uint32_t shard) {
    wire::ShardRequest request;
    EXPECT_TRUE(request.ParseFromString(http.body));
    EXPECT_EQ(http.method, "POST");
    EXPECT_EQ(http.path, "/shard" + std::to_string(shard));
    EXPECT_EQ(http.header("content-type"), "application/x-protobuf");
    EXPECT_EQ(request.shard(), shard);
    budgets_[shard] = request.budget_ms();
    if (raw_.contains(shard)) co_return raw_.at(shard);
    wire::ShardReply reply;
    reply.set_generation_number(request.generation_number());
    reply.set_generation_hash(request.generation_hash());
    reply.set_shard(shard);
    reply.set_total_offers(shard);
    reply.add_facets();
    if (spoil_.contains(shard)) spoil_.at(shard)(reply);
    co_return net::Response{.content_type = "application/x-protobuf", .headers = {}, .body = reply.SerializeAsString()};
  }

  std::vector<Outcome> ask() {
    return stage_.run(
        fan_out(stage_.transport, stage_.clock, targets_, request_, Deadline::after(stage_.clock, milliseconds(500))));
  }
  // Shard 3 fails so, the others answer.
  Error only_third_fails() {
    const std::vector<Outcome> outcomes = ask();
    EXPECT_EQ(outcomes.size(), kShards);
    for (uint32_t i = 0; i < outcomes.size(); ++i) {
      EXPECT_EQ(outcomes[i].target.shard, i + 1) << "in the targets' order";
      EXPECT_EQ(outcomes[i].reply.has_value(), i != 2) << i;
      if (outcomes[i].reply) EXPECT_EQ(outcomes[i].reply->total_offers(), i + 1);
    }
    return outcomes[2].reply ? Error{} : outcomes[2].reply.error();
  }

  world::Stage stage_;
  wire::ShardRequest request_;
  std::vector<Target> targets_;
  std::map<uint32_t, Spoil> spoil_;
  std::map<uint32_t, net::Response> raw_;
  std::map<uint32_t, uint32_t> budgets_;
};

TEST_F(FanOutTest, AllAnswer) {
  const std::vector<Outcome> outcomes = ask();
  ASSERT_EQ(outcomes.size(), kShards);
  for (uint32_t i = 0; i < kShards; ++i) {
    ASSERT_TRUE(outcomes[i].reply) << to_string(outcomes[i].reply.error());
    EXPECT_EQ(outcomes[i].reply->shard(), i + 1);
    EXPECT_EQ(outcomes[i].target.node, endpoint(i + 1));
    EXPECT_GT(outcomes[i].reply_bytes, 0U);
    EXPECT_EQ(budgets_[i + 1], 500U) << "the shard knows how long its answer is of use";
    EXPECT_EQ(stage_.transport.requests(endpoint(i + 1)), 1U);
  }
}

TEST_F(FanOutTest, NobodyToAsk) {
  targets_.clear();
  EXPECT_TRUE(ask().empty());
}

TEST_F(FanOutTest, OneIsRefused) {
  stage_.transport.set_fault(endpoint(3), testing::Fault::kRefuse);
  EXPECT_EQ(only_third_fails().code, ErrorCode::kUnavailable);
}

TEST_F(FanOutTest, AllAreRefused) {
  for (uint32_t shard = 1; shard <= kShards; ++shard)
    stage_.transport.set_fault(endpoint(shard), testing::Fault::kRefuse);
  for (const Outcome& outcome : ask()) EXPECT_FALSE(outcome.reply);
}

TEST_F(FanOutTest, OneHangsUntilTheDeadline) {
  stage_.transport.set_fault(endpoint(3), testing::Fault::kHang);
  const SteadyTime begin = stage_.clock.now();
  const std::vector<Outcome> outcomes = ask();
  EXPECT_EQ(stage_.clock.now() - begin, milliseconds(500));
  ASSERT_FALSE(outcomes[2].reply);
  EXPECT_EQ(outcomes[2].reply.error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(outcomes[2].took_us, 500'000U);
  EXPECT_TRUE(outcomes[0].reply && outcomes[1].reply && outcomes[3].reply);
  EXPECT_EQ(outcomes[0].took_us, 0U);
}

TEST_F(FanOutTest, RepliesThatMustNotBeMerged) {
  const std::pair<ErrorCode, Spoil> cases[] = {
      {ErrorCode::kVersionMismatch, [](auto& reply) { reply.set_generation_number(8); }},
      {ErrorCode::kVersionMismatch, [](auto& reply) { reply.set_generation_hash(0xab); }},
      {ErrorCode::kVersionMismatch, [](auto& reply) { reply.set_shard(4); }},
      {ErrorCode::kCorruption, [](auto& reply) { reply.clear_facets(); }},
      {ErrorCode::kCorruption, [](auto& reply) { reply.mutable_hits()->add_keys(1); }},
      {ErrorCode::kCorruption, [](auto& reply) { reply.mutable_facets(0)->add_ordinals(1); }},
  };
  for (const auto& [code, spoil] : cases) {
    spoil_[3] = spoil;
    EXPECT_EQ(only_third_fails().code, code);
  }
}

void add_hit(wire::ShardReply& reply, uint64_t key, int64_t order) {
  wire::Hits& hits = *reply.mutable_hits();
  hits.add_keys(key);
  hits.add_groups(key);
  hits.add_versions(1);
  hits.add_order(order);
  hits.add_scores(1);
  hits.add_prices(1);
  hits.add_old_prices(0);
  hits.add_in_stock(true);
  hits.add_shops(0);
  hits.add_price_min(1);
  hits.add_price_max(1);
  hits.add_offers(1);
  hits.add_shop_counts(1);
  hits.add_levels(0);
  hits.add_flags(1);
}

TEST_F(FanOutTest, MoreThanWasAskedForOrOutOfOrder) {
  spoil_[1] = [](auto& reply) {
    add_hit(reply, 5, 20);
    add_hit(reply, 6, 10);
  };
  spoil_[3] = [](auto& reply) {
    for (uint64_t key = 1; key <= 3; ++key) add_hit(reply, key, -static_cast<int64_t>(key));
  };
  EXPECT_EQ(only_third_fails().message, "more hits than asked for");
  spoil_[3] = [](auto& reply) {
    add_hit(reply, 5, 10);
    add_hit(reply, 6, 20);
  };
  EXPECT_EQ(only_third_fails().code, ErrorCode::kCorruption);
}

TEST_F(FanOutTest, Garbage) {
  raw_[3] = {.content_type = "application/x-protobuf", .headers = {}, .body = "\xff\xff\xff"};
  EXPECT_EQ(only_third_fails().code, ErrorCode::kCorruption);
  raw_[3] = {.content_type = "application/x-protobuf", .headers = {}, .body = ""};
  EXPECT_EQ(only_third_fails().code, ErrorCode::kVersionMismatch) << "an empty message is of no generation";
  raw_[3] = {.status = 500, .content_type = "text/html", .headers = {}, .body = "<html>"};
  EXPECT_EQ(only_third_fails().message, "the shard answered 500");
  raw_[3] = {.status = 503, .content_type = "application/x-protobuf", .headers = {}, .body = "\xff"};
  EXPECT_EQ(only_third_fails().message, "the shard answered 503");
}

TEST_F(FanOutTest, AShardsOwnErrorIsPassedOn) {
  wire::WireError error;
  error.set_code(static_cast<uint32_t>(ErrorCode::kOverloaded));
  error.set_message("the work queue is full");
  error.set_argument("x");
  raw_[3] = {.status = 503, .content_type = "application/x-protobuf", .headers = {}, .body = error.SerializeAsString()};
  const Error passed = only_third_fails();
  EXPECT_EQ(passed.code, ErrorCode::kOverloaded);
  EXPECT_EQ(passed.message, "the work queue is full");
  EXPECT_EQ(passed.argument, "x");
  error.set_code(1000);
  raw_[3].body = error.SerializeAsString();
  EXPECT_EQ(only_third_fails().code, ErrorCode::kUnavailable) << "a code nobody knows";
}

TEST_F(FanOutTest, AHandlerThatThrowsIsAnError) {
  stage_.transport.serve(endpoint(3), [](net::Request) -> asio::awaitable<net::Response> {
    throw std::runtime_error("broken");
    co_return net::Response{};
  });
  EXPECT_EQ(only_third_fails().code, ErrorCode::kUnavailable);
}

// Counts who is at work; gone with the coroutine's frame.
struct AtWork {
  explicit AtWork(int& a_count) : count(a_count) { ++count; }
  ~AtWork() { --count; }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;
  int& count;
};

asio::awaitable<net::Response> work_for_ever(int* at_work) {
  const AtWork counted(*at_work);
  asio::steady_timer timer(co_await asio::this_coro::executor, SteadyTime::max());
  co_await timer.async_wait(asio::use_awaitable);
  co_return net::Response{};
}

TEST_F(FanOutTest, CancellingItCancelsTheSubRequests) {
  int at_work = 0;
  for (uint32_t shard = 2; shard <= kShards; ++shard)
    stage_.transport.serve(endpoint(shard), [&](net::Request) { return work_for_ever(&at_work); });
  asio::cancellation_signal cancel;
  std::exception_ptr thrown;
  bool done = false;
  asio::co_spawn(
      stage_.io,
      fan_out(stage_.transport, stage_.clock, targets_, request_, Deadline::after(stage_.clock, milliseconds(500))),
      asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr error, std::vector<Outcome>) {
        thrown = error;
        done = true;
      }));
  while (at_work < 3 || budgets_.empty()) stage_.io.run_one();
  EXPECT_FALSE(done);
  cancel.emit(asio::cancellation_type::terminal);
  stage_.io.run();  // ends: nobody is left at work
  EXPECT_TRUE(done);
  EXPECT_EQ(at_work, 0);
  ASSERT_TRUE(thrown);
  EXPECT_THROW(std::rethrow_exception(thrown), boost::system::system_error);
}

}  // namespace
}  // namespace souk::fanout
