// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "runtime/net/http_gate.h"
#include "runtime/net/http_server.h"

namespace souk::net {

// One server connection: a request at a time, what is pipelined waits in the buffer. Lives on the one thread of its
// executor. Internal to runtime/net.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(boost::asio::ip::tcp::socket socket, const ServerLimits& limits, std::shared_ptr<const Handler> handler);

  // Serves until either side closes, then calls on_end once.
  void start(std::function<void()> on_end);
  // Closes the socket and cancels the handler at work.
  void close();
  // The request at hand is answered first; without one it closes.
  void finish();

 private:
  struct Exchange;

  boost::asio::awaitable<void> serve();
  boost::asio::awaitable<std::optional<HttpGate::Head>> read_head(bool first);
  boost::asio::awaitable<std::optional<Request>> read_request(HttpGate::Head head);
  // Empty when the peer is gone.
  boost::asio::awaitable<std::optional<Response>> run_handler(Request request);
  boost::asio::awaitable<bool> send(Response response, bool head_only);
  boost::asio::awaitable<void> refuse(int status, std::string reason);
  boost::asio::awaitable<void> discard_input();
  // Bytes read into the buffer; 0 = closed, broken or timed out.
  boost::asio::awaitable<size_t> read_some();
  void watch_peer(std::shared_ptr<Exchange> exchange);

  // Cancels what waits on the socket after `time`, and sets timed_out_.
  void arm(std::chrono::milliseconds time);
  void disarm();

  boost::asio::ip::tcp::socket socket_;
  const ServerLimits limits_;
  const HttpGate gate_;
  const std::shared_ptr<const Handler> handler_;
  boost::asio::steady_timer timer_;
  uint64_t armed_ = 0;  // which arm() a timer's callback belongs to
  boost::beast::flat_buffer buffer_;
  std::shared_ptr<Exchange> exchange_;  // while a handler works
  std::string peer_ip_;
  bool timed_out_ = false;
  bool closing_ = false;
  bool finishing_ = false;
  bool idle_ = true;  // no byte of a request has come
  bool keep_alive_ = true;
  bool head_only_ = false;
};

}  // namespace souk::net
