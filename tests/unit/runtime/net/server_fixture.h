// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <future>
#include <optional>
#include <thread>

#include "runtime/net/http_server.h"
#include "tests/unit/runtime/net/raw_socket.h"

namespace souk::net {

// What the handlers of a test saw; outlives them.
struct Seen {
  std::atomic<int> requests = 0;
  std::promise<void> entered;    // a /hang request is at work
  std::promise<void> cancelled;  // and has ended without an answer
};

class EndMark {
 public:
  explicit EndMark(std::promise<void>& promise) : promise_(promise) {}
  ~EndMark() { promise_.set_value(); }
  EndMark(const EndMark&) = delete;
  EndMark& operator=(const EndMark&) = delete;

 private:
  std::promise<void>& promise_;
};

// /echo gives method, query and body back; /hang waits until it is cancelled; /throw throws; /split has a bad header.
inline boost::asio::awaitable<Response> answer(Seen* seen, Request request) {
  ++seen->requests;
  if (request.path == "/hang") {
    const EndMark mark(seen->cancelled);
    seen->entered.set_value();
    const auto executor = co_await boost::asio::this_coro::executor;
    boost::asio::steady_timer timer(executor, std::chrono::hours(1));
    co_await timer.async_wait(boost::asio::use_awaitable);
  }
  if (request.path == "/throw") throw std::runtime_error("broken handler");
  Response response;
  if (request.path == "/split") response.headers.push_back({"x", "a\r\nset-cookie: b"});
  if (request.path == "/nothing") response.status = 204;
  if (request.path == "/large") response.body = std::string(1'000'000, 'x');
  if (request.path == "/echo") response.body = request.method + "|" + request.query + "|" + request.body;
  if (request.path == "/header") response.body = request.header("x-name");
  co_return response;
}

// A server on a thread of its own.
class ServerFixture {
 public:
  explicit ServerFixture(ServerLimits limits = {}, std::string ip = "127.77.1.1") {
    server_.emplace(io_, limits, [seen = &seen](Request request) { return answer(seen, std::move(request)); });
    const Status status = server_->listen({std::move(ip), 0});
    EXPECT_TRUE(status) << to_string(status.error());
    endpoint = server_->local_endpoint();
    thread_ = std::thread([this] { io_.run(); });
  }
  ~ServerFixture() {
    stop();
    thread_.join();
  }
  ServerFixture(const ServerFixture&) = delete;
  ServerFixture& operator=(const ServerFixture&) = delete;

  // The server's thread ends by itself when nothing is left open.
  void stop() {
    boost::asio::post(io_, [this] { server_->stop(); });
  }

  Endpoint endpoint;
  Seen seen;

 private:
  boost::asio::io_context io_{1};
  std::optional<HttpServer> server_;
  std::thread thread_;
};

}  // namespace souk::net
