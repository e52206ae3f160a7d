// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <optional>
#include <set>

#include "runtime/testing/in_process_transport.h"

namespace souk::world {

// An in-process transport that knows which requests are under way. So whoever drives a fake clock can tell "something
// still works" from "all that is left waits for a process that hangs", and moves the clock only then. For one thread.
class WatchedTransport final : public net::Transport {
 public:
  explicit WatchedTransport(const Clock& clock) : inner_(clock) {}

  void serve(const net::Endpoint& endpoint, net::Handler handler) { inner_.serve(endpoint, std::move(handler)); }
  void set_fault(const net::Endpoint& endpoint, testing::Fault fault);
  uint64_t requests(const net::Endpoint& endpoint) const { return inner_.requests(endpoint); }

  // The first deadline of the requests under way, when every one of them hangs.
  std::optional<SteadyTime> wake_at() const;

  boost::asio::awaitable<Result<net::Response>> send(net::Endpoint endpoint, net::Request request,
                                                     Deadline deadline) override;

 private:
  struct Call {
    SteadyTime deadline;
    bool hangs;
  };

  testing::InProcessTransport inner_;
  std::set<net::Endpoint> hung_;
  std::list<Call> calls_;
};

}  // namespace souk::world
