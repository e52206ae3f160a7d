// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "runtime/net/http.h"

namespace souk::load {

struct LoadOptions {
  net::Endpoint target = {};
  std::string path = "/search";
  std::vector<std::string> queries = {};  // still encoded, sent in turn; at least one
  double rate = 1;                        // a second, 0.1..100'000
  std::chrono::seconds duration{1};       // 1..600
  std::chrono::milliseconds timeout{5000};
  size_t most_in_flight = 4096;  // beyond, a query is not sent and counts as such
};

struct LoadResult {
  uint64_t sent = 0;
  uint64_t not_sent = 0;  // too many were in flight: the target does not keep up at all
  uint64_t complete = 0;  // 200 with "complete":true
  std::map<int, uint64_t> by_status;
  std::map<std::string, uint64_t> by_error;  // no answer: unavailable, deadline_exceeded, …
  std::vector<double> latencies_ms;          // of complete answers, sorted
  double late_ms = 0;                        // how late the latest query was sent: the generator's own lag
  double seconds = 0;                        // from the first query's time to the last answer
};

// An open loop: query i is sent at begin + i / rate, whatever became of those before, and its latency counts from that
// time, not from when it was really sent: a server that stalls cannot make its queue invisible (coordinated omission).
// On the executor of the coroutine, which must be one thread's; transport is used there.
boost::asio::awaitable<LoadResult> run_load(net::Transport& transport, const Clock& clock, LoadOptions options);

// Nearest rank; 0 when there are none. share: 0..1.
double percentile(const std::vector<double>& sorted, double share);

// One query string a line. kInvalidArgument names file and line.
Result<std::vector<std::string>> read_queries(const std::string& path);

}  // namespace souk::load
