// SPDX-License-Identifier: Apache-2.0
// HttpServer::finish(): what has begun is answered, nothing new begins.
#include <gtest/gtest.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <future>
#include <thread>

#include "runtime/net/http_server.h"
#include "tests/unit/runtime/net/raw_socket.h"

namespace souk::net {
namespace {

namespace asio = boost::asio;

// A server whose handler answers when the test lets it.
class HttpFinishTest : public ::testing::Test {
 protected:
  HttpFinishTest() {
    const Status listening = server_.listen({"127.77.1.4", 0});
    EXPECT_TRUE(listening) << to_string(listening.error());
    thread_ = std::thread([this] { io_.run(); });
  }
  template <typename Work>
  auto on_io(Work work) {
    std::packaged_task<decltype(work())()> task(std::move(work));
    auto result = task.get_future();
    asio::post(io_, std::move(task));
    return result.get();
  }

  ~HttpFinishTest() override {
    on_io([this] {
      gate_.cancel();
      server_.stop();
      work_.reset();
    });
    thread_.join();
  }

  static asio::awaitable<Response> handle(HttpFinishTest* test, Request request) {
    if (request.path == "/wait") {
      test->entered_.set_value();
      co_await test->gate_.async_wait(asio::as_tuple(asio::use_awaitable));
    }
    co_return Response{.content_type = "text/plain", .headers = {}, .body = request.path};
  }

  static std::string get(const std::string& path) { return "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n"; }

  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
  asio::steady_timer gate_{io_, asio::steady_timer::time_point::max()};
  std::promise<void> entered_;
  HttpServer server_{io_, {}, [this](Request request) { return handle(this, std::move(request)); }};
  std::thread thread_;
};

TEST_F(HttpFinishTest, TheRequestAtHandIsAnsweredAndTheConnectionClosed) {
  RawSocket idle(server_.local_endpoint());
  idle.send(get("/a"));
  EXPECT_TRUE(idle.read_message().ends_with("/a"));
  RawSocket busy(server_.local_endpoint());
  busy.send(get("/wait"));
  entered_.get_future().wait();
  on_io([this] { server_.finish(); });
  EXPECT_EQ(idle.read_to_end(), "") << "an idle connection is closed";
  while (on_io([this] { return server_.connections(); }) > 1) std::this_thread::yield();
  on_io([this] { gate_.cancel(); });
  const std::string answer = busy.read_message();
  EXPECT_TRUE(answer.ends_with("/wait")) << answer;
  EXPECT_NE(answer.find("connection: close\r\n"), std::string::npos) << answer;
  EXPECT_EQ(busy.read_to_end(), "");
}

TEST_F(HttpFinishTest, ARequestHalfReceivedIsAnswered) {
  RawSocket half(server_.local_endpoint());
  const std::string request = get("/b");
  half.send(get("/a") + request.substr(0, 10));
  EXPECT_TRUE(half.read_message().ends_with("/a"));
  on_io([this] { server_.finish(); });
  half.send(request.substr(10));
  EXPECT_TRUE(half.read_message().ends_with("/b"));
  EXPECT_EQ(half.read_to_end(), "");
}

TEST_F(HttpFinishTest, NobodyElseIsLetIn) {
  const Endpoint endpoint = server_.local_endpoint();
  on_io([this] { server_.finish(); });
  const bool free = on_io([&] {
    HttpServer next(io_, {}, [this](Request request) { return handle(this, std::move(request)); });
    return next.listen(endpoint).has_value();
  });
  EXPECT_TRUE(free) << "the port is free";
}

}  // namespace
}  // namespace souk::net
