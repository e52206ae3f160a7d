// SPDX-License-Identifier: Apache-2.0
#include "runtime/testing/in_process_transport.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>

namespace souk::testing {

namespace asio = boost::asio;

namespace {

// The clock may be a fake one, which cannot wake anybody: a waiting request looks at it this often.
constexpr std::chrono::milliseconds kLook{1};

struct Call {
  explicit Call(const asio::any_io_executor& executor) : wake(executor) {}
  asio::steady_timer wake;
  asio::cancellation_signal cancel;
  std::optional<net::Response> response;
};

// Cancels the handler however the caller's coroutine ends.
class CancelAtEnd {
 public:
  explicit CancelAtEnd(std::shared_ptr<Call> call) : call_(std::move(call)) {}
  ~CancelAtEnd() {
    if (!call_->response) call_->cancel.emit(asio::cancellation_type::terminal);
  }
  CancelAtEnd(const CancelAtEnd&) = delete;
  CancelAtEnd& operator=(const CancelAtEnd&) = delete;

 private:
  std::shared_ptr<Call> call_;
};

// Holds the handler: a coroutine lambda's frame refers to it.
asio::awaitable<net::Response> run(std::shared_ptr<const net::Handler> handler, net::Request request) {
  net::Response response = co_await (*handler)(std::move(request));
  co_return response;
}

}  // namespace

InProcessTransport::InProcessTransport(const Clock& clock) : clock_(clock) {}

void InProcessTransport::serve(const net::Endpoint& endpoint, net::Handler handler) {
  const std::lock_guard lock(mutex_);
  servers_[endpoint].handler = std::make_shared<const net::Handler>(std::move(handler));
}

void InProcessTransport::set_fault(const net::Endpoint& endpoint, Fault fault) {
  const std::lock_guard lock(mutex_);
  servers_[endpoint].fault = fault;
}

uint64_t InProcessTransport::requests(const net::Endpoint& endpoint) const {
  const std::lock_guard lock(mutex_);
  const auto found = servers_.find(endpoint);
  return found == servers_.end() ? 0 : found->second.requests;
}

InProcessTransport::Server InProcessTransport::arrive(const net::Endpoint& endpoint) {
  const std::lock_guard lock(mutex_);
  Server& server = servers_[endpoint];
  ++server.requests;
  return server;
}

asio::awaitable<Result<net::Response>> InProcessTransport::send(net::Endpoint endpoint, net::Request request,
                                                                Deadline deadline) {
  const Server server = arrive(endpoint);
  if (server.fault == Fault::kRefuse || (server.fault == Fault::kNone && !server.handler)) {
    co_return fail(ErrorCode::kUnavailable, "cannot connect: Connection refused", to_string(endpoint));
  }
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  const auto call = std::make_shared<Call>(executor);
  const CancelAtEnd guard(call);
  if (server.fault == Fault::kNone) {
    asio::co_spawn(executor, run(server.handler, std::move(request)),
                   asio::bind_cancellation_slot(
                       call->cancel.slot(), [call](const std::exception_ptr& thrown, net::Response response) {
                         const Error broken{ErrorCode::kInternal, "the handler threw an exception", ""};
                         call->response = thrown ? net::error_response(broken) : std::move(response);
                         call->wake.cancel();
                       }));
  }
  while (!call->response && !deadline.passed(clock_)) {
    boost::system::error_code ignored;
    call->wake.expires_after(kLook);
    co_await call->wake.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
  if (call->response) co_return std::move(*call->response);
  co_return fail(ErrorCode::kDeadlineExceeded, "no reply before the deadline", to_string(endpoint));
}

}  // namespace souk::testing
