// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/http_text.h"

#include <algorithm>
#include <boost/beast/http/status.hpp>

#include "core/base/ascii.h"

namespace souk::net {

namespace {

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

void append_header(std::string_view name, std::string_view value, std::string& out) {
  out += name;
  out += ": ";
  out += value;
  out += "\r\n";
}

}  // namespace

bool is_safe_header(const Header& header) {
  return !header.name.empty() && std::ranges::all_of(header.name, is_name_char) &&
         std::ranges::none_of(header.value, [](char c) { return is_control(c) && c != '\t'; });
}

bool is_safe_target(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return is_control(c) || c == ' ' || c == '#'; });
}

std::string response_head(const Response& response, bool keep_alive) {
  const std::string_view reason =
      boost::beast::http::obsolete_reason(boost::beast::http::int_to_status(static_cast<unsigned>(response.status)));
  std::string head = "HTTP/1.1 " + std::to_string(response.status) + " " + std::string(reason) + "\r\n";
  if (response.status != 204 && response.status != 304) {
    append_header("content-type", response.content_type, head);
    append_header("content-length", std::to_string(response.body.size()), head);
  }
  for (const Header& header : response.headers) append_header(header.name, header.value, head);
  append_header("connection", keep_alive ? "keep-alive" : "close", head);
  head += "\r\n";
  return head;
}

Result<std::string> request_head(const Request& request, const Endpoint& endpoint) {
  const bool safe = !request.method.empty() && std::ranges::all_of(request.method, is_name_char) &&
                    request.path.starts_with('/') && is_safe_target(request.path) && !request.path.contains('?') &&
                    is_safe_target(request.query) && std::ranges::all_of(request.headers, is_safe_header);
  if (!safe) return fail(ErrorCode::kInvalidArgument, "a request with control characters or without a path");

  std::string head = request.method + " " + request.path;
  if (!request.query.empty()) head += "?" + request.query;
  head += " HTTP/1.1\r\n";
  append_header("host", to_string(endpoint), head);
  if (!request.body.empty() || request.method == "POST" || request.method == "PUT") {
    append_header("content-length", std::to_string(request.body.size()), head);
  }
  for (const Header& header : request.headers) append_header(header.name, header.value, head);
  head += "\r\n";
  return head;
}

}  // namespace souk::net
