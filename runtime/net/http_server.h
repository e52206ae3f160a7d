// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

#include "runtime/net/http.h"

namespace souk::net {

struct ServerLimits {
  size_t head_bytes = 8 * 1024;
  size_t headers = 64;
  size_t body_bytes = 64 * 1024;
  std::chrono::milliseconds head_time{2000};
  std::chrono::milliseconds request_time{5000};
  std::chrono::milliseconds idle_time{60000};
  size_t connections = 4096;
};

// HTTP/1.1 with keep-alive on one address. A connection lives on the one io_context given; start() and stop() are
// called on its thread or before it runs. Ambiguous framing (RELIABILITY 6.3) is answered 400 and closed before any
// handler sees it.
class HttpServer {
 public:
  HttpServer(boost::asio::io_context& io, ServerLimits limits, Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  Status listen(const Endpoint& endpoint);  // "address already in use: 127.0.0.1:8080"
  Endpoint local_endpoint() const;          // useful after port 0
  void stop();                              // no new connections; open ones are closed

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace souk::net
