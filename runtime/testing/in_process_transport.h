// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "runtime/net/http.h"

namespace souk::testing {

// What happens to requests for an endpoint instead of reaching its handler.
enum class Fault {
  kNone,
  kRefuse,  // kUnavailable at once, as for a dead process
  kHang,    // no reply until the deadline or a cancellation, as for a stopped process
};

// Servers in one process, without sockets: an endpoint is a handler, which runs on the caller's executor and is
// cancelled at the deadline (of the given clock) or when the caller is cancelled. An endpoint without a handler
// refuses. Thread-safe; destroy it after the io_contexts its requests run on have ended.
class InProcessTransport final : public net::Transport {
 public:
  explicit InProcessTransport(const Clock& clock);

  void serve(const net::Endpoint& endpoint, net::Handler handler);
  void set_fault(const net::Endpoint& endpoint, Fault fault);
  // Requests sent to the endpoint so far, those that met a fault included.
  uint64_t requests(const net::Endpoint& endpoint) const;

  boost::asio::awaitable<Result<net::Response>> send(net::Endpoint endpoint, net::Request request,
                                                     Deadline deadline) override;

 private:
  struct Server {
    std::shared_ptr<const net::Handler> handler;
    Fault fault = Fault::kNone;
    uint64_t requests = 0;
  };

  Server arrive(const net::Endpoint& endpoint);

  const Clock& clock_;
  mutable std::mutex mutex_;
  std::map<net::Endpoint, Server> servers_;
};

}  // namespace souk::testing
