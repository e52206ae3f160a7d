// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "runtime/net/http.h"

namespace souk::control {

// What control tells a server each second. A generation is published (target), loaded by every replica, and then
// becomes active for all at once.
struct Orders {
  GenerationId active;  // empty before the first
  GenerationId target;  // load this one too; equals active when nothing is under way
  uint64_t epoch = 0;   // only grows: a smaller one than last time is refused (a restored backup)
};

// What a server reports: which generations it can serve now. Snippet servers report with shard 0.
struct ReplicaState {
  std::string name;
  std::string cluster;  // empty for snippet servers
  uint32_t shard = 0;
  std::vector<GenerationId> ready;
  std::string problem;  // why the target could not be loaded; empty when nothing is wrong
};

class ControlClient {
 public:
  ControlClient(net::Transport& transport, net::Endpoint control, const Clock& clock);
  boost::asio::awaitable<Result<Orders>> report(ReplicaState state);

 private:
  net::Transport& transport_;
  net::Endpoint control_;
  const Clock& clock_;
};

}  // namespace souk::control
