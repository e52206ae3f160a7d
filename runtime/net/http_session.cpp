// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/http_session.h"

#include <array>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <exception>
#include <variant>

#include "core/base/ascii.h"
#include "runtime/net/http_text.h"

namespace souk::net {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

namespace {

constexpr size_t kReadBytes = 16 * 1024;
constexpr size_t kDiscardBytes = 256 * 1024;

// An error whose status is HTTP's, not that of an ErrorCode.
Response refusal_response(int status, std::string reason) {
  Response response = error_response(Error{ErrorCode::kInvalidArgument, std::move(reason), ""});
  response.status = status;
  return response;
}

Request to_request(http::request<http::string_body> message) {
  Request request;
  request.method = message.method_string();
  const std::string_view target = message.target();
  const size_t mark = std::min(target.find('?'), target.size());
  request.path = target.substr(0, mark);
  request.query = target.substr(std::min(mark + 1, target.size()));
  for (const auto& field : message) {
    request.headers.push_back({to_lower(field.name_string()), std::string(field.value())});
  }
  request.body = std::move(message.body());
  return request;
}

// Holds the handler: a coroutine lambda's frame refers to it.
asio::awaitable<Response> call(std::shared_ptr<const Handler> handler, Request request) {
  Response response = co_await (*handler)(std::move(request));
  co_return response;
}

std::string describe(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "unknown exception";
  }
}

// What a handler gave, made fit to be sent.
Response checked(Response response) {
  bool safe =
      response.status >= 200 && response.status <= 599 && is_safe_header({"content-type", response.content_type});
  for (const Header& header : response.headers) safe = safe && is_safe_header(header);
  if (safe) return response;
  return error_response(Error{ErrorCode::kInternal, "the handler gave a malformed response", ""});
}

}  // namespace

// A request at its handler. The session waits on `wake`; a handler that ignores its cancellation outlives the session,
// so it holds this by shared_ptr.
struct HttpSession::Exchange {
  explicit Exchange(const asio::any_io_executor& executor) : wake(executor) {}

  asio::steady_timer wake;
  asio::cancellation_signal cancel;
  std::optional<Response> response;
  bool peer_gone = false;
  bool watching = false;
};

HttpSession::HttpSession(asio::ip::tcp::socket socket, const ServerLimits& limits,
                         std::shared_ptr<const Handler> handler)
    : socket_(std::move(socket)),
      limits_(limits),
      gate_({limits.head_bytes, limits.headers, limits.body_bytes}),
      handler_(std::move(handler)),
      timer_(socket_.get_executor()) {}

void HttpSession::start(std::function<void()> on_end) {
  asio::co_spawn(socket_.get_executor(), serve(),
                 [self = shared_from_this(), on_end = std::move(on_end)](const std::exception_ptr& /*thrown*/) {
                   self->close();  // an exception is out of memory: this connection ends, the others go on
                   on_end();
                 });
}

void HttpSession::close() {
  closing_ = true;
  disarm();
  error_code ignored;
  socket_.close(ignored);
  if (exchange_) {
    exchange_->peer_gone = true;
    exchange_->cancel.emit(asio::cancellation_type::terminal);
    exchange_->wake.cancel();
  }
}

void HttpSession::finish() {
  finishing_ = true;
  if (idle_) close();
}

void HttpSession::arm(std::chrono::milliseconds time) {
  timed_out_ = false;
  const uint64_t mine = ++armed_;
  timer_.expires_after(time);
  timer_.async_wait([weak = weak_from_this(), mine](const error_code& error) {
    const auto self = weak.lock();
    if (error || !self || self->armed_ != mine) return;
    self->timed_out_ = true;
    error_code ignored;
    self->socket_.cancel(ignored);
    if (self->exchange_) self->exchange_->wake.cancel();
  });
}

void HttpSession::disarm() {
  ++armed_;
  timer_.cancel();
}

asio::awaitable<void> HttpSession::serve() {
  error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  peer_ip_ = socket_.remote_endpoint(ignored).address().to_string();
  bool first = true;
  while (keep_alive_ && !closing_) {
    const std::optional<HttpGate::Head> head = co_await read_head(first);
    if (!head) co_return;
    first = false;
    std::optional<Request> request = co_await read_request(*head);
    if (!request) co_return;
    request->peer_ip = peer_ip_;
    head_only_ = request->method == "HEAD";
    if (head_only_) request->method = "GET";
    std::optional<Response> response = co_await run_handler(std::move(*request));
    if (!response) co_return;
    const bool sent = co_await send(std::move(*response), head_only_);
    if (!sent) co_return;
  }
  co_await discard_input();
}

asio::awaitable<std::optional<HttpGate::Head>> HttpSession::read_head(bool first) {
  bool begun = first || buffer_.size() > 0;
  idle_ = buffer_.size() == 0;
  if (idle_ && finishing_) co_return std::nullopt;
  arm(begun ? limits_.head_time : limits_.idle_time);
  while (true) {
    const auto bytes = buffer_.cdata();
    const HttpGate::Verdict verdict = gate_.check({static_cast<const char*>(bytes.data()), bytes.size()});
    if (const auto* head = std::get_if<HttpGate::Head>(&verdict)) co_return *head;
    if (const auto* refusal = std::get_if<HttpGate::Refusal>(&verdict)) {
      co_await refuse(refusal->status, refusal->reason);
      co_return std::nullopt;
    }
    const size_t count = co_await read_some();
    if (count == 0) {
      if (timed_out_ && buffer_.size() > 0) co_await refuse(408, "the request head took too long");
      co_return std::nullopt;
    }
    if (!begun) arm(limits_.head_time);
    begun = true;
    idle_ = false;
  }
}

asio::awaitable<std::optional<Request>> HttpSession::read_request(HttpGate::Head head) {
  arm(limits_.request_time);
  if (head.expects_continue && buffer_.size() == head.bytes) {
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    error_code error;
    co_await asio::async_write(socket_, asio::buffer(kContinue), asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return std::nullopt;
  }
  http::request_parser<http::string_body> parser;
  parser.header_limit(static_cast<std::uint32_t>(limits_.head_bytes));
  parser.body_limit(limits_.body_bytes);
  parser.eager(true);
  while (!parser.is_done()) {
    error_code error;
    buffer_.consume(parser.put(buffer_.cdata(), error));
    if (parser.is_done()) break;
    if (error && error != http::error::need_more) {
      co_await refuse(400, "malformed request: " + error.message());
      co_return std::nullopt;
    }
    const size_t count = co_await read_some();
    if (count == 0) {
      if (timed_out_) co_await refuse(408, "the request body took too long");
      co_return std::nullopt;
    }
  }
  keep_alive_ = parser.get().keep_alive();
  co_return to_request(parser.release());
}

void HttpSession::watch_peer(std::shared_ptr<Exchange> exchange) {
  if (buffer_.size() >= limits_.head_bytes) return;  // enough is pipelined, the next read goes on
  exchange->watching = true;
  socket_.async_read_some(buffer_.prepare(limits_.head_bytes - buffer_.size()),
                          [self = shared_from_this(), exchange](const error_code& error, size_t count) {
                            exchange->watching = false;
                            if (!error) {
                              self->buffer_.commit(count);
                              if (!exchange->response && !self->timed_out_) {
                                self->watch_peer(exchange);
                                return;
                              }
                            } else if (error != asio::error::operation_aborted) {
                              exchange->peer_gone = true;
                            }
                            exchange->wake.cancel();
                          });
}

asio::awaitable<std::optional<Response>> HttpSession::run_handler(Request request) {
  // From here the session's timer and a socket cancelled by it mean: the request's time is over.
  const auto exchange = std::make_shared<Exchange>(socket_.get_executor());
  exchange_ = exchange;
  exchange->wake.expires_at(asio::steady_timer::time_point::max());
  watch_peer(exchange);
  asio::co_spawn(socket_.get_executor(), call(handler_, std::move(request)),
                 asio::bind_cancellation_slot(
                     exchange->cancel.slot(), [exchange](const std::exception_ptr& thrown, Response response) {
                       exchange->response =
                           thrown ? error_response({ErrorCode::kInternal, "internal error: " + describe(thrown), ""})
                                  : checked(std::move(response));
                       exchange->wake.cancel();
                     }));
  error_code ignored;
  while (!exchange->response && !exchange->peer_gone && !timed_out_) {
    co_await exchange->wake.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
  const bool late = !exchange->response;
  if (late) exchange->cancel.emit(asio::cancellation_type::terminal);
  disarm();
  if (exchange->watching) socket_.cancel(ignored);
  while (exchange->watching) {
    co_await exchange->wake.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
  exchange_.reset();
  if (exchange->peer_gone || closing_) co_return std::nullopt;
  if (!late) co_return std::move(exchange->response);
  keep_alive_ = false;
  co_return error_response({ErrorCode::kDeadlineExceeded,
                            "the request took longer than " + std::to_string(limits_.request_time.count()) + " ms",
                            ""});
}

asio::awaitable<bool> HttpSession::send(Response response, bool head_only) {
  if (finishing_) keep_alive_ = false;
  const std::string head = response_head(response, keep_alive_);
  const bool bodiless = head_only || response.status == 204 || response.status == 304;
  const std::array<asio::const_buffer, 2> parts = {asio::buffer(head),
                                                   bodiless ? asio::const_buffer() : asio::buffer(response.body)};
  arm(limits_.request_time);
  error_code error;
  co_await asio::async_write(socket_, parts, asio::redirect_error(asio::use_awaitable, error));
  disarm();
  co_return !error;
}

asio::awaitable<void> HttpSession::refuse(int status, std::string reason) {
  keep_alive_ = false;
  const bool sent = co_await send(refusal_response(status, std::move(reason)), false);
  if (sent) co_await discard_input();
}

asio::awaitable<void> HttpSession::discard_input() {
  // Closing with unread input resets the connection, and the peer may lose the answer: read on for a while.
  error_code error;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, error);
  arm(limits_.head_time);
  buffer_.clear();
  for (size_t total = 0; !error && total < kDiscardBytes;) {
    const size_t count = co_await read_some();
    if (count == 0) co_return;
    total += count;
    buffer_.clear();
  }
}

asio::awaitable<size_t> HttpSession::read_some() {
  if (timed_out_) co_return 0;
  error_code error;
  const auto room = buffer_.prepare(kReadBytes);
  const size_t count = co_await socket_.async_read_some(room, asio::redirect_error(asio::use_awaitable, error));
  if (error) co_return 0;
  buffer_.commit(count);
  co_return count;
}

}  // namespace souk::net
