// SPDX-License-Identifier: Apache-2.0
// souk-bench-load: sends queries to a market on this machine at a fixed rate and prints what became of them, as JSON.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>
#include <cstdio>

#include "bench/load/load_run.h"
#include "runtime/net/http_client.h"
#include "runtime/net/json_text.h"

namespace souk::load {
namespace {

namespace json = boost::json;

struct Arguments {
  std::string target;
  std::string queries;
  std::string path = "/search";
  double rate = 0;
  uint64_t seconds = 0;
  uint64_t timeout_ms = 5000;
};

// Every query in flight has a connection.
void raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

json::object to_json(const LoadOptions& options, const LoadResult& result) {
  json::object statuses;
  uint64_t answered = 0;
  for (const auto& [status, number] : result.by_status) {
    statuses[std::to_string(status)] = number;
    answered += number;
  }
  json::object errors;
  for (const auto& [error, number] : result.by_error) errors[error] = number;
  const auto& latencies = result.latencies_ms;
  return {{"rate", options.rate},
          {"seconds", result.seconds},
          {"sent", result.sent},
          {"not_sent", result.not_sent},
          {"answered", answered},
          {"complete", result.complete},
          {"statuses", std::move(statuses)},
          {"errors", std::move(errors)},
          {"latency_ms", json::object{{"p50", percentile(latencies, 0.5)},
                                      {"p90", percentile(latencies, 0.9)},
                                      {"p99", percentile(latencies, 0.99)},
                                      {"max", percentile(latencies, 1)}}},
          {"sent_late_ms", result.late_ms}};
}

Status run(const Arguments& arguments) {
  LoadOptions options;
  const auto target = net::parse_endpoint(arguments.target);
  if (!target) return std::unexpected(target.error());
  if (!net::is_loopback(*target)) {
    return fail(ErrorCode::kInvalidArgument, "only addresses of this machine are loaded", arguments.target);
  }
  auto queries = read_queries(arguments.queries);
  if (!queries) return std::unexpected(queries.error());
  options.target = *target;
  options.queries = std::move(*queries);
  options.path = arguments.path;
  options.rate = arguments.rate;
  options.duration = std::chrono::seconds(arguments.seconds);
  options.timeout = std::chrono::milliseconds(arguments.timeout_ms);

  raise_file_limit();
  boost::asio::io_context io(1);
  net::ClientLimits limits;
  limits.idle_connections = options.most_in_flight;
  limits.connect_time = options.timeout;
  net::HttpClient client(io, limits, real_clock());
  LoadResult result;
  std::exception_ptr thrown;
  boost::asio::co_spawn(io, run_load(client, real_clock(), options), [&](std::exception_ptr error, LoadResult value) {
    thrown = error;
    result = std::move(value);
    io.stop();  // kept connections need not end
  });
  io.run();
  if (thrown) std::rethrow_exception(thrown);
  std::printf("%s\n", net::to_pretty_text(to_json(options, result)).c_str());
  return {};
}

}  // namespace
}  // namespace souk::load

int main(int argc, char** argv) {
  CLI::App app{"souk-bench-load: queries to a market on this machine at a fixed rate, whatever its answers do"};
  souk::load::Arguments arguments;
  app.add_option("--target", arguments.target, "loopback address of a balancer or node, 127.0.0.1:8080")->required();
  app.add_option("--queries", arguments.queries, "file with one encoded query string a line, sent in turn")->required();
  app.add_option("--path", arguments.path, "default /search");
  app.add_option("--rate", arguments.rate, "queries a second")->required()->check(CLI::Range(0.1, 100'000.0));
  app.add_option("--seconds", arguments.seconds, "how long")->required()->check(CLI::Range(1, 600));
  app.add_option("--timeout", arguments.timeout_ms, "milliseconds for one answer, default 5000")
      ->check(CLI::Range(1, 60'000));
  CLI11_PARSE(app, argc, argv);
  try {
    const souk::Status done = souk::load::run(arguments);
    if (done) return 0;
    std::fprintf(stderr, "souk-bench-load: %s\n", souk::to_string(done.error()).c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "souk-bench-load: %s\n", error.what());
  }
  return 1;
}
