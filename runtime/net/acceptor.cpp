// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/acceptor.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace souk::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

std::unexpected<Error> listen_error(const Endpoint& endpoint, const error_code& error) {
  const bool taken = error == asio::error::address_in_use;
  const std::string what = taken ? "address already in use: " : "cannot listen (" + error.message() + "): ";
  return fail(ErrorCode::kUnavailable, what + to_string(endpoint));
}

}  // namespace

Result<Endpoint> open_acceptor(tcp::acceptor& acceptor, const Endpoint& endpoint) {
  error_code error;
  const auto address = asio::ip::make_address(endpoint.ip, error);
  if (error) return fail(ErrorCode::kInvalidArgument, "not a numeric address", endpoint.ip);
  const tcp::endpoint target(address, endpoint.port);
  acceptor.open(target.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(target, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    error_code ignored;
    acceptor.close(ignored);
    return listen_error(endpoint, error);
  }
  return Endpoint{address.to_string(), acceptor.local_endpoint().port()};
}

asio::awaitable<void> accept_all(std::shared_ptr<void> /*owner*/, tcp::acceptor& acceptor, asio::steady_timer& pause,
                                 std::function<void(tcp::socket)> take) {
  constexpr std::chrono::milliseconds kPause{100};
  while (acceptor.is_open()) {
    error_code error;
    tcp::socket socket = co_await acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
    if (!acceptor.is_open()) co_return;
    if (!error) {
      take(std::move(socket));
    } else if (error != asio::error::connection_aborted) {
      pause.expires_after(kPause);
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
    }
  }
}

}  // namespace souk::net
