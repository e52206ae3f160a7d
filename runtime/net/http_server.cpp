// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/http_server.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <unordered_set>

#include "runtime/net/acceptor.h"
#include "runtime/net/http_session.h"
#include "runtime/net/http_text.h"

namespace souk::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

struct HttpServer::Impl : std::enable_shared_from_this<Impl> {
  Impl(asio::io_context& io, ServerLimits server_limits, Handler request_handler)
      : limits(server_limits),
        handler(std::make_shared<const Handler>(std::move(request_handler))),
        acceptor(io),
        pause(io) {}

  void serve(tcp::socket socket) {
    if (sessions.size() >= limits.connections) {
      refuse(std::move(socket));
      return;
    }
    auto session = std::make_shared<HttpSession>(std::move(socket), limits, handler);
    sessions.insert(session);
    session->start([self = shared_from_this(), key = session.get()] {
      std::erase_if(self->sessions, [key](const auto& open) { return open.get() == key; });
    });
  }

  void stop_accepting() {
    error_code ignored;
    acceptor.close(ignored);
    pause.cancel();
  }

  // Best effort: what does not fit into the socket's buffer at once is not worth waiting for.
  static void refuse(tcp::socket socket) {
    const Response response = error_response({ErrorCode::kOverloaded, "too many connections", ""});
    const std::string text = response_head(response, false) + response.body;
    error_code ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(text), ignored);
    socket.shutdown(tcp::socket::shutdown_send, ignored);
  }

  const ServerLimits limits;
  const std::shared_ptr<const Handler> handler;
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  Endpoint local;
  std::unordered_set<std::shared_ptr<HttpSession>> sessions;
};

HttpServer::HttpServer(asio::io_context& io, ServerLimits limits, Handler handler)
    : impl_(std::make_shared<Impl>(io, limits, std::move(handler))) {}

HttpServer::~HttpServer() {
  stop();
}

Status HttpServer::listen(const Endpoint& endpoint) {
  auto local = open_acceptor(impl_->acceptor, endpoint);
  if (!local) return std::unexpected(local.error());
  impl_->local = *local;
  asio::co_spawn(impl_->acceptor.get_executor(),
                 accept_all(impl_, impl_->acceptor, impl_->pause,
                            [impl = impl_.get()](tcp::socket socket) { impl->serve(std::move(socket)); }),
                 asio::detached);
  return {};
}

Endpoint HttpServer::local_endpoint() const {
  return impl_->local;
}

void HttpServer::finish() {
  impl_->stop_accepting();
  for (const auto& session : impl_->sessions) session->finish();
}

size_t HttpServer::connections() const {
  return impl_->sessions.size();
}

void HttpServer::stop() {
  impl_->stop_accepting();
  for (const auto& session : impl_->sessions) session->close();
}

}  // namespace souk::net
