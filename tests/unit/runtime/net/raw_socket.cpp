// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/runtime/net/raw_socket.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>

namespace souk::net {

namespace {

sockaddr_in address_of(const Endpoint& endpoint) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(endpoint.port);
  EXPECT_EQ(inet_pton(AF_INET, endpoint.ip.c_str(), &address.sin_addr), 1);
  return address;
}

void set_time_out(int fd) {
  const timeval limit{.tv_sec = 20, .tv_usec = 0};
  EXPECT_EQ(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
}

}  // namespace

RawSocket::RawSocket() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  set_time_out(fd_);
}
RawSocket::RawSocket(const Endpoint& endpoint) : RawSocket() {
  connect(endpoint);
}
RawSocket::~RawSocket() {
  close();
}
RawSocket::RawSocket(RawSocket&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), pending_(std::move(other.pending_)) {}

void RawSocket::connect(const Endpoint& endpoint) {
  const sockaddr_in address = address_of(endpoint);
  ASSERT_EQ(::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0) << to_string(endpoint);
}

void RawSocket::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return;  // the peer closed; what it answered tells the test
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

bool RawSocket::read_more() {
  char buffer[4096];
  const ssize_t count = ::recv(fd_, buffer, sizeof buffer, 0);
  if (count <= 0) return false;
  pending_.append(buffer, static_cast<size_t>(count));
  return true;
}

std::string RawSocket::read_message() {
  size_t head = 0;
  while ((head = pending_.find("\r\n\r\n")) == std::string::npos) {
    if (!read_more()) return std::exchange(pending_, "");
  }
  size_t size = head + 4;
  const size_t length = pending_.find("content-length: ");
  if (length < head) size += std::stoul(pending_.substr(length + 16));
  while (pending_.size() < size) {
    if (!read_more()) return std::exchange(pending_, "");
  }
  std::string message = pending_.substr(0, size);
  pending_.erase(0, size);
  return message;
}

std::string RawSocket::read_to_end() {
  while (read_more()) {
  }
  return std::exchange(pending_, "");
}

void RawSocket::shutdown_write() {
  ::shutdown(fd_, SHUT_WR);
}

void RawSocket::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

void RawSocket::reset() {
  const linger hard{.l_onoff = 1, .l_linger = 0};
  EXPECT_EQ(setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard), 0);
  close();
}

RawListener::RawListener(const std::string& ip) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = address_of({ip, 0});
  EXPECT_EQ(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::listen(fd_, 16), 0);
  socklen_t size = sizeof address;
  EXPECT_EQ(::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size), 0);
  endpoint_ = {ip, ntohs(address.sin_port)};
  set_time_out(fd_);
}

RawListener::~RawListener() {
  ::close(fd_);
}

RawSocket RawListener::accept() {
  const int fd = ::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
  EXPECT_GE(fd, 0);
  set_time_out(fd);
  return RawSocket(fd);
}

}  // namespace souk::net
