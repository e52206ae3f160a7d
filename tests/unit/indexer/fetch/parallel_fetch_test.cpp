// SPDX-License-Identifier: Apache-2.0
#include <condition_variable>
#include <mutex>

#include "tests/unit/indexer/fetch/fetch_fixture.h"

namespace souk::fetch {
namespace {

using std::chrono::seconds;

// Counts what has come, to be awaited.
class Results {
 public:
  std::function<void(FetchResult)> taker() {
    return [this](FetchResult result) {
      const std::lock_guard lock(mutex_);
      ++(result.outcome == Outcome::kDownloaded ? good_ : bad_);
      last_error_ = result.error;
      changed_.notify_all();
    };
  }
  bool await_good(size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, seconds(30), [&] { return good_ >= count; });
  }
  size_t good() const { return good_; }
  size_t bad() const { return bad_; }
  const std::string& last_error() const { return last_error_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t good_ = 0, bad_ = 0;
  std::string last_error_;
};

class ParallelFetchTest : public FetchTest {
 protected:
  static std::vector<std::string> hosts(size_t count) {
    std::vector<std::string> hosts;
    for (size_t i = 1; i <= count; ++i) hosts.push_back("127.0.1." + std::to_string(i));
    return hosts;
  }

  void start(Fetcher& fetcher, const std::string& url, Results& results) {
    fetcher.start({url, {}, {}, file("feed" + std::to_string(number_++))}, results.taker());
  }

  size_t number_ = 0;
};

TEST_F(ParallelFetchTest, HangingHostsDelayNoOther) {
  constexpr size_t kHosts = 200;
  constexpr size_t kHanging = 20;
  TestServer server(
      [](const Request& request, Connection& connection) {
        if (request.path == "/hang") connection.hang();
        connection.reply(200, {}, "feed of " + request.host);
      },
      hosts(kHosts));
  Results results;
  Results hung;
  FetchLimits few = limits();
  few.parallel = 32;
  {
    Fetcher fetcher(few);
    for (size_t i = 0; i < kHosts; ++i) {
      if (i < kHanging) {
        start(fetcher, server.url("/hang", i), hung);
      } else {
        start(fetcher, server.url("/feed", i), results);
      }
    }
    EXPECT_TRUE(results.await_good(kHosts - kHanging));
    EXPECT_EQ(hung.good() + hung.bad(), 0U);
  }
  EXPECT_EQ(results.bad(), 0U);
  EXPECT_EQ(hung.bad(), kHanging);
  EXPECT_EQ(hung.last_error(), "io_failed");
  EXPECT_LE(server.most_at_once(), 32U + kHanging);
  EXPECT_EQ(read(file("feed199")), "feed of 127.0.1.200");
  EXPECT_EQ(files(), kHosts - kHanging);
}

TEST_F(ParallelFetchTest, OneHostsManyFeedsDelayNoOther) {
  TestServer server(
      [](const Request& request, Connection& connection) {
        if (request.path == "/hang") connection.hang();
        connection.reply(200, {}, "x");
      },
      hosts(20));
  Results results;
  Results hung;
  FetchLimits few = limits();
  few.parallel = 8;
  few.parallel_per_host = 4;
  Fetcher fetcher(few);
  for (size_t i = 0; i < 500; ++i) start(fetcher, server.url("/hang", 0), hung);
  for (size_t i = 1; i < 20; ++i) start(fetcher, server.url("/feed", i), results);
  EXPECT_TRUE(results.await_good(19));
}

TEST_F(ParallelFetchTest, BoundsAreKept) {
  std::atomic<size_t> now = 0;
  std::atomic<size_t> most = 0;
  TestServer server([&](const Request&, Connection& connection) {
    const size_t mine = ++now;
    size_t seen = most;
    while (mine > seen && !most.compare_exchange_weak(seen, mine)) continue;
    connection.wait(std::chrono::milliseconds(2));
    --now;
    connection.reply(200, {}, "x");
  });
  Results results;
  FetchLimits few = limits();
  few.parallel_per_host = 3;
  Fetcher fetcher(few);
  for (size_t i = 0; i < 100; ++i) start(fetcher, server.url("/"), results);
  EXPECT_TRUE(results.await_good(100));
  EXPECT_LE(most, 3U);
}

TEST_F(ParallelFetchTest, RedirectsWaitForTheirHostsTurn) {
  TestServer target([](const Request&, Connection& connection) {
    connection.wait(std::chrono::milliseconds(2));
    connection.reply(200, {}, "x");
  });
  TestServer server([&target](const Request&,
                              Connection& connection) { connection.reply(302, {"Location: " + target.url("/")}, ""); },
                    hosts(50));
  Results results;
  FetchLimits few = limits();
  few.parallel_per_host = 2;
  Fetcher fetcher(few);
  for (size_t i = 0; i < 50; ++i) start(fetcher, server.url("/", i), results);
  EXPECT_TRUE(results.await_good(50));
  EXPECT_LE(target.most_at_once(), 3U);  // the server may count one that its client has left already
}

TEST_F(ParallelFetchTest, ADoneMayStartTheNext) {
  TestServer server([](const Request&, Connection& connection) { connection.reply(200, {}, "x"); });
  Results results;
  Fetcher fetcher(limits());
  std::function<void(int)> start_chain = [&](int left) {
    fetcher.start({server.url("/"), {}, {}, file()}, [&, left](FetchResult result) {
      if (left > 0) start_chain(left - 1);
      results.taker()(std::move(result));
    });
  };
  start_chain(9);
  EXPECT_TRUE(results.await_good(10));
}

TEST_F(ParallelFetchTest, ClosingEndsEveryFetchOnce) {
  TestServer server([](const Request&, Connection& connection) { connection.hang(); });
  Results results;
  {
    Fetcher fetcher(limits());
    for (size_t i = 0; i < 50; ++i) start(fetcher, server.url("/"), results);
  }
  EXPECT_EQ(results.bad(), 50U);
  EXPECT_EQ(results.last_error(), "io_failed");
  EXPECT_EQ(files(), 0U);
}

}  // namespace
}  // namespace souk::fetch
