// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/line_server.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>

#include "runtime/net/acceptor.h"

namespace souk::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

struct LineServer::Impl {
  Impl(asio::io_context& io, std::function<std::string()> a_line) : line(std::move(a_line)), acceptor(io), pause(io) {}

  // A line fits an empty socket buffer, so there is nothing to wait for.
  static void answer(tcp::socket socket, const std::string& text) {
    error_code ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(text), ignored);
    socket.shutdown(tcp::socket::shutdown_send, ignored);
  }

  const std::function<std::string()> line;
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  Endpoint local;
};

LineServer::LineServer(asio::io_context& io, std::function<std::string()> line)
    : impl_(std::make_shared<Impl>(io, std::move(line))) {}

LineServer::~LineServer() {
  stop();
}

Status LineServer::listen(const Endpoint& endpoint) {
  auto local = open_acceptor(impl_->acceptor, endpoint);
  if (!local) return std::unexpected(local.error());
  impl_->local = *local;
  asio::co_spawn(
      impl_->acceptor.get_executor(),
      accept_all(impl_, impl_->acceptor, impl_->pause,
                 [impl = impl_.get()](tcp::socket socket) { Impl::answer(std::move(socket), impl->line()); }),
      asio::detached);
  return {};
}

Endpoint LineServer::local_endpoint() const {
  return impl_->local;
}

void LineServer::stop() {
  error_code ignored;
  impl_->acceptor.close(ignored);
  impl_->pause.cancel();
}

}  // namespace souk::net
