// SPDX-License-Identifier: Apache-2.0
// souk-indexer serve without its ports: shops' servers on loopback, real children, a real catalogue, a clock of the
// test's.
#include "indexer/ingest/feed_daemon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <thread>

#include "runtime/net/http_server.h"
#include "runtime/testing/fake_clock.h"
#include "tests/unit/indexer/feed/feed_text.h"
#include "tests/world/temporary_folder.h"

namespace souk::ingest {
namespace {

using Outcome = FeedRun::Outcome;

std::string feed_of(int offers) {
  std::string text;
  for (int id = 1; id <= offers; ++id) text += feed::offer_text(std::to_string(id));
  return feed::feed_with(text);
}

// What the shops' server sends, by path.
struct Pages {
  struct Page {
    std::string body;
    std::string etag;
    int status = 200;
  };
  std::mutex mutex;
  std::map<std::string, Page> pages;
  std::map<std::string, int> asked;

  void put(const std::string& path, Page page) {
    const std::lock_guard lock(mutex);
    pages[path] = std::move(page);
  }
  int times(const std::string& path) {
    const std::lock_guard lock(mutex);
    return asked[path];
  }
};

boost::asio::awaitable<net::Response> send_page(net::Request request, std::shared_ptr<Pages> pages) {
  if (request.path == "/hangs") {
    boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor, std::chrono::hours(1));
    co_await timer.async_wait(boost::asio::use_awaitable);
  }
  const std::lock_guard lock(pages->mutex);
  ++pages->asked[request.path];
  const auto found = pages->pages.find(request.path);
  if (found == pages->pages.end()) co_return net::Response{404, "text/plain", {}, "no such page"};
  const Pages::Page& page = found->second;
  for (const auto& [name, value] : request.headers) {
    if (name == "if-none-match" && value == page.etag)
      co_return net::Response{304, "text/xml", {{"etag", page.etag}}, ""};
  }
  co_return net::Response{page.status, "text/xml", {{"etag", page.etag}}, page.body};
}

class FeedDaemonTest : public ::testing::Test {
 protected:
  void SetUp() override {
    server_ = std::make_unique<net::HttpServer>(io_, net::ServerLimits{}, [pages = pages_](net::Request request) {
      return send_page(std::move(request), pages);
    });
    const Status listening = server_->listen({"127.77.13.1", 0});
    ASSERT_TRUE(listening) << to_string(listening.error());
    server_thread_ = std::thread([this] { io_.run(); });
    start();
  }

  void TearDown() override {
    daemon_.reset();
    io_.stop();
    server_thread_.join();
  }

  void start() {
    daemon_.reset();
    FeedDaemon::Settings settings;
    settings.pipeline.read.program = SOUK_INDEXER;
    settings.pipeline.read.work_folder = path("work");
    settings.pipeline.download_folder = path("downloads");
    settings.pipeline.fetch.allow_private_addresses = true;
    settings.reports_folder = path("reports");
    settings.held_folder = path("held");
    settings.build_period = std::chrono::seconds(0);
    auto store = offers::open_rocksdb_store(path("offers"), clock_);
    ASSERT_TRUE(store) << to_string(store.error());
    FeedDaemon::Outside outside{.number_of = [this](const std::string& name) -> Result<uint32_t> {
                                  const std::lock_guard lock(mutex_);
                                  return numbers_.try_emplace(name, numbers_.size() + 1).first->second;
                                },
                                .load_market = []() -> Result<config::Market> { return config::Market{}; },
                                .build = [this](offers::OfferStore& catalogue, const config::Market&) -> Status {
                                  const auto offers = catalogue.offers();
                                  const std::lock_guard lock(mutex_);
                                  built_.push_back(*offers);
                                  return {};
                                }};
    daemon_ = std::make_unique<FeedDaemon>(std::move(settings), std::move(*store), std::move(outside), clock_,
                                           obs::Log::null());
    const Status started = daemon_->start();
    ASSERT_TRUE(started) << to_string(started.error());
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string url(const std::string& page) const {
    return "http://" + net::to_string(server_->local_endpoint()) + page;
  }

  std::string add_shop(const std::string& name, const std::string& page) {
    offers::ShopSettings settings;
    if (!page.empty()) settings.feed_url = url(page);
    const auto registered = daemon_->register_shop(name, settings);
    EXPECT_TRUE(registered) << to_string(registered.error());
    return registered->token;
  }

  // Moves the clock until something is so; real time is bounded.
  bool eventually(const std::function<bool()>& holds, std::chrono::milliseconds step = std::chrono::milliseconds(0)) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < end) {
      if (holds()) return true;
      if (step.count() > 0) clock_.advance(step);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  std::vector<FeedRun> runs(const std::string& shop) { return daemon_->runs(shop).value_or(std::vector<FeedRun>()); }
  bool has_run(const std::string& shop, size_t count) { return runs(shop).size() >= count; }

  testing::FakeClock clock_;
  world::TemporaryFolder folder_;
  std::shared_ptr<Pages> pages_ = std::make_shared<Pages>();
  boost::asio::io_context io_;
  std::unique_ptr<net::HttpServer> server_;
  std::thread server_thread_;
  std::mutex mutex_;
  std::map<std::string, uint32_t> numbers_;
  std::vector<uint64_t> built_;
  std::unique_ptr<FeedDaemon> daemon_;
};

constexpr std::chrono::minutes kStep{10};

TEST_F(FeedDaemonTest, FetchesTakesAndBuilds) {
  pages_->put("/north", {feed_of(10), "\"v1\""});
  const std::string token = add_shop("north", "/north");
  EXPECT_EQ(daemon_->authenticate(token).value_or(""), "north");
  EXPECT_EQ(daemon_->authenticate(token + "0").error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(eventually([&] { return has_run("north", 1); }, kStep));
  const FeedRun first = *daemon_->run("north", 1);
  EXPECT_EQ(first.outcome, Outcome::kIngested) << first.report.feed_error.message;
  EXPECT_EQ(first.report.accepted, 10U);
  ASSERT_TRUE(eventually([&] { return daemon_->status("north")->live_offers == 10; }));
  EXPECT_EQ(daemon_->status("north")->shop.settings.token_hash, "");
  ASSERT_TRUE(eventually([&] {
    const std::lock_guard lock(mutex_);
    return !built_.empty() && built_.back() == 10;
  }));
  // The same again is not sent again, something new is.
  ASSERT_TRUE(eventually([&] { return has_run("north", 2); }, kStep));
  EXPECT_EQ(daemon_->run("north", 2)->outcome, Outcome::kNotModified);
  pages_->put("/north", {feed_of(11), "\"v2\""});
  ASSERT_TRUE(eventually([&] { return daemon_->status("north")->live_offers == 11; }, kStep));
}

TEST_F(FeedDaemonTest, ASlowShopDelaysNobody) {
  add_shop("slow", "/hangs");
  for (int i = 1; i <= 20; ++i) {
    const std::string page = "/shop" + std::to_string(i);
    pages_->put(page, {feed_of(3), ""});
    add_shop("shop" + std::to_string(i), page);
  }
  for (int i = 1; i <= 20; ++i) {
    const std::string shop = "shop" + std::to_string(i);
    ASSERT_TRUE(eventually([&] { return daemon_->status(shop)->live_offers == 3; }, kStep)) << shop;
  }
  EXPECT_TRUE(daemon_->status("slow")->reading);
  EXPECT_TRUE(runs("slow").empty());
}

TEST_F(FeedDaemonTest, WhatCannotBeFetchedIsTriedLaterAndLater) {
  add_shop("north", "/absent");
  ASSERT_TRUE(eventually([&] { return has_run("north", 3); }, kStep));
  EXPECT_EQ(runs("north")[0].outcome, Outcome::kFetchFailed);
  EXPECT_EQ(daemon_->run("north", 1)->report.feed_error.kind, "http_404");
  EXPECT_TRUE(eventually([&] { return daemon_->status("north")->shop.state.failures >= 3; }));
}

TEST_F(FeedDaemonTest, AHeldFeedWaitsForItsRelease) {
  pages_->put("/north", {feed_of(10), "\"v1\""});
  add_shop("north", "/north");
  ASSERT_TRUE(eventually([&] { return daemon_->status("north")->live_offers == 10; }, kStep));
  EXPECT_EQ(daemon_->release("north").error().code, ErrorCode::kNotFound);
  pages_->put("/north", {feed_of(2), "\"v2\""});
  ASSERT_TRUE(eventually([&] { return !daemon_->status("north")->shop.state.hold.reason.empty(); }, kStep));
  EXPECT_EQ(daemon_->status("north")->live_offers, 10U);
  // What was held is what is let pass, also by the next process and whatever the server has now.
  start();
  pages_->put("/north", {"nonsense", "\"v3\""});
  ASSERT_TRUE(daemon_->release("north"));
  ASSERT_TRUE(eventually([&] { return daemon_->status("north")->live_offers == 2; }));
  EXPECT_EQ(daemon_->status("north")->shop.state.hold.reason, "");
}

TEST_F(FeedDaemonTest, ARereadIsAtOnceButNotTooOften) {
  pages_->put("/north", {feed_of(1), ""});
  add_shop("north", "");
  EXPECT_EQ(daemon_->reread("north").error().argument, "feed_url");
  offers::ShopSettings settings;
  settings.feed_url = url("/north");
  ASSERT_TRUE(daemon_->change_settings("north", settings));
  ASSERT_TRUE(eventually([&] { return daemon_->status("north")->live_offers == 1; }));
  const int before = pages_->times("/north");
  ASSERT_TRUE(daemon_->reread("north"));
  ASSERT_TRUE(eventually([&] { return pages_->times("/north") == before + 1; }));
  EXPECT_EQ(daemon_->reread("north").error().code, ErrorCode::kOverloaded);
  EXPECT_EQ(daemon_->reread("nobody").error().code, ErrorCode::kNotFound);
}

TEST_F(FeedDaemonTest, ChecksWithoutTaking) {
  pages_->put("/north", {feed_of(4), ""});
  add_shop("north", "");
  const auto by_address = daemon_->check_address("north", url("/north"));
  ASSERT_TRUE(by_address) << to_string(by_address.error());
  EXPECT_EQ(by_address->accepted, 4U);
  const auto by_body = daemon_->check_body("north", feed_of(5) + "junk", feed::Mode::kStrict);
  ASSERT_TRUE(by_body) << to_string(by_body.error());
  EXPECT_EQ(by_body->feed_error.kind, "trailing_junk");
  EXPECT_EQ(daemon_->check_body("north", feed_of(5) + "junk", feed::Mode::kLenient)->accepted, 5U);
  EXPECT_EQ(daemon_->check_address("north", "ftp://x").error().argument, "url");
  EXPECT_TRUE(runs("north").empty());
  EXPECT_EQ(daemon_->status("north")->live_offers, 0U);
}

TEST_F(FeedDaemonTest, BadNamesAndSettingsAreRefused) {
  offers::ShopSettings settings;
  EXPECT_EQ(daemon_->register_shop("../evil", settings).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(daemon_->register_shop("", settings).error().code, ErrorCode::kInvalidArgument);
  settings.period_seconds = 1;
  EXPECT_EQ(daemon_->register_shop("north", settings).error().argument, "period_seconds");
  settings.period_seconds = 3600;
  settings.feed_url = "file:///etc/passwd";
  EXPECT_EQ(daemon_->register_shop("north", settings).error().argument, "feed_url");
  settings.feed_url.clear();
  settings.regions = {"Atlantis"};
  EXPECT_EQ(daemon_->register_shop("north", settings).error().argument, "regions");
  EXPECT_TRUE(daemon_->shops()->empty());
}

}  // namespace
}  // namespace souk::ingest
