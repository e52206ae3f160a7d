// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

#include "runtime/net/http.h"

namespace souk::net {

struct ClientLimits {
  size_t response_bytes = 4 * 1024 * 1024;
  size_t idle_connections = 16;  // kept per endpoint
  std::chrono::milliseconds connect_time{250};
};

// Keep-alive connections, one request at a time on each. Used from the thread of its io_context only. A request on a
// kept connection that the peer had closed meanwhile (no byte of the reply came) is sent once more on a new one.
// Cancelling the coroutine closes the connection, which tells the peer to stop.
class HttpClient final : public Transport {
 public:
  HttpClient(boost::asio::io_context& io, ClientLimits limits, const Clock& clock);
  ~HttpClient() override;
  boost::asio::awaitable<Result<Response>> send(Endpoint endpoint, Request request, Deadline deadline) override;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// For command lines: one request, blocking.
Result<Response> fetch(const Endpoint& endpoint, Request request, std::chrono::milliseconds timeout,
                       size_t max_response_bytes = 4 * 1024 * 1024);

}  // namespace souk::net
