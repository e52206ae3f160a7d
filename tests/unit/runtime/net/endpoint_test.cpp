// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "runtime/net/http.h"

namespace souk::net {
namespace {

TEST(Endpoint, ReadsWhatItWrites) {
  for (const char* text : {"127.0.0.1:8080", "0.0.0.0:1", "10.1.2.3:65535", "[::1]:8080", "[2001:db8::7]:9"}) {
    const Result<Endpoint> endpoint = parse_endpoint(text);
    ASSERT_TRUE(endpoint) << text;
    EXPECT_EQ(to_string(*endpoint), text);
  }
}

TEST(Endpoint, RefusesOtherText) {
  for (const char* text : {"", ":", "8080", "localhost:80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536",
                           "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1: 1", "127.0.0.1:1 ", "127.1:80", "256.0.0.1:80",
                           "::1:80", "[127.0.0.1]:80", "[::1:80", "[]:80", "http://127.0.0.1:80"}) {
    const Result<Endpoint> endpoint = parse_endpoint(text);
    ASSERT_FALSE(endpoint) << text;
    EXPECT_EQ(endpoint.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(endpoint.error().argument, text);
  }
}

TEST(Endpoint, KnowsLoopback) {
  EXPECT_TRUE(is_loopback({"127.77.1.5", 1}));
  EXPECT_TRUE(is_loopback({"::1", 1}));
  EXPECT_FALSE(is_loopback({"0.0.0.0", 1}));
  EXPECT_FALSE(is_loopback({"10.0.0.1", 1}));
  EXPECT_FALSE(is_loopback({"nonsense", 1}));
}

TEST(ErrorResponse, CarriesCodeMessageArgumentAndStatus) {
  const Response response = error_response({ErrorCode::kInvalidArgument, "not a \"number\"", "price_from"});
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_EQ(response.body,
            R"({"error":{"code":"invalid_argument","message":"not a \"number\"","argument":"price_from"}})");
}

TEST(ErrorResponse, OverloadSaysWhenToComeBack) {
  const Response response = error_response({ErrorCode::kOverloaded, "busy", ""});
  EXPECT_EQ(response.status, 503);
  ASSERT_EQ(response.headers.size(), 1U);
  EXPECT_EQ(response.headers[0].name, "retry-after");
}

TEST(ErrorResponse, StaysJsonWhenItQuotesBadBytes) {
  const Response response = error_response({ErrorCode::kInvalidArgument, "bad", "a\xFF"});
  EXPECT_NE(response.body.find("\"a?\""), std::string::npos);
}

}  // namespace
}  // namespace souk::net
