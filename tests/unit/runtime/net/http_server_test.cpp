// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/http_server.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/unit/runtime/net/server_fixture.h"

namespace souk::net {
namespace {

using namespace std::chrono_literals;

std::string get(const std::string& target, const std::string& headers = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n";
}

std::string body_of(const std::string& message) {
  return message.substr(std::min(message.find("\r\n\r\n") + 4, message.size()));
}

bool ends(std::promise<void>& promise) {
  return promise.get_future().wait_for(20s) == std::future_status::ready;
}

TEST(HttpServer, AnswersWithALengthAndKeepsTheConnection) {
  ServerFixture server;
  RawSocket socket(server.endpoint);
  socket.send(get("/echo?a=1"));
  EXPECT_EQ(socket.read_message(),
            "HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 8\r\n"
            "connection: keep-alive\r\n\r\nGET|a=1|");
  socket.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello");
  EXPECT_EQ(body_of(socket.read_message()), "POST||hello");
}

TEST(HttpServer, TakesARequestByteByByte) {
  ServerFixture server;
  RawSocket socket(server.endpoint);
  for (const char c : std::string("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello")) {
    socket.send({&c, 1});
  }
  EXPECT_EQ(body_of(socket.read_message()), "POST||hello");
}

TEST(HttpServer, AnswersPipelinedRequestsInOrder) {
  ServerFixture server;
  RawSocket socket(server.endpoint);
  std::string requests;
  for (int i = 0; i < 100; ++i) {
    requests += "POST /echo?" + std::to_string(i) + " HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc";
  }
  socket.send(requests);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(body_of(socket.read_message()), "POST|" + std::to_string(i) + "|abc");
}

TEST(HttpServer, ClosesWhenAsked) {
  ServerFixture server;
  RawSocket socket(server.endpoint);
  socket.send(get("/echo", "Connection: close\r\n") + get("/echo"));
  const std::string all = socket.read_to_end();
  EXPECT_NE(all.find("connection: close\r\n"), std::string::npos);
  EXPECT_EQ(body_of(all), "GET||");
  EXPECT_EQ(server.seen.requests, 1);
}

TEST(HttpServer, ClosesAfterHttp10) {
  ServerFixture server;
  RawSocket socket(server.endpoint);
  socket.send("GET /echo HTTP/1.0\r\n\r\n");
  EXPECT_EQ(body_of(socket.read_to_end()), "GET||");
}

TEST(HttpServer, HeadHasTheLengthButNoBody) {
  ServerFixture server;
  RawSocket socket(server.endpoint);
  socket.send("HEAD /echo HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  const std::string all = socket.read_to_end();
  EXPECT_NE(all.find("content-length: 5\r\n"), std::string::npos);
  EXPECT_EQ(body_of(all), "");
}

TEST(HttpServer, StatusWithoutContentHasNoLength) {
  ServerFixture server;
  RawSocket socket(server.endpoint);
  socket.send(get("/nothing", "Connection: close\r\n"));
  EXPECT_EQ(socket.read_to_end(), "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
}

TEST(HttpServer, InvitesABodyThatIsExpected) {
  ServerFixture server;
  RawSocket socket(server.endpoint);
  socket.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(socket.read_message(), "HTTP/1.1 100 Continue\r\n\r\n");
  socket.send("ok");
  EXPECT_EQ(body_of(socket.read_message()), "POST||ok");
}

TEST(HttpServer, HeaderNamesAreLowerCase) {
  ServerFixture server;
  RawSocket socket(server.endpoint);
  socket.send(get("/header", "X-Name:  some value \r\n"));
  EXPECT_EQ(body_of(socket.read_message()), "some value");
}

// The answer to a request that is refused: its status and JSON, then the end of the connection.
void expect_refused(const std::string& bytes, int status, ServerLimits limits = {}) {
  ServerFixture server(limits);
  RawSocket socket(server.endpoint);
  socket.send(bytes);
  const std::string all = socket.read_to_end();
  EXPECT_TRUE(all.starts_with("HTTP/1.1 " + std::to_string(status) + " ")) << all;
  EXPECT_NE(all.find("content-type: application/json\r\n"), std::string::npos);
  EXPECT_NE(all.find("connection: close\r\n"), std::string::npos);
  EXPECT_TRUE(body_of(all).starts_with(R"({"error":{"code":"invalid_argument","message":)")) << all;
  EXPECT_EQ(all.find("HTTP/1.1", 1), std::string::npos) << "more than one answer: " << all;
  EXPECT_EQ(server.seen.requests, 0);
}

TEST(HttpServer, RefusesAmbiguousFraming) {
  expect_refused("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: xchunked\r\n\r\n" + get("/echo"), 400);
  expect_refused("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n" + get("/echo"),
                 400);
  expect_refused("GET /echo HTTP/1.1\r\n\r\n", 400);
  expect_refused("nonsense\r\n\r\n", 400);
}

TEST(HttpServer, RefusesWhatIsTooLong) {
  expect_refused(get("/echo", "X: " + std::string(9000, 'x') + "\r\n"), 431);
  expect_refused(get("/" + std::string(9000, 'x')), 414);
  expect_refused("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 65537\r\n\r\n" + std::string(65537, 'x'), 413);
  ServerFixture server;
  RawSocket socket(server.endpoint);
  socket.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 65536\r\n\r\n" + std::string(65536, 'x'));
  EXPECT_EQ(body_of(socket.read_message()), "POST||" + std::string(65536, 'x'));
}

TEST(HttpServer, SlowHeadIsEnded) {
  expect_refused("GET /echo HT", 408, {.head_time = 30ms});
}

TEST(HttpServer, SlowBodyIsEnded) {
  expect_refused("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhel", 408, {.request_time = 30ms});
}

TEST(HttpServer, SilentConnectionsAreClosed) {
  ServerFixture server({.head_time = 30ms, .idle_time = 30ms});
  RawSocket silent(server.endpoint);
  EXPECT_EQ(silent.read_to_end(), "");
  RawSocket idle(server.endpoint);
  idle.send(get("/echo"));
  EXPECT_EQ(body_of(idle.read_message()), "GET||");
  EXPECT_EQ(idle.read_to_end(), "");
}

TEST(HttpServer, SlowHandlerIsCancelled) {
  ServerFixture server({.request_time = 30ms});
  RawSocket socket(server.endpoint);
  socket.send(get("/hang"));
  const std::string all = socket.read_to_end();
  EXPECT_TRUE(all.starts_with("HTTP/1.1 504 ")) << all;
  EXPECT_NE(all.find("deadline_exceeded"), std::string::npos);
  EXPECT_TRUE(ends(server.seen.cancelled));
}

// With the buffer full of pipelined bytes nobody watches the peer, the time limit must hold all the same.
TEST(HttpServer, SlowHandlerIsCancelledBehindPipelinedRequests) {
  ServerFixture server({.head_bytes = 256, .request_time = 50ms});
  RawSocket socket(server.endpoint);
  std::string requests = get("/hang");
  for (int i = 0; i < 100; ++i) requests += get("/echo");
  socket.send(requests);
  EXPECT_TRUE(socket.read_message().starts_with("HTTP/1.1 504 "));
  EXPECT_TRUE(ends(server.seen.cancelled));
  EXPECT_EQ(server.seen.requests, 1);
}

TEST(HttpServer, PeerThatClosesCancelsTheHandler) {
  ServerFixture server;
  RawSocket socket(server.endpoint);
  socket.send(get("/hang"));
  ASSERT_TRUE(ends(server.seen.entered));
  socket.close();
  EXPECT_TRUE(ends(server.seen.cancelled));
}

TEST(HttpServer, PeerThatResetsCancelsTheHandler) {
  ServerFixture server;
  RawSocket socket(server.endpoint);
  socket.send(get("/hang"));
  ASSERT_TRUE(ends(server.seen.entered));
  socket.send(get("/echo"));  // pipelined meanwhile
  socket.reset();
  EXPECT_TRUE(ends(server.seen.cancelled));
  EXPECT_EQ(server.seen.requests, 1);
}

TEST(HttpServer, StopCancelsHandlersAndClosesConnections) {
  ServerFixture server;
  RawSocket working(server.endpoint);
  RawSocket idle(server.endpoint);
  working.send(get("/hang"));
  idle.send(get("/echo"));
  EXPECT_EQ(body_of(idle.read_message()), "GET||");
  ASSERT_TRUE(ends(server.seen.entered));
  server.stop();
  EXPECT_TRUE(ends(server.seen.cancelled));
  EXPECT_EQ(working.read_to_end(), "");
  EXPECT_EQ(idle.read_to_end(), "");
}

TEST(HttpServer, ExceptionsAndBadHeadersBecome500) {
  ServerFixture server;
  RawSocket socket(server.endpoint);
  socket.send(get("/throw"));
  const std::string thrown = socket.read_message();
  EXPECT_TRUE(thrown.starts_with("HTTP/1.1 500 ")) << thrown;
  EXPECT_NE(thrown.find("broken handler"), std::string::npos);
  socket.send(get("/split"));
  const std::string split = socket.read_message();
  EXPECT_TRUE(split.starts_with("HTTP/1.1 500 ")) << split;
  EXPECT_EQ(split.find("set-cookie"), std::string::npos);
  socket.send(get("/echo"));
  EXPECT_EQ(body_of(socket.read_message()), "GET||");
}

TEST(HttpServer, TooManyConnectionsAreTurnedAway) {
  ServerFixture server({.connections = 1});
  RawSocket first(server.endpoint);
  first.send(get("/echo"));
  EXPECT_EQ(body_of(first.read_message()), "GET||");
  RawSocket second(server.endpoint);
  const std::string all = second.read_to_end();
  EXPECT_TRUE(all.starts_with("HTTP/1.1 503 ")) << all;
  EXPECT_NE(all.find("retry-after: 1\r\n"), std::string::npos);
}

TEST(HttpServer, ReadsALargeAnswerToTheEnd) {
  ServerFixture server;
  RawSocket socket(server.endpoint);
  socket.send(get("/large"));
  EXPECT_EQ(body_of(socket.read_message()).size(), 1'000'000U);
}

TEST(HttpServer, SaysThatAnAddressIsTaken) {
  ServerFixture server;
  boost::asio::io_context io;
  HttpServer second(io, {}, [](Request) -> boost::asio::awaitable<Response> { co_return Response{}; });
  const Status status = second.listen(server.endpoint);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(status.error().message, "address already in use: " + to_string(server.endpoint));
}

TEST(HttpServer, WaitsForDescriptorsAndGoesOn) {
  ServerFixture server;
  RawSocket socket;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 3;  // every new descriptor is refused, open ones go on
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  socket.connect(server.endpoint);
  socket.send(get("/echo"));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(body_of(socket.read_message()), "GET||");
}

TEST(HttpServer, CanBeDestroyedWithRequestsAtWork) {
  Seen seen;
  {
    boost::asio::io_context io(1);
    HttpServer server(io, {}, [&seen](Request request) { return answer(&seen, std::move(request)); });
    ASSERT_TRUE(server.listen({"127.77.1.2", 0}));
    RawSocket socket(server.local_endpoint());
    socket.send(get("/hang"));
    while (seen.requests == 0) io.run_one();
  }
  EXPECT_TRUE(ends(seen.cancelled));
}

}  // namespace
}  // namespace souk::net
