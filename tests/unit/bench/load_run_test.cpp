// SPDX-License-Identifier: Apache-2.0
#include "bench/load/load_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

namespace souk::load {
namespace {

namespace asio = boost::asio;
using testing::ElementsAre;
using testing::Pair;

net::Response answer(int status, std::string body = R"({"complete":true})") {
  net::Response response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

// Answers what the test says, at once or when the test has had as many queries as it wants.
class StubTransport final : public net::Transport {
 public:
  explicit StubTransport(asio::io_context& io) : gate_(io, SteadyTime::max()) {}

  asio::awaitable<Result<net::Response>> send(net::Endpoint, net::Request request, Deadline) override {
    queries.push_back(request.query);
    const size_t number = queries.size();
    most_at_once = std::max(most_at_once, ++at_once_);
    if (number == hold_until) release();
    if (number < hold_until) {
      boost::system::error_code cancelled;
      co_await gate_.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    }
    --at_once_;
    co_return reply(number);
  }

  void release() { gate_.cancel(); }

  size_t hold_until = 0;  // answers to the queries before this one wait for it
  std::function<Result<net::Response>(size_t)> reply = [](size_t) { return answer(200); };
  std::vector<std::string> queries;
  size_t most_at_once = 0;

 private:
  size_t at_once_ = 0;
  asio::steady_timer gate_;
};

class LoadRunTest : public testing::Test {
 protected:
  LoadResult run(LoadOptions options) {
    options.queries = {"text=a", "text=b", "text=c"};
    LoadResult result;
    asio::co_spawn(io, run_load(transport, real_clock(), std::move(options)),
                   [&](std::exception_ptr error, LoadResult value) {
                     EXPECT_FALSE(error);
                     result = std::move(value);
                   });
    io.run();
    return result;
  }

  asio::io_context io{1};
  StubTransport transport{io};
};

TEST_F(LoadRunTest, SendsOnAlthoughNothingIsAnswered) {
  transport.hold_until = 50;  // a closed loop would wait for ever
  const LoadResult result = run({.rate = 50});
  EXPECT_EQ(result.sent, 50U);
  EXPECT_EQ(result.complete, 50U);
  // The first waited for the last, which was due 49 intervals of 20 ms later.
  EXPECT_GE(result.latencies_ms.back(), 980);
  EXPECT_GE(percentile(result.latencies_ms, 0.5), 480);
  EXPECT_GE(result.seconds, 0.98);
}

TEST_F(LoadRunTest, LatencyCountsFromWhenAQueryWasDue) {
  transport.reply = [](size_t number) {
    // Nothing can be sent meanwhile: those that are due wait, and that is theirs to pay.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(number == 10 ? 200 : 0);
    while (std::chrono::steady_clock::now() < end) continue;
    return answer(200);
  };
  const LoadResult result = run({.rate = 100});
  EXPECT_EQ(result.complete, 100U);
  EXPECT_GE(result.late_ms, 180);
  const auto slow = std::ranges::count_if(result.latencies_ms, [](double ms) { return ms >= 90; });
  EXPECT_GE(slow, 10) << "half of the twenty that were due while it stalled";
}

TEST_F(LoadRunTest, CountsWhatBecameOfEach) {
  transport.reply = [](size_t number) -> Result<net::Response> {
    if (number <= 2) return answer(503);
    if (number <= 5) return answer(200, R"({"complete":false,"text":"\"complete\":true"})");
    if (number <= 6) return fail(ErrorCode::kDeadlineExceeded, "late");
    return answer(200);
  };
  const LoadResult result = run({.rate = 20});
  EXPECT_EQ(result.sent, 20U);
  EXPECT_THAT(result.by_status, ElementsAre(Pair(200, 17), Pair(503, 2)));
  EXPECT_THAT(result.by_error, ElementsAre(Pair("deadline_exceeded", 1)));
  EXPECT_EQ(result.complete, 14U);
  EXPECT_EQ(result.latencies_ms.size(), 14U);
  EXPECT_EQ(result.not_sent, 0U);
  EXPECT_THAT(std::vector(transport.queries.begin(), transport.queries.begin() + 4),
              ElementsAre("text=a", "text=b", "text=c", "text=a"));
}

TEST_F(LoadRunTest, BoundsWhatIsInFlight) {
  transport.hold_until = 21;  // there are 20
  asio::steady_timer release(io, std::chrono::milliseconds(1200));
  release.async_wait([this](boost::system::error_code) { transport.release(); });
  const LoadResult result = run({.rate = 20, .most_in_flight = 5});
  EXPECT_EQ(transport.most_at_once, 5U);
  EXPECT_EQ(result.sent + result.not_sent, 20U);
  EXPECT_GT(result.not_sent, 0U);
  EXPECT_EQ(result.complete, result.sent);
}

TEST(PercentileTest, IsTheNearestRank) {
  EXPECT_EQ(percentile({}, 0.5), 0);
  EXPECT_EQ(percentile({7}, 0.99), 7);
  const std::vector<double> ten = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(percentile(ten, 0), 1);
  EXPECT_EQ(percentile(ten, 0.5), 5);
  EXPECT_EQ(percentile(ten, 0.9), 9);
  EXPECT_EQ(percentile(ten, 0.91), 10);
  EXPECT_EQ(percentile(ten, 1), 10);
}

class QueriesTest : public testing::Test {
 protected:
  QueriesTest() {
    std::string name = (std::filesystem::temp_directory_path() / "souk-queries-XXXXXX").string();
    const int file = ::mkstemp(name.data());
    EXPECT_GE(file, 0);
    ::close(file);
    path = name;
  }
  ~QueriesTest() override { std::filesystem::remove(path); }

  Result<std::vector<std::string>> read(const std::string& text) {
    std::ofstream(path) << text;
    return read_queries(path);
  }

  std::string path;
};

TEST_F(QueriesTest, AreLines) {
  const auto queries = read("text=a&vendor=b\n\ntext=%D0%B0\n");
  ASSERT_TRUE(queries);
  EXPECT_THAT(*queries, ElementsAre("text=a&vendor=b", "", "text=%D0%B0"));
}

TEST_F(QueriesTest, BadOnesAreNamed) {
  for (const std::string bad : {"text=a b", "text=\xd0\xb0", "text=a\r", "text=\x7f"}) {
    const auto queries = read("text=a\n" + bad + "\n");
    ASSERT_FALSE(queries) << bad;
    EXPECT_EQ(queries.error().argument, path + ":2");
  }
  EXPECT_FALSE(read("text=a\n" + std::string(4097, 'a') + "\n"));
  EXPECT_FALSE(read(""));
  std::filesystem::remove(path);
  EXPECT_EQ(read_queries(path).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace souk::load
