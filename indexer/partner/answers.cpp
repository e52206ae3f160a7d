// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/answers.h"

#include <boost/json/object.hpp>

#include "runtime/net/json_text.h"

namespace souk::partner {

namespace {

constexpr int kRereadSeconds = 60;

net::Response refusal(int status, std::string_view code, std::string_view message) {
  boost::json::object error{{"code", code}, {"message", message}, {"argument", ""}};
  return net::json_response(net::to_text(boost::json::object{{"error", std::move(error)}}), status);
}

}  // namespace

net::Response json_answer(const Result<std::string>& body) {
  return body ? net::json_response(*body) : net::error_response(body.error());
}

net::Response reread_answer(const Status& queued) {
  if (queued) return net::json_response("{\"reread\":\"queued\"}", 202);
  if (queued.error().code != ErrorCode::kOverloaded) return net::error_response(queued.error());
  return too_many(queued.error().message, kRereadSeconds);
}

net::Response unauthorized() {
  net::Response response = refusal(401, "unauthorized", "the token of a shop is needed: Authorization: Bearer TOKEN");
  response.headers.push_back({"www-authenticate", "Bearer"});
  return response;
}

net::Response forbidden(std::string_view message) {
  return refusal(403, "forbidden", message);
}

net::Response too_large(std::string_view message) {
  return refusal(413, traits(ErrorCode::kInvalidArgument).label, message);
}

net::Response too_many(std::string_view message, int retry_after_seconds) {
  net::Response response = refusal(429, traits(ErrorCode::kOverloaded).label, message);
  response.headers.push_back({"retry-after", std::to_string(retry_after_seconds)});
  return response;
}

net::Response wrong_method(const std::string& allowed) {
  net::Response response =
      refusal(405, traits(ErrorCode::kInvalidArgument).label, "method not allowed, use " + allowed);
  response.headers.push_back({"allow", allowed});
  return response;
}

net::Response no_such_page() {
  return net::error_response({ErrorCode::kNotFound, "no such page", ""});
}

}  // namespace souk::partner
