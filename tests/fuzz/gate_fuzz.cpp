// SPDX-License-Identifier: Apache-2.0
// HttpGate: a head that it lets through is read by Beast in the same way (where it ends, how long its body is), and no
// verdict changes when more bytes arrive.
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "core/base/error.h"
#include "runtime/net/http_gate.h"

namespace {

using souk::net::HttpGate;

void check_against_beast(std::string_view bytes, const HttpGate::Head& head) {
  namespace http = boost::beast::http;
  http::request_parser<http::string_body> parser;
  parser.body_limit(1024 * 1024);
  boost::system::error_code error;
  const size_t used = parser.put(boost::asio::buffer(bytes.substr(0, head.bytes)), error);
  if (error) return;  // Beast may be stricter still: the server answers 400
  SOUK_CHECK(parser.is_header_done());
  SOUK_CHECK(used == head.bytes);
  SOUK_CHECK(!parser.chunked());
  SOUK_CHECK(parser.content_length().value_or(0) == head.content_length);
  SOUK_CHECK(!parser.need_eof());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr HttpGate::Limits kLimits{.head_bytes = 512, .headers = 8, .body_bytes = 1000};
  const HttpGate gate(kLimits);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const HttpGate::Verdict whole = gate.check(bytes);
  for (size_t part = 0; part < size; part += 1 + size / 8) {
    const HttpGate::Verdict verdict = gate.check(bytes.substr(0, part));
    if (std::holds_alternative<HttpGate::Refusal>(verdict))
      SOUK_CHECK(std::holds_alternative<HttpGate::Refusal>(whole));
    if (const auto* early = std::get_if<HttpGate::Head>(&verdict)) {
      const auto* late = std::get_if<HttpGate::Head>(&whole);
      SOUK_CHECK(late != nullptr && late->bytes == early->bytes && late->content_length == early->content_length);
    }
  }
  if (const auto* head = std::get_if<HttpGate::Head>(&whole)) {
    SOUK_CHECK(head->bytes <= size && head->bytes <= kLimits.head_bytes);
    SOUK_CHECK(head->content_length <= kLimits.body_bytes);
    check_against_beast(bytes, *head);
  }
  return 0;
}
