// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/http_client.h"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>

#include "tests/unit/runtime/net/server_fixture.h"

namespace souk::net {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kOk = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

// A client on its own io_context, one request at a time.
class Client {
 public:
  explicit Client(ClientLimits limits = {}) : client_(io_, limits, real_clock()) {}

  Result<Response> send(const Endpoint& endpoint, Request request, std::chrono::milliseconds time = 20s) {
    Result<Response> result = fail(ErrorCode::kInternal, "not ended");
    boost::asio::co_spawn(io_, client_.send(endpoint, std::move(request), Deadline::after(real_clock(), time)),
                          [&result](const std::exception_ptr& thrown, Result<Response> reply) {
                            ASSERT_FALSE(thrown);
                            result = std::move(reply);
                          });
    io_.restart();
    io_.run();
    return result;
  }

  boost::asio::io_context io_{1};
  HttpClient client_;
};

// Runs a peer's script on a thread of its own.
class Peer {
 public:
  explicit Peer(std::function<void(RawListener&)> script)
      : listener_("127.77.1.3"), thread_([this, script = std::move(script)] { script(listener_); }) {}
  ~Peer() { thread_.join(); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  Endpoint endpoint() const { return listener_.endpoint(); }

 private:
  RawListener listener_;
  std::thread thread_;
};

TEST(HttpClient, SendsAndReceives) {
  ServerFixture server;
  Client client;
  const Result<Response> reply =
      client.send(server.endpoint, {.method = "POST", .path = "/echo", .query = "a=1", .headers = {}, .body = "hello"});
  ASSERT_TRUE(reply) << to_string(reply.error());
  EXPECT_EQ(reply->status, 200);
  EXPECT_EQ(reply->content_type, "text/plain; charset=utf-8");
  EXPECT_EQ(reply->body, "POST|a=1|hello");
}

TEST(HttpClient, AReplyOfAnyStatusIsAValue) {
  ServerFixture server;
  Client client;
  EXPECT_EQ(client.send(server.endpoint, {.path = "/throw"}).value().status, 500);
  EXPECT_EQ(client.send(server.endpoint, {.path = "/nothing"}).value().status, 204);
  const Response head = client.send(server.endpoint, {.method = "HEAD", .path = "/echo"}).value();
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body, "");
}

TEST(HttpClient, KeepsTheConnection) {
  const Peer peer([](RawListener& listener) {
    RawSocket socket = listener.accept();
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(socket.read_message().starts_with("GET /" + std::to_string(i)));
      socket.send(kOk);
    }
  });
  Client client;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(client.send(peer.endpoint(), {.path = "/" + std::to_string(i)}).value().body, "ok");
  }
}

TEST(HttpClient, RetriesOnceWhenAKeptConnectionWasClosed) {
  const Peer peer([](RawListener& listener) {
    {
      RawSocket first = listener.accept();
      first.read_message();
      first.send(kOk);
      first.read_message();  // takes the second request and closes without a byte of a reply
    }
    RawSocket second = listener.accept();
    EXPECT_TRUE(second.read_message().starts_with("GET /again"));
    second.send(kOk);
  });
  Client client;
  EXPECT_EQ(client.send(peer.endpoint(), {.path = "/first"}).value().body, "ok");
  EXPECT_EQ(client.send(peer.endpoint(), {.path = "/again"}).value().body, "ok");
}

TEST(HttpClient, DoesNotRetryOnANewConnection) {
  const Peer peer([](RawListener& listener) { listener.accept().read_message(); });
  Client client;
  const Result<Response> reply = client.send(peer.endpoint(), {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(reply.error().argument, to_string(peer.endpoint()));
}

TEST(HttpClient, DoesNotRetryAReplyThatWasCutOff) {
  const Peer peer([](RawListener& listener) {
    RawSocket socket = listener.accept();
    socket.read_message();
    socket.send(kOk);
    socket.read_message();
    socket.send(kOk.substr(0, kOk.size() - 1));
  });
  Client client;
  EXPECT_TRUE(client.send(peer.endpoint(), {}));
  const Result<Response> reply = client.send(peer.endpoint(), {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(reply.error().message, "the reply was cut off");
}

TEST(HttpClient, DropsAConnectionWithBytesNobodyAskedFor) {
  const Peer peer([](RawListener& listener) {
    RawSocket first = listener.accept();
    first.read_message();
    first.send(std::string(kOk) + "HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison");
    RawSocket second = listener.accept();
    second.read_message();
    second.send(kOk);
  });
  Client client;
  EXPECT_EQ(client.send(peer.endpoint(), {}).value().body, "ok");
  EXPECT_EQ(client.send(peer.endpoint(), {}).value().body, "ok");
}

TEST(HttpClient, ReadsAReplyThatEndsWithTheConnection) {
  const Peer peer([](RawListener& listener) {
    RawSocket socket = listener.accept();
    socket.read_message();
    socket.send("HTTP/1.1 200 OK\r\nX-Some: Thing\r\n\r\nall ");
    socket.send("of it");
  });
  Client client;
  const Response reply = client.send(peer.endpoint(), {}).value();
  EXPECT_EQ(reply.body, "all of it");
  ASSERT_EQ(reply.headers.size(), 1U);
  EXPECT_EQ(reply.headers[0].name, "x-some");
}

TEST(HttpClient, ReadsAChunkedReply) {
  const Peer peer([](RawListener& listener) {
    RawSocket socket = listener.accept();
    socket.read_message();
    socket.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
  });
  EXPECT_EQ(Client().send(peer.endpoint(), {}).value().body, "abcde");
}

void expect_corrupt(const std::string& bytes) {
  const Peer peer([bytes](RawListener& listener) {
    RawSocket socket = listener.accept();
    socket.read_message();
    socket.send(bytes);
    socket.read_to_end();
  });
  Client client({.response_bytes = 1000});
  const Result<Response> reply = client.send(peer.endpoint(), {});
  ASSERT_FALSE(reply) << bytes.substr(0, 50);
  EXPECT_EQ(reply.error().code, ErrorCode::kCorruption) << bytes.substr(0, 50);
}

TEST(HttpClient, RefusesRepliesThatAreNoneOrTooLong) {
  expect_corrupt("SSH-2.0-OpenSSH\r\n\r\n");
  expect_corrupt("HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n");
  expect_corrupt("HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n");
  expect_corrupt("HTTP/1.1 200 OK\r\n\r\n" + std::string(2000, 'x'));
  expect_corrupt("HTTP/1.1 200 OK\r\nx: " + std::string(100'000, 'x'));
  expect_corrupt("HTTP/1.1 100 Continue\r\n\r\n");
}

TEST(HttpClient, RefusedConnectionIsUnavailable) {
  Endpoint gone;
  {
    gone = RawListener("127.77.1.4").endpoint();
  }
  const Result<Response> reply = Client().send(gone, {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kUnavailable);
}

TEST(HttpClient, DeadlineClosesTheConnectionAndCancelsThePeer) {
  ServerFixture server;
  Client client;
  const Result<Response> reply = client.send(server.endpoint, {.path = "/hang"}, 50ms);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(server.seen.cancelled.get_future().wait_for(20s), std::future_status::ready);
}

TEST(HttpClient, PassedDeadlineSendsNothing) {
  ServerFixture server;
  const Result<Response> reply = Client().send(server.endpoint, {.path = "/echo"}, 0ms);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(server.seen.requests, 0);
}

TEST(HttpClient, CancellationClosesTheConnectionAndCancelsThePeer) {
  ServerFixture server;
  Client client;
  boost::asio::cancellation_signal cancel;
  bool ended = false;
  boost::asio::co_spawn(client.io_, client.client_.send(server.endpoint, {.path = "/hang"}, Deadline::never()),
                        boost::asio::bind_cancellation_slot(
                            cancel.slot(), [&ended](const std::exception_ptr&, Result<Response>) { ended = true; }));
  std::future<void> entered = server.seen.entered.get_future();
  while (entered.wait_for(0ms) != std::future_status::ready) client.io_.poll();
  EXPECT_FALSE(ended);
  cancel.emit(boost::asio::cancellation_type::terminal);
  client.io_.run();
  EXPECT_TRUE(ended);
  EXPECT_EQ(server.seen.cancelled.get_future().wait_for(20s), std::future_status::ready);
}

TEST(HttpClient, RefusesToSendABrokenHead) {
  const Endpoint endpoint{"127.77.1.4", 1};
  const std::vector<Request> requests = {
      {.path = "/a\r\nX: y"},
      {.path = "/a b"},
      {.path = "a"},
      {.path = "/a?b"},
      {.query = "a=1\n"},
      {.method = "GET /x"},
      {.headers = {{"x", "a\r\nb"}}},
      {.headers = {{"x y", "a"}}},
      {.headers = {{"", "a"}}},
  };
  for (const Request& request : requests) {
    const Result<Response> reply = Client().send(endpoint, request);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, ErrorCode::kInvalidArgument) << request.path;
  }
}

TEST(Fetch, BlocksForOneRequest) {
  ServerFixture server;
  const Result<Response> reply = fetch(server.endpoint, {.path = "/echo", .query = "q"}, 20s);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->body, "GET|q|");
  const Result<Response> late = fetch(server.endpoint, {.path = "/hang"}, 50ms);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::kDeadlineExceeded);
  const Result<Response> large = fetch(server.endpoint, {.path = "/large"}, 20s, 1000);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::kCorruption);
}

}  // namespace
}  // namespace souk::net
