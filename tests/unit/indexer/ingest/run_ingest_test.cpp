// SPDX-License-Identifier: Apache-2.0
// The whole subcommand against a control that only numbers shops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include "indexer/commands.h"
#include "runtime/net/http_server.h"
#include "tests/unit/indexer/feed/feed_text.h"
#include "tests/unit/indexer/offers/store_fixture.h"

namespace souk::indexer {
namespace {

boost::asio::awaitable<net::Response> number_shop(net::Request request,
                                                  std::shared_ptr<std::map<std::string, int>> shops) {
  const auto body = boost::json::parse(request.body);
  const std::string name(body.at("name").as_string());
  if (request.path != "/shops" || name == "refused") co_return net::Response{400, "application/json", {}, "{}"};
  const int next = static_cast<int>(shops->size()) + 1;
  const int number = shops->try_emplace(name, next).first->second;
  co_return net::json_response("{\"number\":" + std::to_string(number) + "}");
}

class RunIngest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto shops = std::make_shared<std::map<std::string, int>>();
    server_ = std::make_unique<net::HttpServer>(
        io_, net::ServerLimits{}, [shops](net::Request request) { return number_shop(std::move(request), shops); });
    const Status listening = server_->listen({"127.77.12.1", 0});
    ASSERT_TRUE(listening) << to_string(listening.error());
    const std::string control = to_string(server_->local_endpoint());
    thread_ = std::thread([this] { io_.run(); });
    write("topology.toml",
          "version = 1\n[[data_centers]]\nname = \"dc1\"\n"
          "[[clusters]]\nname = \"c1\"\nenvironment = \"production\"\nshards = 1\n"
          "[[nodes]]\nname = \"node-1\"\ncluster = \"c1\"\ndata_center = \"dc1\"\nrack = \"r1\"\n"
          "roles = [\"shard\", \"meta\"]\nshard = 1\npublic = \"127.77.12.2:1\"\npeer = \"127.77.12.2:2\"\n"
          "admin = \"127.77.12.2:3\"\nagent = \"127.77.12.2:4\"\n"
          "[control]\nname = \"control\"\naddress = \"" +
              control + "\"\n");
    write("good.yml", feed::feed_with(feed::offer_text("1") + feed::offer_text("2")));
    write("cut.yml", "<yml_catalog><shop>");
  }

  void TearDown() override {
    io_.stop();
    if (thread_.joinable()) thread_.join();
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  void write(const std::string& name, const std::string& text) { std::ofstream(path(name), std::ios::binary) << text; }
  std::string read(const std::string& name) {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  // Exit code; output is in out_ and err_.
  int run(const std::vector<std::string>& feeds) {
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const int code = run_ingest({path("topology.toml"), path("data"), "", feeds, "", SOUK_INDEXER});
    out_ = ::testing::internal::GetCapturedStdout();
    err_ = ::testing::internal::GetCapturedStderr();
    return code;
  }

  offers::TemporaryFolder folder_;
  boost::asio::io_context io_;
  std::unique_ptr<net::HttpServer> server_;
  std::thread thread_;
  std::string out_;
  std::string err_;
};

TEST_F(RunIngest, ReadsFeedsAndWritesReports) {
  EXPECT_EQ(run({path("good.yml"), "Другой=" + path("good.yml")}), 0) << err_;
  EXPECT_EQ(out_,
            "good: 2 offers accepted, 0 rejected, 0 warnings; 2 new, 0 changed, 0 gone\n"
            "Другой: 2 offers accepted, 0 rejected, 0 warnings; 2 new, 0 changed, 0 gone\n");
  EXPECT_EQ(err_, "");
  const std::string report = read("data/reports/good.json");
  EXPECT_EQ(boost::json::parse(report).at("offers").at("accepted"), 2);
  EXPECT_EQ(run({path("good.yml")}), 0);
  EXPECT_EQ(out_, "good: unchanged\n");
  EXPECT_EQ(read("data/reports/good.json"), report);
}

TEST_F(RunIngest, ARefusedFeedGivesThree) {
  EXPECT_EQ(run({path("cut.yml"), path("good.yml"), path("absent.yml")}), 3) << err_;
  EXPECT_THAT(out_, ::testing::HasSubstr("cut: refused, the earlier offers stay: " + path("cut.yml") +
                                         ": truncated in line 1: "));
  EXPECT_THAT(out_, ::testing::HasSubstr("good: 2 offers accepted"));
  EXPECT_THAT(out_, ::testing::HasSubstr("unreadable: No such file or directory\n"));
  EXPECT_EQ(boost::json::parse(read("data/reports/cut.json")).at("feed_error").at("kind"), "truncated");
}

TEST_F(RunIngest, OtherFailuresGiveOneLineAndOne) {
  const auto fails_with = [this](const std::vector<std::string>& feeds, const std::string& part) {
    EXPECT_EQ(run(feeds), 1);
    EXPECT_THAT(err_, ::testing::HasSubstr(part));
    EXPECT_EQ(std::ranges::count(err_, '\n'), 1);
  };
  fails_with({"refused=" + path("good.yml")}, "control refused to register the shop");
  fails_with({path("good.yml"), path("good.yml")}, "two feeds are of the shop good");
  io_.stop();
  thread_.join();
  server_->stop();
  fails_with({path("good.yml")}, "control does not answer");
  write("topology.toml", "nonsense");
  fails_with({path("good.yml")}, "topology.toml");
}

}  // namespace
}  // namespace souk::indexer
