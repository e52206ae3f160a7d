// SPDX-License-Identifier: Apache-2.0
#include "snippet/client/snippet_client.h"

#include <gtest/gtest.h>

#include "core/base/hash.h"
#include "runtime/testing/fake_clock.h"
#include "runtime/testing/in_process_transport.h"
#include "tests/unit/control/run.h"

namespace souk::snippet {
namespace {

using Documents = std::vector<std::optional<wire::SnippetDoc>>;

std::string document(uint64_t key) {
  wire::SnippetDoc document;
  document.set_key(key);
  document.set_title("title " + std::to_string(key));
  return document.SerializeAsString();
}

// The name of document(key).
SnippetId id(uint64_t key) {
  return {DocKey(key), xxh3(std::string_view(document(key)))};
}

boost::asio::awaitable<net::Response> constant(net::Response response) {
  co_return response;
}

class SnippetClientTest : public ::testing::Test {
 protected:
  // A server that answers with these documents whatever it is asked.
  void serve(const net::Endpoint& endpoint, const std::vector<uint64_t>& keys) {
    wire::SnippetReply reply;
    for (const uint64_t key : keys) reply.add_documents(key == 0 ? "" : document(key));
    serve_bytes(endpoint, reply.SerializeAsString(), 200);
  }
  void serve_bytes(const net::Endpoint& endpoint, std::string body, int status) {
    net::Response response;
    response.status = status;
    response.body = std::move(body);
    transport_.serve(endpoint, [response](net::Request) { return constant(response); });
  }
  Result<Documents> get(SnippetClient& client, std::vector<SnippetId> ids) {
    return testing::run(io_, client.get(std::move(ids), Deadline::after(clock_, std::chrono::milliseconds(100))));
  }

  const net::Endpoint kOne{"127.0.0.1", 1};
  const net::Endpoint kTwo{"127.0.0.1", 2};
  boost::asio::io_context io_;
  testing::FakeClock clock_;
  testing::InProcessTransport transport_{clock_};
};

TEST_F(SnippetClientTest, GivesDocumentsInTheAskedOrder) {
  serve(kOne, {7, 0, 5});
  SnippetClient client(transport_, {kOne}, clock_);
  const auto documents = get(client, {id(7), id(6), id(5)});
  ASSERT_TRUE(documents) << to_string(documents.error());
  ASSERT_EQ(documents->size(), 3U);
  EXPECT_EQ((*documents)[0]->title(), "title 7");
  EXPECT_FALSE((*documents)[1]);
  EXPECT_EQ((*documents)[2]->title(), "title 5");
}

TEST_F(SnippetClientTest, ServersTakeTurns) {
  serve(kOne, {7});
  serve(kTwo, {7});
  SnippetClient client(transport_, {kOne, kTwo}, clock_);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(get(client, {id(7)}));
  EXPECT_EQ(transport_.requests(kOne), 2U);
  EXPECT_EQ(transport_.requests(kTwo), 2U);
}

TEST_F(SnippetClientTest, AsksAnotherServerWhenOneIsGone) {
  transport_.set_fault(kOne, testing::Fault::kRefuse);
  serve(kTwo, {7});
  SnippetClient client(transport_, {kOne, kTwo}, clock_);
  for (int i = 0; i < 3; ++i) {
    const auto documents = get(client, {id(7)});
    ASSERT_TRUE(documents) << to_string(documents.error());
    EXPECT_TRUE((*documents)[0]);
  }
}

TEST_F(SnippetClientTest, AnotherDocumentIsNoDocument) {
  SnippetClient client(transport_, {kOne}, clock_);
  serve(kOne, {8});
  const auto of_another_key = get(client, {id(7)});
  ASSERT_TRUE(of_another_key) << to_string(of_another_key.error());
  EXPECT_FALSE((*of_another_key)[0]);

  serve(kOne, {7, 5});
  const auto of_another_version = get(client, {{DocKey(7), id(7).version + 1}, id(5)});
  ASSERT_TRUE(of_another_version) << to_string(of_another_version.error());
  EXPECT_FALSE((*of_another_version)[0]);
  EXPECT_EQ((*of_another_version)[1]->title(), "title 5") << "the others are not lost with it";

  // Bytes whose hash is asked for, but which are another key's document.
  serve(kOne, {8});
  const auto forged = get(client, {{DocKey(7), id(8).version}});
  ASSERT_TRUE(forged) << to_string(forged.error());
  EXPECT_FALSE((*forged)[0]);
}

TEST_F(SnippetClientTest, AServerThatAnswersWronglyIsPassedOver) {
  const std::string too_many = [] {
    wire::SnippetReply reply;
    reply.add_documents("");
    reply.add_documents("");
    return reply.SerializeAsString();
  }();
  serve(kTwo, {7});
  for (const auto& [body, status] : std::vector<std::pair<std::string, int>>{
           {"\xff\xff", 200}, {too_many, 200}, {"", 200}, {"{}", 503}, {"{}", 400}}) {
    serve_bytes(kOne, body, status);
    SnippetClient client(transport_, {kOne, kTwo}, clock_);
    const auto documents = get(client, {id(7)});
    ASSERT_TRUE(documents) << status;
    EXPECT_EQ((*documents)[0]->title(), "title 7");
  }
}

TEST_F(SnippetClientTest, NobodyAnswers) {
  SnippetClient none(transport_, {}, clock_);
  EXPECT_EQ(get(none, {id(7)}).error().code, ErrorCode::kUnavailable);
  EXPECT_TRUE(get(none, {})->empty()) << "nothing is asked for nothing";
  SnippetClient dead(transport_, {kOne, kTwo}, clock_);
  EXPECT_EQ(get(dead, {id(7)}).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(transport_.requests(kOne) + transport_.requests(kTwo), 2U);
}

// A hanging server gets half of the time, so that the other one can answer still.
TEST_F(SnippetClientTest, AHangingServerLeavesTimeForTheNext) {
  serve(kTwo, {7});
  net::Response late;
  transport_.serve(kOne, [this, late](net::Request) {
    clock_.advance(std::chrono::milliseconds(50));  // all that one server of two may take of 100
    return constant(late);
  });
  SnippetClient client(transport_, {kOne, kTwo}, clock_);
  const auto documents = get(client, {id(7)});
  ASSERT_TRUE(documents) << to_string(documents.error());
  EXPECT_TRUE((*documents)[0]);
}

TEST_F(SnippetClientTest, APassedDeadlineAsksNobody) {
  serve(kOne, {7});
  SnippetClient client(transport_, {kOne}, clock_);
  const Deadline passed(clock_.now());
  const auto documents = testing::run(io_, client.get({id(7)}, passed));
  ASSERT_FALSE(documents);
  EXPECT_EQ(documents.error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(transport_.requests(kOne), 0U);
}

}  // namespace
}  // namespace souk::snippet
