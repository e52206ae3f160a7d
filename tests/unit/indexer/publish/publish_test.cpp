// SPDX-License-Identifier: Apache-2.0
#include "indexer/publish/publish.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/post.hpp>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

#include "runtime/net/http_server.h"
#include "tests/world/temporary_folder.h"

namespace souk::publish {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr GenerationId kId{7, 0xabc};
const std::string kText = "7-0000000000000abc";

// Says what the test wrote down, the last line again and again.
class FakeControl {
 public:
  explicit FakeControl(std::vector<net::Response> replies) : replies_(std::move(replies)) {
    const Status listening = server_.listen({"127.77.9.1", 0});
    EXPECT_TRUE(listening) << to_string(listening.error());
    endpoint_ = server_.local_endpoint();
    thread_ = std::thread([this] { io_.run(); });
  }
  ~FakeControl() {
    boost::asio::post(io_, [this] { server_.stop(); });
    thread_.join();
  }
  FakeControl(const FakeControl&) = delete;
  FakeControl& operator=(const FakeControl&) = delete;

  const net::Endpoint& endpoint() const { return endpoint_; }
  std::vector<std::string> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  boost::asio::awaitable<net::Response> answer(net::Request request) {
    const std::lock_guard lock(mutex_);
    const size_t at = std::min(requests_.size(), replies_.size() - 1);
    requests_.push_back(request.method + " " + request.path + " " + request.body);
    co_return replies_[at];
  }

  const std::vector<net::Response> replies_;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  boost::asio::io_context io_;
  net::HttpServer server_{io_, {}, [this](net::Request request) { return answer(std::move(request)); }};
  net::Endpoint endpoint_;
  std::thread thread_;
};

net::Response says(std::string body, int status = 200) {
  return net::json_response(std::move(body), status);
}
net::Response active(const std::string& id, const std::string& replicas = "[]") {
  return says(R"({"active":")" + id + R"(","target":")" + kText + R"(","replicas":)" + replicas + "}");
}

void nobody(std::string_view) {}

TEST(PublishTest, TellsControlTheHash) {
  const FakeControl control({says(R"({"generation":")" + kText + "\"}")});
  const auto id = publish(control.endpoint(), 0xabc, 8);
  ASSERT_TRUE(id) << to_string(id.error());
  EXPECT_EQ(*id, kId);
  EXPECT_THAT(control.requests(), ElementsAre(R"(POST /generations {"hash":"0000000000000abc","shards":8})"));
}

TEST(PublishTest, ControlRefuses) {
  const FakeControl control(
      {net::error_response({ErrorCode::kInvalidArgument, "cluster c1 has 4 shards, the generation 8", "shards"})});
  const auto id = publish(control.endpoint(), 0xabc, 8);
  ASSERT_FALSE(id);
  EXPECT_THAT(to_string(id.error()), HasSubstr("control answered 400: "));
  EXPECT_THAT(to_string(id.error()), HasSubstr("cluster c1 has 4 shards"));
  EXPECT_THAT(id.error().argument, net::to_string(control.endpoint()));
}

TEST(PublishTest, AnswersThatAreNone) {
  for (const char* body : {"", "ok", "[]", "{}", R"({"generation":7})", R"({"generation":"7"})"}) {
    const FakeControl control({says(body)});
    EXPECT_FALSE(publish(control.endpoint(), 0xabc, 8)) << body;
  }
}

TEST(PublishTest, ControlIsNotThere) {
  net::Endpoint nobody_there;
  {
    const FakeControl control({says("{}")});
    nobody_there = control.endpoint();
  }
  const auto id = publish(nobody_there, 0xabc, 8);
  ASSERT_FALSE(id);
  EXPECT_EQ(id.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(to_string(id.error()), HasSubstr("control does not answer"));
  const Status waited = wait_until_active(nobody_there, kId, seconds(10), nobody);
  ASSERT_FALSE(waited);
  EXPECT_EQ(waited.error().code, ErrorCode::kUnavailable);
}

TEST(WaitTest, ActiveAtOnce) {
  const FakeControl control({active(kText)});
  const Status waited = wait_until_active(control.endpoint(), kId, seconds(0), nobody);
  EXPECT_TRUE(waited) << to_string(waited.error());
  EXPECT_THAT(control.requests(), ElementsAre("GET /status "));
}

TEST(WaitTest, ActiveAfterAWhile) {
  const std::string loading = R"([{"name":"node-1","problem":""},{"name":"node-3","problem":"the file is cut short"},
                                  {"name":"node-4","problem":"disk full"},7,{"problem":9}])";
  const FakeControl control({active("6-0000000000000aaa", loading), active(kText)});
  std::vector<std::string> told;
  const Status waited = wait_until_active(control.endpoint(), kId, seconds(60),
                                          [&](std::string_view problems) { told.emplace_back(problems); });
  EXPECT_TRUE(waited) << to_string(waited.error());
  EXPECT_THAT(told, ElementsAre("node-3: the file is cut short; node-4: disk full"));
}

TEST(WaitTest, TooLate) {
  const FakeControl control({active("", R"([{"name":"node-3","problem":"the file is cut short"}])")});
  const Status waited = wait_until_active(control.endpoint(), kId, seconds(0), nobody);
  ASSERT_FALSE(waited);
  EXPECT_EQ(waited.error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(waited.error().message, "generation " + kText + " is not active yet: node-3: the file is cut short");
}

TEST(WaitTest, TheSameHashUnderAnotherNumberIsAnotherGeneration) {
  const FakeControl control({active("8-0000000000000abc")});
  EXPECT_FALSE(wait_until_active(control.endpoint(), kId, seconds(0), nobody));
}

class OldGenerations : public ::testing::Test {
 protected:
  // Older ones first.
  void build(const std::vector<std::string>& names) {
    const auto now = fs::file_time_type::clock::now();
    for (size_t i = 0; i < names.size(); ++i) {
      const fs::path folder = folder_.path() / names[i];
      fs::create_directory(folder);
      std::ofstream(folder / "manifest.json") << "{}";
      std::ofstream(folder / "shard-1.souk") << "bytes";
      fs::last_write_time(folder / "manifest.json", now - seconds(names.size() - i));
    }
  }
  std::set<std::string> left() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) names.insert(entry.path().filename());
    return names;
  }
  world::TemporaryFolder folder_;
};

TEST_F(OldGenerations, GoButForTheLastAndWhatControlHas) {
  build({"0000000000000001", "0000000000000002", "0000000000000003", "0000000000000004", "0000000000000005"});
  fs::create_directory(folder_.path() / "building-x");
  std::ofstream(folder_.path() / "LATEST") << "0000000000000005";
  const FakeControl control({net::json_response(R"({"active":"1-0000000000000001","target":"3-0000000000000003"})")});
  const auto removed = remove_old_generations(control.endpoint(), folder_.path(), 2);
  ASSERT_TRUE(removed) << to_string(removed.error());
  EXPECT_EQ(*removed, 1U);
  EXPECT_EQ(left(), (std::set<std::string>{"0000000000000001", "0000000000000003", "0000000000000004",
                                           "0000000000000005", "building-x", "LATEST"}));
}

TEST_F(OldGenerations, StayWhenControlIsNotSure) {
  build({"0000000000000001", "0000000000000002"});
  for (const char* status : {R"({"active":"nonsense"})", "[]"}) {
    const FakeControl control({net::json_response(status)});
    EXPECT_FALSE(remove_old_generations(control.endpoint(), folder_.path(), 1));
  }
  EXPECT_EQ(left().size(), 2U);
}

}  // namespace
}  // namespace souk::publish
