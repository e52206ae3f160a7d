// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/http_client.h"

#include <sys/socket.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cerrno>
#include <map>
#include <optional>
#include <stdexcept>

#include "core/base/ascii.h"
#include "runtime/net/http_text.h"

namespace souk::net {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr size_t kResponseBlock = 64 * 1024;
constexpr std::uint32_t kResponseHeadBytes = 16 * 1024;

using Parser = http::response_parser<http::string_body>;

// A kept connection must be silent: closed, or with bytes nobody asked for, it is of no use.
bool is_silent(tcp::socket& socket) {
  char byte = 0;
  const ssize_t count = ::recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

Response to_response(http::response<http::string_body> message) {
  Response response;
  response.status = static_cast<int>(message.result_int());
  response.content_type.clear();
  for (const auto& field : message) {
    if (field.name() == http::field::content_type) {
      response.content_type = field.value();
    } else if (field.name() != http::field::content_length) {
      response.headers.push_back({to_lower(field.name_string()), std::string(field.value())});
    }
  }
  response.body = std::move(message.body());
  return response;
}

// Closes a socket at a moment, unless it is destroyed before.
class Alarm {
 public:
  Alarm(tcp::socket& socket, std::chrono::milliseconds time)
      : state_(std::make_shared<State>(State{&socket})), timer_(socket.get_executor(), time) {
    timer_.async_wait([state = state_](const error_code& error) {
      if (error || state->socket == nullptr) return;
      state->rang = true;
      error_code ignored;
      state->socket->close(ignored);
    });
  }
  ~Alarm() { state_->socket = nullptr; }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  bool rang() const { return state_->rang; }

 private:
  struct State {
    tcp::socket* socket;
    bool rang = false;
  };
  std::shared_ptr<State> state_;
  asio::steady_timer timer_;
};

// What became of one attempt on one connection.
struct Outcome {
  std::optional<Response> response;
  Error error{ErrorCode::kUnavailable, "", ""};
  bool reusable = false;  // the connection, for a next request
  bool stale = false;     // closed by the peer before any byte of the reply
};

}  // namespace

struct HttpClient::Impl {
  Impl(asio::io_context& context, ClientLimits client_limits, const Clock& a_clock)
      : io(context), limits(client_limits), clock(a_clock) {}

  asio::io_context& io;
  const ClientLimits limits;
  const Clock& clock;
  std::map<Endpoint, std::vector<tcp::socket>> idle;

  std::optional<tcp::socket> take_idle(const Endpoint& endpoint) {
    const auto found = idle.find(endpoint);
    if (found == idle.end()) return std::nullopt;
    while (!found->second.empty()) {
      tcp::socket socket = std::move(found->second.back());
      found->second.pop_back();
      if (is_silent(socket)) return socket;
    }
    return std::nullopt;
  }

  void keep(const Endpoint& endpoint, tcp::socket socket) {
    std::vector<tcp::socket>& kept = idle[endpoint];
    if (kept.size() < limits.idle_connections) kept.push_back(std::move(socket));
  }

  static asio::awaitable<Result<tcp::socket>> connect(std::shared_ptr<Impl> self, Endpoint endpoint, Deadline deadline);
  static asio::awaitable<Outcome> exchange(std::shared_ptr<Impl> self, tcp::socket* socket, std::string message,
                                           bool bodiless);
  static asio::awaitable<Outcome> attempt(std::shared_ptr<Impl> self, tcp::socket* socket, std::string message,
                                          bool bodiless, Deadline deadline);
  static asio::awaitable<Result<Response>> send(std::shared_ptr<Impl> self, Endpoint endpoint, Request request,
                                                Deadline deadline);
};

asio::awaitable<Result<tcp::socket>> HttpClient::Impl::connect(std::shared_ptr<Impl> self, Endpoint endpoint,
                                                               Deadline deadline) {
  error_code error;
  const auto address = asio::ip::make_address(endpoint.ip, error);
  if (error) co_return fail(ErrorCode::kInvalidArgument, "not a numeric address", endpoint.ip);
  tcp::socket socket(self->io);
  const auto left = deadline.remaining(self->clock);
  {
    const Alarm alarm(socket, std::min(left, self->limits.connect_time));
    co_await socket.async_connect(tcp::endpoint(address, endpoint.port),
                                  asio::redirect_error(asio::use_awaitable, error));
    if (alarm.rang()) {
      if (left <= self->limits.connect_time) {
        co_return fail(ErrorCode::kDeadlineExceeded, "no connection before the deadline", to_string(endpoint));
      }
      co_return fail(ErrorCode::kUnavailable, "no connection in time", to_string(endpoint));
    }
  }
  if (error) co_return fail(ErrorCode::kUnavailable, "cannot connect: " + error.message(), to_string(endpoint));
  socket.set_option(tcp::no_delay(true), error);
  co_return std::move(socket);
}

asio::awaitable<Outcome> HttpClient::Impl::exchange(std::shared_ptr<Impl> self, tcp::socket* socket,
                                                    std::string message, bool bodiless) {
  Outcome outcome;
  error_code write_error;
  co_await asio::async_write(*socket, asio::buffer(message), asio::redirect_error(asio::use_awaitable, write_error));
  // A peer that refuses early answers and closes while we still write: look for its answer all the same.
  boost::beast::flat_buffer buffer;
  Parser parser;
  parser.header_limit(kResponseHeadBytes);
  parser.body_limit(self->limits.response_bytes);
  parser.eager(true);
  parser.skip(bodiless);
  bool any_byte = false;
  while (!parser.is_done()) {
    error_code error;
    const auto room = buffer.prepare(kResponseBlock);
    const size_t count = co_await socket->async_read_some(room, asio::redirect_error(asio::use_awaitable, error));
    if (error == asio::error::eof && any_byte && parser.is_header_done()) {
      parser.put_eof(error);
      if (!error) break;
    }
    if (error) {
      outcome.stale = !any_byte;
      outcome.error.message = any_byte ? "the reply was cut off" : "the connection was closed: " + error.message();
      co_return outcome;
    }
    any_byte = true;
    buffer.commit(count);
    while (buffer.size() > 0 && !parser.is_done()) {
      const size_t used = parser.put(buffer.cdata(), error);
      buffer.consume(used);
      if (error == http::error::need_more || (!error && used == 0)) break;
      if (!error) continue;
      const bool too_long = error == http::error::body_limit || error == http::error::header_limit;
      outcome.error = {ErrorCode::kCorruption,
                       too_long ? "the reply is too long" : "not an HTTP reply: " + error.message(), ""};
      co_return outcome;
    }
  }
  if (parser.get().result_int() < 200) {
    outcome.error = {ErrorCode::kCorruption, "an interim reply that was not asked for", ""};
    co_return outcome;
  }
  outcome.reusable = !write_error && parser.get().keep_alive() && buffer.size() == 0;
  outcome.response = to_response(parser.release());
  co_return outcome;
}

asio::awaitable<Outcome> HttpClient::Impl::attempt(std::shared_ptr<Impl> self, tcp::socket* socket, std::string message,
                                                   bool bodiless, Deadline deadline) {
  const Alarm alarm(*socket, deadline.remaining(self->clock));
  Outcome outcome = co_await exchange(self, socket, std::move(message), bodiless);
  if (!outcome.response && alarm.rang()) {
    outcome.stale = false;
    outcome.error = {ErrorCode::kDeadlineExceeded, "no reply before the deadline", ""};
  }
  outcome.reusable = outcome.reusable && !alarm.rang();
  co_return outcome;
}

asio::awaitable<Result<Response>> HttpClient::Impl::send(std::shared_ptr<Impl> self, Endpoint endpoint, Request request,
                                                         Deadline deadline) {
  Result<std::string> head = request_head(request, endpoint);
  if (!head) co_return std::unexpected(head.error());
  const std::string message = *head + request.body;
  const bool bodiless = request.method == "HEAD";

  std::optional<tcp::socket> socket = self->take_idle(endpoint);
  while (true) {
    if (deadline.passed(self->clock)) {
      co_return fail(ErrorCode::kDeadlineExceeded, "no reply before the deadline", to_string(endpoint));
    }
    const bool kept = socket.has_value();
    if (!kept) {
      Result<tcp::socket> fresh = co_await connect(self, endpoint, deadline);
      if (!fresh) co_return std::unexpected(fresh.error());
      socket = std::move(*fresh);
    }
    Outcome outcome = co_await attempt(self, &*socket, message, bodiless, deadline);
    if (outcome.response) {
      if (outcome.reusable) self->keep(endpoint, std::move(*socket));
      co_return std::move(*outcome.response);
    }
    socket.reset();
    if (kept && outcome.stale) continue;  // once: the next connection is a new one
    outcome.error.argument = to_string(endpoint);
    co_return std::unexpected(std::move(outcome.error));
  }
}

HttpClient::HttpClient(asio::io_context& io, ClientLimits limits, const Clock& clock)
    : impl_(std::make_shared<Impl>(io, limits, clock)) {}

HttpClient::~HttpClient() = default;

asio::awaitable<Result<Response>> HttpClient::send(Endpoint endpoint, Request request, Deadline deadline) {
  return Impl::send(impl_, std::move(endpoint), std::move(request), deadline);
}

Result<Response> fetch(const Endpoint& endpoint, Request request, std::chrono::milliseconds timeout,
                       size_t max_response_bytes) {
  asio::io_context io(1);
  HttpClient client(io, {.response_bytes = max_response_bytes, .connect_time = timeout}, real_clock());
  Result<Response> result = fail(ErrorCode::kInternal, "the request did not end", to_string(endpoint));
  asio::co_spawn(io, client.send(endpoint, std::move(request), Deadline::after(real_clock(), timeout)),
                 [&result](const std::exception_ptr& thrown, Result<Response> reply) {
                   if (!thrown) result = std::move(reply);
                 });
  io.run();
  return result;
}

}  // namespace souk::net
