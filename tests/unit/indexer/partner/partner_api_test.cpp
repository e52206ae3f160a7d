// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <chrono>
#include <functional>
#include <latch>
#include <map>

#include "tests/unit/indexer/partner/partner_fixture.h"

namespace souk::partner {
namespace {

namespace json = boost::json;

using PartnerApiTest = PartnerFixture;

TEST_F(PartnerApiTest, AShopSeesItself) {
  const net::Response response = api("GET", "/api/shop");
  ASSERT_EQ(response.status, 200) << response.body;
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_EQ(header_of(response, "cache-control"), "no-store");
  EXPECT_EQ(header_of(response, "x-content-type-options"), "nosniff");
  const json::object shop = object_of(response);
  EXPECT_EQ(shop.at("name").as_string(), "Север");
  EXPECT_EQ(shop.at("feed").at("mode").as_string(), "lenient");
  EXPECT_EQ(shop.at("fetched").as_string(), "2026-01-31T12:05:00Z");
  EXPECT_EQ(shop.at("held").at("reason").as_string(), "shop_shrinks");
  EXPECT_TRUE(std::string(shop.at("held").at("russian").as_string()).contains("30 %"));
  EXPECT_FALSE(response.body.contains("token"));
  EXPECT_FALSE(shop.contains("number"));
}

TEST_F(PartnerApiTest, WithoutATokenThereIsNothing) {
  for (const char* path : {"/api/shop", "/api/runs", "/api/runs/1", "/api/check", "/api/none"}) {
    net::Request request{.path = path};
    EXPECT_EQ(partner(request).status, 401) << path;
    request.headers = {{"authorization", "Bearer token-1-2"}};
    const net::Response wrong = partner(request);
    EXPECT_EQ(wrong.status, 401) << path;
    EXPECT_EQ(error_of(wrong), "unauthorized ");
    EXPECT_EQ(header_of(wrong, "www-authenticate"), "Bearer");
    EXPECT_FALSE(wrong.body.contains("token-1-2"));
  }
  net::Request in_address{.path = "/api/shop", .query = "token=token-1-1"};
  EXPECT_EQ(partner(in_address).status, 401);
}

TEST_F(PartnerApiTest, ATokenIsGoodForItsShopOnly) {
  net::Request request{.path = "/api/runs/7", .headers = {{"authorization", "Bearer token-2-2"}}};
  EXPECT_EQ(partner(request).status, 404);  // it is Север's
  request.path = "/api/runs";
  EXPECT_TRUE(object_of(partner(request)).at("runs").as_array().empty());
  request.path = "/api/shop";
  EXPECT_EQ(object_of(partner(request)).at("name").as_string(), "Юг");
}

TEST_F(PartnerApiTest, WrongTokensAreLimitedByAddress) {
  net::Request wrong{.path = "/api/shop", .headers = {{"authorization", "Bearer guess"}}, .peer_ip = "10.0.0.1"};
  for (int i = 0; i < 20; ++i) EXPECT_EQ(partner(wrong).status, 401);
  const net::Response limited = partner(wrong);
  EXPECT_EQ(limited.status, 429);
  EXPECT_FALSE(header_of(limited, "retry-after").empty());
  net::Request right{.path = "/api/shop", .headers = {{"authorization", "Bearer token-1-1"}}, .peer_ip = "10.0.0.2"};
  EXPECT_EQ(partner(right).status, 200);
  right.peer_ip = "10.0.0.1";
  EXPECT_EQ(partner(right).status, 429);
  clock_.advance(std::chrono::seconds(3));
  EXPECT_EQ(partner(right).status, 200);
  EXPECT_EQ(metric("souk_indexer_partner_wrong_tokens_total"), "20");
}

TEST_F(PartnerApiTest, TheFeedsSettingsChange) {
  const auto changed = api("PUT", "/api/shop/feed", R"({"url":"https://new.example/f.yml","period_seconds":7200})");
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_EQ(object_of(changed).at("feed").at("url").as_string(), "https://new.example/f.yml");
  const offers::ShopSettings& settings = service_->entry("Север").status.shop.settings;
  EXPECT_EQ(settings.period_seconds, 7200);
  EXPECT_EQ(settings.mode, feed::Mode::kLenient);
  EXPECT_EQ(settings.regions, (std::vector<std::string>{"Москва"}));

  const auto wrong = api("PUT", "/api/shop/feed", R"({"url":"https://new.example/f.yml","period_seconds":5})");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(error_of(wrong), "invalid_argument period_seconds");
  EXPECT_EQ(error_of(api("PUT", "/api/shop/feed", R"({"regions":[]})")), "invalid_argument regions");
  EXPECT_EQ(api("PUT", "/api/shop/feed", std::string(100'000, ' ')).status, 413);
  EXPECT_EQ(api("PUT", "/api/shop/feed", std::string(60'000, '[')).status, 400);
  EXPECT_EQ(api("PUT", "/api/shop/feed?x=1", R"({"mode":"strict"})").status, 400);
  EXPECT_EQ(settings.period_seconds, 7200);
}

TEST_F(PartnerApiTest, RunsAreToldWhole) {
  const json::object list = object_of(api("GET", "/api/runs"));
  ASSERT_EQ(list.at("runs").as_array().size(), 7);
  EXPECT_EQ(list.at("runs").at(0).at("number").as_int64(), 7);
  const std::vector<std::string> outcomes = {"ingested",     "fetch_failed", "refused", "held",
                                             "not_modified", "unchanged",    "ingested"};
  for (size_t i = 0; i < outcomes.size(); ++i) {
    EXPECT_EQ(list.at("runs").at(i).at("outcome").as_string(), outcomes[i]);
    EXPECT_FALSE(list.at("runs").at(i).as_object().contains("errors"));
  }
  EXPECT_EQ(list.at("runs").at(2).at("feed_error").at("kind").as_string(), "truncated");
  EXPECT_EQ(object_of(api("GET", "/api/runs/5")).at("feed_error").at("line").as_int64(), 20'133);

  const json::object run = object_of(api("GET", "/api/runs/7"));
  EXPECT_EQ(run.at("rejected").as_int64(), 162);
  EXPECT_EQ(run.at("errors").at(0).at("id").as_string(), "<script>alert(1)</script>");
  EXPECT_EQ(run.at("errors").at(0).at("line").as_int64(), 118);
  EXPECT_EQ(run.at("warning_count").as_int64(), 32);
  std::map<std::string, json::object> kinds;
  for (const json::value& kind : run.at("kinds").as_array()) {
    kinds[std::string(kind.at("kind").as_string())] = kind.as_object();
  }
  EXPECT_EQ(kinds.at("missing_price").at("count").as_int64(), 120);
  EXPECT_EQ(kinds.at("missing_price").at("severity").as_string(), "offer");
  EXPECT_NE(kinds.at("missing_price").at("russian"), kinds.at("missing_price").at("english"));
  EXPECT_EQ(kinds.at("price_repaired").at("severity").as_string(), "repair");
  EXPECT_EQ(kinds.at("bad_picture").at("severity").as_string(), "warning");

  const json::object page = object_of(api("GET", "/api/runs/7?from=1&limit=2"));
  ASSERT_EQ(page.at("errors").as_array().size(), 2);
  EXPECT_EQ(page.at("errors").at(0).at("id").as_string(), "A-1000");
  EXPECT_EQ(page.at("warnings").as_array().size(), 1);
  EXPECT_EQ(page.at("kinds"), run.at("kinds"));
  EXPECT_TRUE(object_of(api("GET", "/api/runs/7?from=18446744073709551615")).at("errors").as_array().empty());
  EXPECT_EQ(error_of(api("GET", "/api/runs/7?limit=10001")), "invalid_argument limit");

  EXPECT_EQ(api("GET", "/api/runs/8").status, 404);
  EXPECT_EQ(error_of(api("GET", "/api/runs/0")), "invalid_argument run");
  EXPECT_EQ(error_of(api("GET", "/api/runs/1/2")), "invalid_argument run");
}

TEST_F(PartnerApiTest, AFeedIsCheckedByAddressOrAsABody) {
  const json::object by_address = object_of(api("POST", "/api/check", R"({"url":"https://shop.example/x.yml"})"));
  EXPECT_EQ(by_address.at("address").as_string(), "https://shop.example/x.yml");
  EXPECT_EQ(by_address.at("accepted").as_int64(), 12'840);
  EXPECT_EQ(error_of(api("POST", "/api/check", R"({"url":"file:///etc/passwd"})")), "invalid_argument url");
  EXPECT_EQ(error_of(api("POST", "/api/check", R"({"url":"http://a/","x":1})")), "invalid_argument x");
  EXPECT_EQ(error_of(api("POST", "/api/check?mode=strict", R"({"url":"http://a/"})")), "invalid_argument mode");

  const json::object by_body = object_of(api("POST", "/api/check", "<yml_catalog/>", "application/xml"));
  EXPECT_EQ(by_body.at("address").as_string(), "14 bytes");
  EXPECT_EQ(by_body.at("mode").as_string(), "lenient");  // the shop's
  const auto strict = api("POST", "/api/check?mode=strict", "{\"id\":1}", "application/x-ndjson");
  EXPECT_EQ(object_of(strict).at("mode").as_string(), "strict");
  EXPECT_EQ(error_of(api("POST", "/api/check?mode=loose", "x", "text/xml")), "invalid_argument mode");
  EXPECT_EQ(error_of(api("POST", "/api/check?mode=", "x", "text/xml")), "invalid_argument mode");
  EXPECT_EQ(api("POST", "/api/check", "", "text/xml").status, 400);
}

TEST_F(PartnerApiTest, AnAnswerIsBounded) {
  service_->check_report.errors.assign(feed::Report::kKept, {1, "id", "missing_price", "offer has no <price>"});
  const net::Response response = api("POST", "/api/check", R"({"url":"https://shop.example/x.yml"})");
  EXPECT_EQ(object_of(response).at("errors").as_array().size(), 10'000);
}

TEST_F(PartnerApiTest, AReadingIsAskedForOnceAMinute) {
  EXPECT_EQ(api("POST", "/api/reread").status, 202);
  EXPECT_EQ(service_->entry("Север").rereads, 1);
  service_->entry("Север").asked_lately = true;
  const net::Response early = api("POST", "/api/reread");
  EXPECT_EQ(early.status, 429);
  EXPECT_EQ(header_of(early, "retry-after"), "60");
}

TEST_F(PartnerApiTest, OtherMethodsAndPathsAreRefused) {
  for (const char* path : {"/api/shop", "/api/runs", "/api/runs/1"}) {
    const net::Response response = api("POST", path);
    EXPECT_EQ(response.status, 405) << path;
    EXPECT_EQ(header_of(response, "allow"), "GET, HEAD");
  }
  EXPECT_EQ(header_of(api("GET", "/api/shop/feed"), "allow"), "PUT");
  EXPECT_EQ(header_of(api("GET", "/api/check"), "allow"), "POST");
  EXPECT_EQ(header_of(api("DELETE", "/api/reread"), "allow"), "POST");
  EXPECT_EQ(api("GET", "/api/").status, 404);
  EXPECT_EQ(api("GET", "/api/shops").status, 404);
}

TEST_F(PartnerApiTest, FailuresOfTheServiceAreTold) {
  service_->failure = Error{ErrorCode::kUnavailable, "the disk is full", ""};
  const net::Response response = api("GET", "/api/shop");
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(error_of(response), "unavailable ");
  EXPECT_EQ(metric("souk_indexer_partner_requests_total{face=\"api\",outcome=\"failed\"}"), "1");
}

// Requests under way while the service blocks.
class BusyPartnerTest : public PartnerFixture {
 protected:
  void TearDown() override {
    if (!release_.try_wait()) release_.count_down();
    server_.reset();
  }
  void begin(const std::string& method, const std::string& path, const std::string& body) {
    net::Request request{.method = method, .path = path, .body = body};
    request.headers = {{"authorization", "Bearer token-1-1"}, {"content-type", "application/json"}};
    boost::asio::co_spawn(io_, server_->partner_handler()(std::move(request)),
                          [this](const std::exception_ptr& /*thrown*/, const net::Response& response) {
                            statuses_.push_back(response.status);
                          });
  }
  template <typename Condition>
  bool run_until(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition() && std::chrono::steady_clock::now() < deadline) io_.run_for(std::chrono::milliseconds(1));
    return condition();
  }
  std::function<void()> blocking() {
    return [this] {
      ++at_work_;
      release_.wait();
    };
  }

  std::atomic<int> at_work_ = 0;
  std::latch release_{1};
  std::vector<int> statuses_;  // of what is answered, in order
};

TEST_F(BusyPartnerTest, ChecksAreBounded) {
  service_->before_check = blocking();
  const auto check = [&] { begin("POST", "/api/check", R"({"url":"http://a/"})"); };
  check();
  check();
  EXPECT_TRUE(run_until([&] { return at_work_ == 2; }));
  for (int i = 0; i < 5; ++i) check();
  EXPECT_TRUE(run_until([&] { return !statuses_.empty(); }));
  EXPECT_EQ(statuses_, std::vector<int>{503});
  // Two at work, one refused: the other four wait (asking for it earlier would count their tokens' lookups too).
  EXPECT_EQ(metric_now("souk_indexer_partner_queued_calls"), 4);
  begin("GET", "/api/shop", "");
  EXPECT_TRUE(run_until([&] { return statuses_.size() == 2; }));
  EXPECT_EQ(statuses_.back(), 200);
  release_.count_down();
  EXPECT_TRUE(run_until([&] { return statuses_.size() == 8; }));
  EXPECT_EQ(std::ranges::count(statuses_, 200), 7);
}

TEST_F(BusyPartnerTest, ChangesThatWaitForTheCatalogueHoldUpNothingElse) {
  service_->before_change = blocking();
  for (int i = 0; i < 3; ++i) begin("PUT", "/api/shop/feed", R"({"mode":"strict"})");
  EXPECT_TRUE(run_until([&] { return at_work_ == 1; }));
  for (const char* path : {"/api/shop", "/api/runs", "/api/runs/7"}) begin("GET", path, "");
  EXPECT_TRUE(run_until([&] { return statuses_.size() == 3; }));
  EXPECT_EQ(statuses_, (std::vector<int>{200, 200, 200}));
  EXPECT_EQ(at_work_, 1);
  release_.count_down();
  EXPECT_TRUE(run_until([&] { return statuses_.size() == 6; }));
  EXPECT_EQ(std::ranges::count(statuses_, 200), 6);
  EXPECT_EQ(service_->entry("Север").status.shop.settings.mode, feed::Mode::kStrict);
}

}  // namespace
}  // namespace souk::partner
