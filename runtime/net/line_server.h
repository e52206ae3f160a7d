// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "runtime/net/http.h"

namespace souk::net {

// Answers every TCP connection with one line and closes it: HAProxy's agent check. Nothing the peer sends is read.
// Lives on its io_context's one thread.
class LineServer {
 public:
  LineServer(boost::asio::io_context& io, std::function<std::string()> line);  // with its '\n'
  ~LineServer();
  LineServer(const LineServer&) = delete;
  LineServer& operator=(const LineServer&) = delete;

  Status listen(const Endpoint& endpoint);
  Endpoint local_endpoint() const;
  void stop();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace souk::net
