// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/line_server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/post.hpp>
#include <optional>
#include <thread>
#include <vector>

#include "tests/unit/runtime/net/raw_socket.h"

namespace souk::net {
namespace {

class LineServerTest : public ::testing::Test {
 protected:
  LineServerTest() {
    server_.emplace(io_, [this] { return "up " + std::to_string(++asked_) + "%\n"; });
    const Status listening = server_->listen({"127.77.1.3", 0});
    EXPECT_TRUE(listening) << to_string(listening.error());
    thread_ = std::thread([this] { io_.run(); });
  }
  ~LineServerTest() override {
    boost::asio::post(io_, [this] { server_->stop(); });
    thread_.join();  // nothing keeps it when the server has stopped
  }

  Endpoint endpoint() const { return server_->local_endpoint(); }

  boost::asio::io_context io_{1};
  std::atomic<int> asked_ = 0;
  std::optional<LineServer> server_;
  std::thread thread_;
};

TEST_F(LineServerTest, OneLineForEachConnectionAndTheEnd) {
  for (const char* line : {"up 1%\n", "up 2%\n", "up 3%\n"}) {
    RawSocket socket(endpoint());
    EXPECT_EQ(socket.read_to_end(), line);
  }
}

TEST_F(LineServerTest, PeersThatSendNothingReadNothingOrLeave) {
  std::vector<RawSocket> silent;
  for (int i = 0; i < 50; ++i) silent.emplace_back(endpoint());
  for (int i = 0; i < 10; ++i) {
    RawSocket socket(endpoint());
    socket.reset();
  }
  RawSocket socket(endpoint());
  EXPECT_FALSE(socket.read_to_end().empty()) << "nobody waits for them";
  for (RawSocket& each : silent) EXPECT_TRUE(each.read_to_end().ends_with("%\n"));
}

TEST_F(LineServerTest, WhatAPeerSendsIsNotAQuestion) {
  RawSocket socket(endpoint());
  socket.shutdown_write();
  EXPECT_EQ(socket.read_to_end(), "up 1%\n") << "also when it has closed its side";
  for (const std::string& text : {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(100'000, 'x')}) {
    RawSocket talker(endpoint());
    talker.send(text);
    static_cast<void>(talker.read_to_end());  // it may be lost to the reset that unread input causes
  }
  RawSocket next(endpoint());
  EXPECT_TRUE(next.read_to_end().starts_with("up "));
}

TEST_F(LineServerTest, ATakenPortIsNamed) {
  LineServer second(io_, [] { return std::string("x\n"); });
  const Status listening = second.listen(endpoint());
  ASSERT_FALSE(listening);
  EXPECT_EQ(listening.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(to_string(listening.error()).find(to_string(endpoint())), std::string::npos);
}

}  // namespace
}  // namespace souk::net
