// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "runtime/net/http.h"

namespace souk::net {

// A blocking TCP connection that sends bytes as they are. Every wait ends after 20 s, as if the peer had closed.
class RawSocket {
 public:
  RawSocket();  // not connected yet
  explicit RawSocket(int fd) : fd_(fd) {}
  explicit RawSocket(const Endpoint& endpoint);  // connected
  ~RawSocket();
  RawSocket(RawSocket&& other) noexcept;
  RawSocket& operator=(RawSocket&&) = delete;

  void connect(const Endpoint& endpoint);
  void send(std::string_view bytes);
  // The next whole response by its Content-Length, or request by its empty line; less when the peer closes.
  std::string read_message();
  std::string read_to_end();
  void shutdown_write();
  void close();
  void reset();  // closes with RST

 private:
  bool read_more();

  int fd_ = -1;
  std::string pending_;
};

class RawListener {
 public:
  explicit RawListener(const std::string& ip);
  ~RawListener();
  RawListener(const RawListener&) = delete;
  RawListener& operator=(const RawListener&) = delete;
  Endpoint endpoint() const { return endpoint_; }
  RawSocket accept();

 private:
  int fd_ = -1;
  Endpoint endpoint_;
};

}  // namespace souk::net
