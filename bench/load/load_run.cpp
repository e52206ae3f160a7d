// SPDX-License-Identifier: Apache-2.0
#include "bench/load/load_run.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cmath>
#include <fstream>
#include <memory>

namespace souk::load {

namespace asio = boost::asio;
using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr size_t kMostQueries = 100'000;
constexpr size_t kMostQueryBytes = 4096;

double milliseconds(SteadyClock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

struct Run {
  Run(const asio::any_io_executor& executor, net::Transport& transport_in, const Clock& clock_in,
      LoadOptions options_in)
      : transport(transport_in), clock(clock_in), options(std::move(options_in)), done(executor) {}

  net::Transport& transport;
  const Clock& clock;
  const LoadOptions options;
  LoadResult result;
  size_t in_flight = 0;
  asio::steady_timer done;  // cancelled when the last answer came
};

void count(LoadResult& result, const Result<net::Response>& answer, double latency_ms) {
  if (!answer) {
    ++result.by_error[std::string(traits(answer.error().code).label)];
    return;
  }
  ++result.by_status[answer->status];
  // In a JSON string the quotes would be escaped, so this is the field and nothing else.
  if (answer->status != 200 || answer->body.find(R"("complete":true)") == std::string::npos) return;
  ++result.complete;
  result.latencies_ms.push_back(latency_ms);
}

asio::awaitable<void> send_one(std::shared_ptr<Run> run, uint64_t number, SteadyClock::time_point intended) {
  net::Request request;
  request.path = run->options.path;
  request.query = run->options.queries[number % run->options.queries.size()];
  ++run->in_flight;
  ++run->result.sent;
  run->result.late_ms = std::max(run->result.late_ms, milliseconds(SteadyClock::now() - intended));
  const Deadline deadline = Deadline::after(run->clock, run->options.timeout);
  const auto answer = co_await run->transport.send(run->options.target, std::move(request), deadline);
  count(run->result, answer, milliseconds(SteadyClock::now() - intended));
  if (--run->in_flight == 0) run->done.cancel();
}

}  // namespace

asio::awaitable<LoadResult> run_load(net::Transport& transport, const Clock& clock, LoadOptions options) {
  const auto executor = co_await asio::this_coro::executor;
  const auto run = std::make_shared<Run>(executor, transport, clock, std::move(options));
  const auto total =
      static_cast<uint64_t>(std::llround(run->options.rate * static_cast<double>(run->options.duration.count())));
  const std::chrono::duration<double> interval(1 / run->options.rate);
  const SteadyClock::time_point begin = SteadyClock::now();
  asio::steady_timer timer(executor);
  for (uint64_t i = 0; i < total; ++i) {
    const auto intended = begin + std::chrono::duration_cast<SteadyClock::duration>(interval * static_cast<double>(i));
    timer.expires_at(intended);
    co_await timer.async_wait(asio::use_awaitable);
    if (run->in_flight >= run->options.most_in_flight) {
      ++run->result.not_sent;
    } else {
      asio::co_spawn(executor, send_one(run, i, intended), asio::detached);
    }
  }
  // What is in flight ends by its own deadline.
  while (run->in_flight > 0) {
    boost::system::error_code cancelled;
    run->done.expires_after(run->options.timeout);
    co_await run->done.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  }
  run->result.seconds = milliseconds(SteadyClock::now() - begin) / 1000;
  std::ranges::sort(run->result.latencies_ms);
  co_return std::move(run->result);
}

double percentile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<size_t>(rank, 1, sorted.size()) - 1];
}

Result<std::vector<std::string>> read_queries(const std::string& path) {
  std::ifstream file(path);
  if (!file) return fail(ErrorCode::kNotFound, "cannot be read", path);
  std::vector<std::string> queries;
  for (std::string line; std::getline(file, line);) {
    const std::string at = path + ":" + std::to_string(queries.size() + 1);
    if (queries.size() == kMostQueries) return fail(ErrorCode::kInvalidArgument, "more than 100,000 queries", at);
    const bool plain = std::ranges::all_of(line, [](char c) { return c > 0x20 && c < 0x7F; });
    if (!plain || line.size() > kMostQueryBytes) {
      return fail(ErrorCode::kInvalidArgument, "not an encoded query string of at most 4096 bytes", at);
    }
    queries.push_back(line);
  }
  if (queries.empty()) return fail(ErrorCode::kInvalidArgument, "has no queries", path);
  return queries;
}

}  // namespace souk::load
