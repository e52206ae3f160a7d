// SPDX-License-Identifier: Apache-2.0
#include "meta/fanout/fanout.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <memory>

#include "core/merge/merge.h"

namespace souk::fanout {

namespace asio = boost::asio;

namespace {

// Shared by the caller and its children; lives until the last of them is done.
struct Gather {
  Gather(const asio::any_io_executor& executor, size_t count)
      : done(executor, SteadyTime::max()), left(count), outcomes(count), cancel(count) {}
  asio::steady_timer done;  // cancelled when nothing is left
  size_t left;
  std::vector<Outcome> outcomes;
  std::deque<asio::cancellation_signal> cancel;
};

Result<wire::ShardReply> decode(const net::Response& response, const wire::ShardRequest& request) {
  if (response.status != 200) {
    wire::WireError error;
    if (response.content_type == "application/x-protobuf" && error.ParseFromString(response.body) &&
        error.code() <= static_cast<uint32_t>(ErrorCode::kInternal)) {
      return fail(static_cast<ErrorCode>(error.code()), error.message(), error.argument());
    }
    return fail(ErrorCode::kUnavailable, "the shard answered " + std::to_string(response.status));
  }
  wire::ShardReply reply;
  if (!reply.ParseFromString(response.body)) return fail(ErrorCode::kCorruption, "the reply is not a ShardReply");
  if (Status done = merge::check_reply(request, reply); !done) return std::unexpected(done.error());
  return reply;
}

asio::awaitable<Outcome> ask(net::Transport& transport, const Clock& clock, Target target, wire::ShardRequest request,
                             std::string traceparent, Deadline deadline) {
  const SteadyTime begin = clock.now();
  request.set_shard(target.shard);
  request.set_budget_ms(static_cast<uint32_t>(deadline.remaining(clock).count()));
  net::Request http{.method = "POST",
                    .path = "/shard" + std::to_string(target.shard),
                    .query = {},
                    .headers = {{"content-type", "application/x-protobuf"}},
                    .body = request.SerializeAsString()};
  if (!traceparent.empty()) http.headers.push_back({"traceparent", std::move(traceparent)});
  const auto response = co_await transport.send(target.node, std::move(http), deadline);
  Outcome outcome{.target = target};
  if (response) {
    outcome.reply = decode(*response, request);
    outcome.reply_bytes = response->body.size();
  } else {
    outcome.reply = std::unexpected(response.error());
  }
  outcome.took_us =
      static_cast<uint32_t>(std::chrono::duration_cast<std::chrono::microseconds>(clock.now() - begin).count());
  co_return outcome;
}

}  // namespace

asio::awaitable<std::vector<Outcome>> fan_out(net::Transport& transport, const Clock& clock,
                                              std::vector<Target> targets, wire::ShardRequest request,
                                              Deadline deadline, std::string traceparent) {
  const auto executor = co_await asio::this_coro::executor;
  auto gather = std::make_shared<Gather>(executor, targets.size());
  for (size_t i = 0; i < targets.size(); ++i) {
    gather->outcomes[i].target = targets[i];
    auto finished = [gather, i](std::exception_ptr failure, Outcome outcome) {
      if (failure) {
        gather->outcomes[i].reply = fail(ErrorCode::kInternal, "the sub-request failed");
      } else {
        gather->outcomes[i] = std::move(outcome);
      }
      if (--gather->left == 0) gather->done.cancel();
    };
    asio::co_spawn(executor, ask(transport, clock, targets[i], request, traceparent, deadline),
                   asio::bind_cancellation_slot(gather->cancel[i].slot(), std::move(finished)));
  }
  if (gather->left > 0) {
    co_await gather->done.async_wait(asio::as_tuple(asio::use_awaitable));
    if (gather->left > 0) {  // not the last child's doing: this coroutine is being cancelled
      for (asio::cancellation_signal& signal : gather->cancel) signal.emit(asio::cancellation_type::terminal);
      throw boost::system::system_error(asio::error::operation_aborted);
    }
  }
  co_return std::move(gather->outcomes);
}

}  // namespace souk::fanout
