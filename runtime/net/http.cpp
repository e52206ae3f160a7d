// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/http.h"

#include <boost/json/object.hpp>

#include "runtime/net/json_text.h"
#include "runtime/net/utf8.h"

namespace souk::net {

std::string_view Request::header(std::string_view lower_case_name) const {
  for (const Header& header : headers) {
    if (header.name == lower_case_name) return header.value;
  }
  return {};
}

Response error_response(const Error& error) {
  const ErrorTraits& known = traits(error.code);
  boost::json::object detail;
  detail["code"] = known.label;
  detail["message"] = to_valid_utf8(error.message);
  detail["argument"] = to_valid_utf8(error.argument);
  boost::json::object body;
  body["error"] = std::move(detail);
  Response response = json_response(to_text(body), known.http_status);
  if (known.http_status == 503) response.headers.push_back({"retry-after", "1"});
  return response;
}

Response json_response(std::string body, int status) {
  return Response{.status = status, .content_type = "application/json", .headers = {}, .body = std::move(body)};
}

}  // namespace souk::net
