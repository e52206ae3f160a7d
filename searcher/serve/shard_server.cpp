// SPDX-License-Identifier: Apache-2.0
#include "searcher/serve/shard_server.h"

#include <fmt/format.h>

#include "core/query/search.h"

namespace souk::shard_server {

namespace asio = boost::asio;
using std::chrono::microseconds;

namespace {

constexpr uint32_t kMostBudgetMs = 60'000;

uint32_t micros(SteadyTime from, SteadyTime to) {
  return static_cast<uint32_t>(std::chrono::duration_cast<microseconds>(to - from).count());
}

// Errors between our servers travel as protobuf too.
net::Response error_reply(const Error& error) {
  wire::WireError wire;
  wire.set_code(static_cast<uint32_t>(error.code));
  wire.set_message(error.message);
  wire.set_argument(error.argument);
  return {.status = traits(error.code).http_status,
          .content_type = "application/x-protobuf",
          .headers = {},
          .body = wire.SerializeAsString()};
}

}  // namespace

ShardServer::Counters::Counters(obs::Metrics& metrics)
    : answered(metrics.counter("souk_shard_searches_total", "Sub-queries by outcome.", {{"outcome", "answered"}})),
      refused(metrics.counter("souk_shard_searches_total", "Sub-queries by outcome.", {{"outcome", "refused"}})),
      late(metrics.counter("souk_shard_searches_total", "Sub-queries by outcome.", {{"outcome", "late"}})),
      overloaded(metrics.counter("souk_shard_searches_total", "Sub-queries by outcome.", {{"outcome", "overloaded"}})),
      search_seconds(metrics.seconds("souk_shard_search_seconds", "Searching, without the wait.")),
      queue_seconds(metrics.seconds("souk_shard_queue_wait_seconds", "Waiting for a search thread.")) {}

ShardServer::ShardServer(uint32_t shard, const generation::Generations& generations, exec::WorkerPool& pool,
                         obs::Metrics& metrics, const Clock& clock)
    : shard_(shard), generations_(generations), pool_(pool), clock_(clock), counters_(metrics) {}

void ShardServer::count(const Result<wire::ShardReply>& reply) {
  if (reply) {
    counters_.answered.Increment();
    counters_.search_seconds.Observe(reply->search_us() / 1e6);
    counters_.queue_seconds.Observe(reply->queue_us() / 1e6);
    return;
  }
  switch (reply.error().code) {
    case ErrorCode::kOverloaded:
      counters_.overloaded.Increment();
      break;
    case ErrorCode::kDeadlineExceeded:
      counters_.late.Increment();
      break;
    default:
      counters_.refused.Increment();
  }
}

asio::awaitable<Result<wire::ShardReply>> ShardServer::answer(wire::ShardRequest request) {
  auto reply = co_await search(std::move(request));
  count(reply);
  co_return reply;
}

asio::awaitable<Result<wire::ShardReply>> ShardServer::search(wire::ShardRequest request) {
  if (request.shard() != shard_)
    co_return fail(ErrorCode::kVersionMismatch, fmt::format("this is shard {}", shard_), "shard");
  const GenerationId id{request.generation_number(), request.generation_hash()};
  const auto generation = generations_.find(id);
  if (!generation || !generation->shard) {
    co_return fail(ErrorCode::kVersionMismatch, "this node does not hold generation " + to_string(id), "generation");
  }
  if (Status done = query::check_request(request, generation->dictionary); !done)
    co_return std::unexpected(done.error());

  const SteadyTime queued = clock_.now();
  const Deadline deadline =
      Deadline::after(clock_, std::chrono::milliseconds(std::min(request.budget_ms(), kMostBudgetMs)));
  // The pool's queue may outlive this object.
  auto work = [&clock = clock_, scratches = scratches_, &kernels = kernels_, generation, queued, deadline,
               request = std::move(request)]() -> Result<wire::ShardReply> {
    const SteadyTime begun = clock.now();
    const ScratchPool::Lease scratch = scratches->take();
    auto reply =
        query::search({*generation->shard, generation->dictionary}, request, {clock, deadline}, kernels, *scratch);
    if (reply) {
      reply->set_queue_us(micros(queued, begun));
      reply->set_search_us(micros(begun, clock.now()));
    }
    return reply;
  };
  auto reply = co_await exec::run_on(pool_, exec::Priority::kInteractive, deadline, std::move(work));
  co_return reply;
}

asio::awaitable<net::Response> ShardServer::handle(net::Request request) {
  wire::ShardRequest wire;
  if (request.header("content-type") != "application/x-protobuf" || !wire.ParseFromString(request.body)) {
    co_return error_reply({ErrorCode::kInvalidArgument, "the body is not a ShardRequest", "body"});
  }
  const auto reply = co_await answer(std::move(wire));
  if (!reply) co_return error_reply(reply.error());
  co_return net::Response{
      .status = 200, .content_type = "application/x-protobuf", .headers = {}, .body = reply->SerializeAsString()};
}

}  // namespace souk::shard_server
