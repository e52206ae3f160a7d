// SPDX-License-Identifier: Apache-2.0
#include <boost/asio/ip/address.hpp>
#include <charconv>

#include "runtime/net/http.h"
#include "runtime/net/utf8.h"

namespace souk::net {

namespace {

Error bad_address(std::string_view text) {
  return Error{ErrorCode::kInvalidArgument, "not a numeric address with a port, such as 127.0.0.1:8080",
               to_valid_utf8(text.substr(0, 100))};
}

}  // namespace

std::string to_string(const Endpoint& endpoint) {
  const bool v6 = endpoint.ip.contains(':');
  return (v6 ? "[" + endpoint.ip + "]" : endpoint.ip) + ":" + std::to_string(endpoint.port);
}

Result<Endpoint> parse_endpoint(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::unexpected(bad_address(text));
  std::string_view ip = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  const bool bracketed = ip.size() > 2 && ip.front() == '[' && ip.back() == ']';
  if (bracketed) ip = ip.substr(1, ip.size() - 2);
  if (ip.contains(':') != bracketed || ip.contains('\0')) return std::unexpected(bad_address(text));

  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(ip, error);
  if (error) return std::unexpected(bad_address(text));
  Endpoint endpoint{.ip = address.to_string()};
  const auto [end, status] = std::from_chars(port.data(), port.data() + port.size(), endpoint.port);
  if (status != std::errc() || end != port.data() + port.size()) return std::unexpected(bad_address(text));
  return endpoint;
}

bool is_loopback(const Endpoint& endpoint) {
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(endpoint.ip, error);
  return !error && address.is_loopback();
}

}  // namespace souk::net
