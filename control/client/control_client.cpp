// SPDX-License-Identifier: Apache-2.0
#include "control/client/control_client.h"

#include <utility>

#include "control/client/replica_json.h"
#include "runtime/net/json_text.h"

namespace souk::control {

namespace {

// A report comes each second: an answer that takes longer is of no use.
constexpr std::chrono::milliseconds kReportTime{1000};

}  // namespace

ControlClient::ControlClient(net::Transport& transport, net::Endpoint control, const Clock& clock)
    : transport_(transport), control_(std::move(control)), clock_(clock) {}

boost::asio::awaitable<Result<Orders>> ControlClient::report(ReplicaState state) {
  net::Request request;
  request.method = "POST";
  request.path = "/replicas";
  request.headers.push_back({"content-type", "application/json"});
  request.body = net::to_text(to_json(state));
  const Deadline deadline = Deadline::after(clock_, kReportTime);
  const Result<net::Response> response = co_await transport_.send(control_, std::move(request), deadline);
  if (!response) co_return std::unexpected(response.error());
  if (response->status != 200) {
    co_return fail(ErrorCode::kUnavailable,
                   "control answered " + std::to_string(response->status) + ": " + response->body.substr(0, 300));
  }
  co_return orders_from_json(response->body);
}

}  // namespace souk::control
