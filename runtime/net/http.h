// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/error.h"

namespace souk::net {

struct Header {
  std::string name;  // lower case
  std::string value;
};

struct Request {
  std::string method = "GET";
  std::string path = "/";  // as sent (not percent-decoded), without the query
  std::string query = {};  // as sent, without '?'
  std::vector<Header> headers = {};
  std::string body = {};
  std::string peer_ip = {};  // numeric address of who sent it; HttpServer sets it

  std::string_view header(std::string_view lower_case_name) const;  // empty when absent
};

struct Response {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::vector<Header> headers = {};  // beside content-type and content-length
  std::string body = {};
};

// Where a server listens; ip is a numeric address.
struct Endpoint {
  std::string ip = {};
  uint16_t port = 0;
  auto operator<=>(const Endpoint&) const = default;
};
std::string to_string(const Endpoint& endpoint);
Result<Endpoint> parse_endpoint(std::string_view text);
bool is_loopback(const Endpoint& endpoint);

// Runs on the IO thread of its connection; must not block. Ordinary failures are Responses; a thrown exception
// becomes a 500. Cancelled when the peer closes the connection.
using Handler = std::function<boost::asio::awaitable<Response>(Request)>;

// One request to another server: the only way servers of ours talk. Implementations: HttpClient (keep-alive
// connections) and testing::InProcessTransport.
class Transport {
 public:
  virtual ~Transport() = default;
  // Errors: kUnavailable (refused, reset, closed), kDeadlineExceeded, kCorruption (not HTTP, over max_response_bytes).
  // A reply of any status is a value.
  virtual boost::asio::awaitable<Result<Response>> send(Endpoint endpoint, Request request, Deadline deadline) = 0;
};

// Percent-decoded name=value pairs of a query string, in order. '+' is a blank. Refuses bad escapes, invalid UTF-8,
// NUL, and more than max_pairs pairs, naming the argument.
struct QueryPair {
  std::string name;
  std::string value;
};
Result<std::vector<QueryPair>> parse_query(std::string_view query, size_t max_pairs);
std::string percent_encode(std::string_view text);

// {"error":{"code":…,"message":…,"argument":…}} with the code's status.
Response error_response(const Error& error);
Response json_response(std::string body, int status = 200);

}  // namespace souk::net
