// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/indexer/fetch/test_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <stdexcept>

namespace souk::fetch {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

}  // namespace

bool TestServer::Connection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto size = tls_ != nullptr ? SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size()))
                                      : ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(size));
  }
  return true;
}

bool TestServer::Connection::reply(int status, const std::vector<std::string>& headers, std::string_view body) {
  std::string head = "HTTP/1.1 " + std::to_string(status) + " X\r\n";
  for (const std::string& line : headers) head += line + "\r\n";
  head += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  return send(head) && send(body);
}

bool TestServer::Connection::wait(std::chrono::milliseconds time) {
  pollfd waited{fd_, POLLIN | POLLRDHUP, 0};
  return ::poll(&waited, 1, static_cast<int>(time.count())) == 0;
}

void TestServer::Connection::reset() {
  const linger now{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

TestServer::TestServer(Handler handler, const std::vector<std::string>& addresses, SSL_CTX* tls)
    : handler_(std::move(handler)), tls_(tls), stop_fd_(::eventfd(0, EFD_CLOEXEC)) {
  for (const std::string& text : addresses) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    ::inet_pton(AF_INET, text.c_str(), &address.sin_addr);
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (fd < 0 || ::bind(fd, generic, size) != 0 || ::listen(fd, 256) != 0 || ::getsockname(fd, generic, &size) != 0) {
      throw std::runtime_error("no test server on " + text);
    }
    listeners_.push_back({text, fd, ntohs(address.sin_port)});
  }
  acceptor_ = std::thread([this] { accept_loop(); });
}

TestServer::~TestServer() {
  const uint64_t one = 1;
  static_cast<void>(::write(stop_fd_, &one, sizeof one));
  acceptor_.join();
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const int fd : open_) ::shutdown(fd, SHUT_RDWR);
  }
  for (std::thread& thread : threads_) thread.join();
  for (const Listener& listener : listeners_) ::close(listener.fd);
  ::close(stop_fd_);
}

std::string TestServer::url(const std::string& path, size_t address) const {
  const Listener& listener = listeners_[address];
  return (tls_ != nullptr ? "https://" : "http://") + listener.address + ":" + std::to_string(listener.port) + path;
}

std::vector<TestServer::Request> TestServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void TestServer::accept_loop() {
  std::vector<pollfd> waited{{stop_fd_, POLLIN, 0}};
  for (const Listener& listener : listeners_) waited.push_back({listener.fd, POLLIN, 0});
  for (;;) {
    if (::poll(waited.data(), waited.size(), -1) < 0) continue;
    if (waited[0].revents != 0) return;
    for (size_t i = 1; i < waited.size(); ++i) {
      if (waited[i].revents == 0) continue;
      const int fd = ::accept4(waited[i].fd, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) continue;
      ++connections_;
      const std::lock_guard lock(mutex_);
      open_.insert(fd);
      threads_.emplace_back([this, fd, host = listeners_[i - 1].address] { serve(fd, host); });
    }
  }
}

void TestServer::serve(int fd, const std::string& host) {
  sigset_t pipe;
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);  // of SSL_write
  const size_t now = ++at_once_;
  size_t most = most_at_once_;
  while (now > most && !most_at_once_.compare_exchange_weak(most, now)) continue;
  SSL* tls = nullptr;
  if (tls_ != nullptr) {
    tls = SSL_new(tls_);
    SSL_set_fd(tls, fd);
  }
  Request request{host, {}, {}};
  if ((tls == nullptr || SSL_accept(tls) == 1) && read_request(fd, tls, request)) {
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    Connection connection(fd, tls);
    handler_(request, connection);
  }
  --at_once_;
  if (tls != nullptr) {
    SSL_shutdown(tls);
    SSL_free(tls);
  }
  const std::lock_guard lock(mutex_);
  open_.erase(fd);
  ::close(fd);
}

bool TestServer::read_request(int fd, SSL* tls, Request& request) const {
  std::string head;
  std::array<char, 4096> block;
  while (!head.ends_with("\r\n\r\n")) {
    const auto size =
        tls != nullptr ? SSL_read(tls, block.data(), block.size()) : ::recv(fd, block.data(), block.size(), 0);
    if (size <= 0) return false;
    head.append(block.data(), static_cast<size_t>(size));
    if (!head.starts_with("GET ")) return true;  // a client that speaks TLS to a server that does not
  }
  const size_t path = head.find(' ') + 1;
  request.path = head.substr(path, head.find(' ', path) - path);
  for (size_t line = head.find("\r\n") + 2; line + 2 < head.size(); line = head.find("\r\n", line) + 2) {
    const size_t colon = head.find(": ", line);
    request.headers[lower(head.substr(line, colon - line))] =
        head.substr(colon + 2, head.find("\r\n", colon) - colon - 2);
  }
  return true;
}

}  // namespace souk::fetch
