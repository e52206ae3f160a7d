// SPDX-License-Identifier: Apache-2.0
#include "snippet/serve/snippet_server.h"

#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cstdlib>
#include <filesystem>

#include "control/client/replica_json.h"
#include "core/base/hash.h"
#include "runtime/testing/fake_clock.h"
#include "runtime/testing/in_process_transport.h"
#include "snippet/client/snippet_client.h"
#include "tests/unit/control/run.h"
#include "tests/world/temporary_folder.h"

namespace souk::snippet {
namespace {

namespace json = boost::json;

const GenerationId kFirst{1, 0xaa};
const GenerationId kSecond{2, 0xbb};

// Gives the orders a test sets and keeps the reports.
struct FakeControl {
  control::Orders orders;
  std::vector<control::ReplicaState> reports;

  boost::asio::awaitable<net::Response> answer(net::Request request) {
    const auto state = control::replica_from_json(request.body);
    if (!state) co_return net::error_response(state.error());
    reports.push_back(*state);
    co_return net::json_response(json::serialize(control::to_json(orders)));
  }
};

class SnippetServerTest : public ::testing::Test {
 protected:
  SnippetServerTest() {
    transport_.serve(kControl, [this](net::Request request) { return control_.answer(std::move(request)); });
    auto store = SnippetStore::open((folder_.path() / "store").string());
    EXPECT_TRUE(store);
    SnippetServerConfig config;
    config.name = "snippet-1";
    config.generations_folder = (folder_.path() / "generations").string();
    config.control = kControl;
    server_ = std::make_unique<SnippetServer>(config, std::move(*store), transport_, clock_, obs::Log::null());
    transport_.serve(kSnippets, server_->handler());
  }

  // A document called `title`, as the builder would name it: by the hash of its bytes.
  struct Written {
    SnippetId id;
    std::string bytes;
  };
  static Written written(uint64_t key, const std::string& title) {
    wire::SnippetDoc doc;
    doc.set_key(key);
    doc.set_title(title);
    std::string bytes = doc.SerializeAsString();
    return {{DocKey(key), xxh3(std::string_view(bytes))}, bytes};
  }
  void write_generation(const GenerationId& id, const std::vector<Written>& documents) {
    const auto folder = folder_.path() / "generations" / hex16(id.content_hash);
    std::filesystem::create_directories(folder);
    SstWriter writer;
    ASSERT_TRUE(writer.open((folder / "snippets.sst").string()));
    for (const Written& document : documents) {
      ASSERT_TRUE(writer.add(document.id.key, document.id.version, document.bytes));
    }
    ASSERT_TRUE(writer.finish());
  }
  // Also runs the ingestion that it starts, to its end.
  void poll() { testing::run(io_, server_->poll()); }
  net::Response call(std::string method, std::string path, std::string body = {}) {
    net::Request request;
    request.method = std::move(method);
    request.path = std::move(path);
    request.body = std::move(body);
    return testing::run(io_, server_->handler()(std::move(request)));
  }
  json::object status() { return json::parse(call("GET", "/status").body).as_object(); }

  const net::Endpoint kControl{"127.0.0.1", 1};
  const net::Endpoint kSnippets{"127.0.0.1", 2};
  boost::asio::io_context io_;
  testing::FakeClock clock_;
  testing::InProcessTransport transport_{clock_};
  FakeControl control_;
  world::TemporaryFolder folder_;
  std::unique_ptr<SnippetServer> server_;
};

TEST_F(SnippetServerTest, IngestsTheTargetAndServesIt) {
  const Written five = written(5, "five");
  const Written seven = written(7, "seven");
  write_generation(kFirst, {five, seven});
  control_.orders = {{}, kFirst, 1};
  EXPECT_EQ(status().at("state").as_string(), "empty");
  poll();
  poll();
  ASSERT_EQ(control_.reports.size(), 2U);
  EXPECT_TRUE(control_.reports[0].ready.empty());
  EXPECT_EQ(control_.reports[1].ready, std::vector<GenerationId>{kFirst});
  EXPECT_EQ(control_.reports[1].name, "snippet-1");
  EXPECT_EQ(control_.reports[1].cluster, "");
  EXPECT_EQ(control_.reports[1].shard, 0U);
  EXPECT_EQ(status().at("state").as_string(), "serving");
  EXPECT_EQ(status().at("generations").as_array()[0].as_string(), to_string(kFirst));

  SnippetClient client(transport_, {kSnippets}, clock_);
  const auto documents = testing::run(io_, client.get({seven.id, {DocKey(7), seven.id.version + 1}, five.id},
                                                      Deadline::after(clock_, std::chrono::milliseconds(500))));
  ASSERT_TRUE(documents) << to_string(documents.error());
  EXPECT_EQ((*documents)[0]->title(), "seven");
  EXPECT_FALSE((*documents)[1]) << "another version is not an answer";
  EXPECT_EQ((*documents)[2]->title(), "five");
}

TEST_F(SnippetServerTest, TheActiveGenerationComesBeforeTheTarget) {
  write_generation(kFirst, {written(5, "first")});
  write_generation(kSecond, {written(5, "second")});
  control_.orders = {kFirst, kSecond, 4};
  poll();
  poll();
  poll();
  EXPECT_EQ(control_.reports[1].ready, std::vector<GenerationId>{kFirst});
  EXPECT_EQ(control_.reports[2].ready, (std::vector<GenerationId>{kFirst, kSecond}));
}

TEST_F(SnippetServerTest, AProblemIsReportedAndTriedAgainLater) {
  control_.orders = {{}, kFirst, 1};
  poll();
  poll();
  EXPECT_NE(control_.reports[1].problem.find("snippets.sst"), std::string::npos) << control_.reports[1].problem;
  write_generation(kFirst, {written(5, "first")});
  poll();
  EXPECT_TRUE(control_.reports[2].ready.empty()) << "not tried each second";
  clock_.advance(std::chrono::seconds(11));
  poll();
  poll();
  EXPECT_EQ(control_.reports[4].ready, std::vector<GenerationId>{kFirst});
  EXPECT_EQ(control_.reports[4].problem, "");
}

TEST_F(SnippetServerTest, OrdersOfAnOlderEpochAreLeftAside) {
  write_generation(kSecond, {written(5, "second")});
  control_.orders = {kFirst, kFirst, 9};
  poll();
  control_.orders = {kSecond, kSecond, 8};
  poll();
  poll();
  EXPECT_TRUE(control_.reports[2].ready.empty());
}

TEST_F(SnippetServerTest, ServesOnWithoutControl) {
  transport_.set_fault(kControl, testing::Fault::kRefuse);
  poll();
  EXPECT_EQ(call("GET", "/ping").status, 200);
  EXPECT_EQ(status().at("state").as_string(), "empty");
}

TEST_F(SnippetServerTest, RefusesWhatIsOutOfBounds) {
  EXPECT_EQ(call("POST", "/snippets", "\xff\xff").status, 400);
  wire::SnippetRequest uneven;
  uneven.add_keys(1);
  EXPECT_EQ(call("POST", "/snippets", uneven.SerializeAsString()).status, 400);
  wire::SnippetRequest most;
  for (uint64_t i = 0; i < SnippetServer::kMaxIds; ++i) {
    most.add_keys(i);
    most.add_versions(i);
  }
  const net::Response response = call("POST", "/snippets", most.SerializeAsString());
  EXPECT_EQ(response.status, 200);
  wire::SnippetReply reply;
  ASSERT_TRUE(reply.ParseFromString(response.body));
  EXPECT_EQ(reply.documents_size(), 1000);
  most.add_keys(1);
  most.add_versions(1);
  const net::Response refused = call("POST", "/snippets", most.SerializeAsString());
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("\"keys\""), std::string::npos);
}

TEST_F(SnippetServerTest, AnEmptyRequestHasAnEmptyAnswer) {
  const net::Response response = call("POST", "/snippets", "");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "application/x-protobuf");
  EXPECT_EQ(response.body, "");
}

TEST_F(SnippetServerTest, RoutesAndMethods) {
  EXPECT_EQ(call("GET", "/nothing").status, 404);
  EXPECT_EQ(call("GET", "/snippets").status, 405);
  EXPECT_EQ(call("POST", "/ping").status, 405);
}

TEST_F(SnippetServerTest, StopEndsTheLoop) {
  server_->start(io_);
  while (control_.reports.empty()) io_.run_one();
  server_->stop();
  io_.run();
  EXPECT_EQ(control_.reports.size(), 1U);
}

}  // namespace
}  // namespace souk::snippet
