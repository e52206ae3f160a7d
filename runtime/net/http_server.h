// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

#include "runtime/net/http.h"

namespace souk::net {

struct ServerLimits {
  size_t head_bytes = 8 * 1024;                  // request line and headers; beyond: 414 or 431
  size_t headers = 64;                           // beyond: 431
  size_t body_bytes = 64 * 1024;                 // beyond: 413
  std::chrono::milliseconds head_time{2000};     // for a head, from its first byte or the connection's begin: 408
  std::chrono::milliseconds request_time{5000};  // for body and handler: 408 or 504; the same again to take the answer
  std::chrono::milliseconds idle_time{60000};    // between requests
  size_t connections = 4096;                     // beyond: 503
};

// HTTP/1.1 with keep-alive on one address. A connection lives on the one io_context given; listen() and stop() are
// called on its thread or before it runs. Ambiguous framing (http_gate.h) is answered 400 and closed before any handler
// sees it. A handler sees GET for HEAD; its body is left out. It is cancelled when the peer closes, also one way, or
// when request_time is over; a request pipelined behind it is read when it has been answered. After stop() the
// io_context must run until it is drained, or be destroyed, before what the handler refers to.
class HttpServer {
 public:
  HttpServer(boost::asio::io_context& io, ServerLimits limits, Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  Status listen(const Endpoint& endpoint);  // "address already in use: 127.0.0.1:8080"
  Endpoint local_endpoint() const;          // useful after port 0
  void stop();                              // no new connections; open ones are closed
  void finish();                            // the same, but requests at hand are answered first
  size_t connections() const;               // that are open

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace souk::net
