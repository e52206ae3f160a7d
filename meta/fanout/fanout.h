// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "core/wire/shard.pb.h"
#include "runtime/net/http.h"

namespace souk::fanout {

// One shard to ask, and where.
struct Target {
  uint32_t shard = 0;
  net::Endpoint node;
};

// What became of one sub-request: a reply that passed merge::check_reply, or why there is none.
struct Outcome {
  Target target;
  Result<wire::ShardReply> reply = fail(ErrorCode::kUnavailable, "not asked");
  uint32_t took_us = 0;
  size_t reply_bytes = 0;
};

// Asks all targets at once and waits for every one: an answer, an error or the deadline. Outcomes in the targets'
// order. Cancelling it cancels the sub-requests, which tells the shards to stop. For one IO thread.
boost::asio::awaitable<std::vector<Outcome>> fan_out(net::Transport& transport, const Clock& clock,
                                                     std::vector<Target> targets, wire::ShardRequest request,
                                                     Deadline deadline, std::string traceparent = {});

}  // namespace souk::fanout
