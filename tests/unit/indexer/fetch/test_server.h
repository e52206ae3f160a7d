// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openssl/ssl.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace souk::fetch {

// A web server that does what a test says, on loopback addresses; a thread for each connection, one request on each.
// All end with it.
class TestServer {
 public:
  struct Request {
    std::string host;  // the address it came to
    std::string path;
    std::map<std::string, std::string> headers;  // names in lower case
  };

  class Connection {
   public:
    Connection(int fd, SSL* tls) : fd_(fd), tls_(tls) {}
    bool send(std::string_view bytes);  // false when the client is gone
    bool reply(int status, const std::vector<std::string>& headers, std::string_view body);  // with Content-Length
    // Until the client or the server goes, or the time is over; true when it is over.
    bool wait(std::chrono::milliseconds time);
    void hang() {
      while (wait(std::chrono::hours(1))) continue;
    }
    void reset();  // a TCP reset instead of an orderly end

   private:
    int fd_;
    SSL* tls_;
  };
  using Handler = std::function<void(const Request&, Connection&)>;

  explicit TestServer(Handler handler, const std::vector<std::string>& addresses = {"127.0.0.1"},
                      SSL_CTX* tls = nullptr);
  ~TestServer();
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  std::string url(const std::string& path, size_t address = 0) const;
  uint16_t port(size_t address = 0) const { return listeners_[address].port; }
  std::vector<Request> requests() const;
  size_t connections() const { return connections_; }
  size_t most_at_once() const { return most_at_once_; }

 private:
  struct Listener {
    std::string address;
    int fd = -1;
    uint16_t port = 0;
  };
  void accept_loop();
  void serve(int fd, const std::string& host);
  bool read_request(int fd, SSL* tls, Request& request) const;

  const Handler handler_;
  SSL_CTX* const tls_;
  std::vector<Listener> listeners_;
  int stop_fd_ = -1;
  std::atomic<size_t> connections_ = 0, at_once_ = 0, most_at_once_ = 0;

  mutable std::mutex mutex_;
  std::set<int> open_;
  std::vector<std::thread> threads_;
  std::vector<Request> requests_;
  bool stopping_ = false;
  std::thread acceptor_;
};

}  // namespace souk::fetch
