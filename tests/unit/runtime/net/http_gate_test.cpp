// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/http_gate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace souk::net {
namespace {

using namespace std::string_literals;

constexpr HttpGate::Limits kLimits{.head_bytes = 512, .headers = 8, .body_bytes = 100};

struct Case {
  const char* name;
  std::string bytes;
  int status;  // 0 = accepted
};

std::string get_with(const std::string& headers) {
  return "GET /a HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n";
}
std::string post_with(const std::string& headers) {
  return "POST /a HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n";
}

const std::vector<Case>& corpus() {
  static const std::vector<Case> cases = {
      {"plain GET", get_with(""), 0},
      {"query with raw UTF-8", "GET /s?text=кот HTTP/1.1\r\nHost: h\r\n\r\n", 0},
      {"HEAD", "HEAD / HTTP/1.1\r\nHost: h:80\r\n\r\n", 0},
      {"unknown method", "BREW /pot HTTP/1.1\r\nHost: h\r\n\r\n", 0},
      {"POST with a body", post_with("Content-Length: 5\r\n") + "hello", 0},
      {"POST without a length", post_with(""), 0},
      {"GET with length 0", get_with("Content-Length: 0\r\n"), 0},
      {"HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n", 0},
      {"blanks around values", get_with("X:  \t a b \t\r\n"), 0},
      {"empty value", get_with("X:\r\n"), 0},
      {"empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", 0},
      {"body of exactly the limit", post_with("Content-Length: 100\r\n"), 0},
      {"expectation", post_with("Content-Length: 5\r\nExpect: 100-Continue\r\n"), 0},
      {"TE chunked", post_with("Transfer-Encoding: chunked\r\n"), 400},
      {"TE gzip with a length", post_with("Transfer-Encoding: gzip\r\nContent-Length: 5\r\n"), 400},
      {"TE xchunked", post_with("Transfer-Encoding: xchunked\r\n"), 400},
      {"TE chunked, identity", post_with("Transfer-Encoding: chunked, identity\r\n"), 400},
      {"TE in other case", post_with("tRANSFER-eNCODING: chunked\r\n"), 400},
      {"TE in HTTP/1.0", "POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {"blank before the colon", post_with("Transfer-Encoding : chunked\r\n"), 400},
      {"two equal lengths", post_with("Content-Length: 5\r\nContent-Length: 5\r\n"), 400},
      {"two different lengths", post_with("Content-Length: 5\r\ncontent-length: 6\r\n"), 400},
      {"list of lengths", post_with("Content-Length: 5, 5\r\n"), 400},
      {"signed length", post_with("Content-Length: +5\r\n"), 400},
      {"negative length", post_with("Content-Length: -1\r\n"), 400},
      {"hexadecimal length", post_with("Content-Length: 0x5\r\n"), 400},
      {"empty length", post_with("Content-Length:\r\n"), 400},
      {"length over 64 bits", post_with("Content-Length: 99999999999999999999\r\n"), 413},
      {"length over the limit", post_with("Content-Length: 101\r\n"), 413},
      {"no Host", "GET / HTTP/1.1\r\n\r\n", 400},
      {"two Hosts", get_with("host: h\r\n"), 400},
      {"two Hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", 400},
      {"list of Hosts", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", 400},
      {"Host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400},
      {"folded line", get_with("X: a\r\n b\r\n"), 400},
      {"folded first line", "GET / HTTP/1.1\r\n Host: h\r\n\r\n", 400},
      {"NUL in a value", get_with("X: a\0b\r\n"s), 400},
      {"NUL in a name", get_with("X\0: a\r\n"s), 400},
      {"NUL in the target", "GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n"s, 400},
      {"NUL before the head ends", "GET /\0"s, 400},
      {"escape in a value", get_with("X: \x1B[0m\r\n"), 400},
      {"DEL in a value", get_with("X: \x7F\r\n"), 400},
      {"bare LF between lines", "GET / HTTP/1.1\nHost: h\r\n\r\n", 400},
      {"bare LF everywhere", "GET / HTTP/1.1\nHost: h\n\n", 400},
      {"bare CR in a value", get_with("X: a\rb\r\n"), 400},
      {"CR CR LF", "GET / HTTP/1.1\r\r\nHost: h\r\n\r\n", 400},
      {"GET with a body", get_with("Content-Length: 5\r\n") + "hello", 400},
      {"HEAD with a body", "HEAD / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx", 400},
      {"empty line first", "\r\n" + get_with(""), 400},
      {"only empty lines", "\r\n\r\n", 400},
      {"no version", "GET /\r\nHost: h\r\n\r\n", 400},
      {"HTTP/0.9", "GET / HTTP/0.9\r\nHost: h\r\n\r\n", 505},
      {"HTTP/2", "PRI * HTTP/2.0\r\n\r\n", 400},
      {"HTTP/1.2", "GET / HTTP/1.2\r\nHost: h\r\n\r\n", 505},
      {"lower-case version", "GET / http/1.1\r\nHost: h\r\n\r\n", 400},
      {"two blanks", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"blank in the target", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"tab for a blank", "GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"absolute target", "GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"CONNECT", "CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"fragment", "GET /a#b HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"header without a colon", get_with("nonsense\r\n"), 400},
      {"header without a name", get_with(": x\r\n"), 400},
      {"quoted header name", get_with("\"X\": x\r\n"), 400},
      {"non-ASCII header name", get_with("Х: x\r\n"), 400},
      {"unknown expectation", post_with("Content-Length: 5\r\nExpect: wonders\r\n"), 417},
      {"too many headers", get_with("A: 1\r\nB: 1\r\nC: 1\r\nD: 1\r\nE: 1\r\nF: 1\r\nG: 1\r\nH: 1\r\n"), 431},
      {"long header", get_with("X: " + std::string(600, 'x') + "\r\n"), 431},
      {"long header without an end", "GET / HTTP/1.1\r\nX: " + std::string(600, 'x'), 431},
      {"long target", "GET /" + std::string(600, 'x') + " HTTP/1.1\r\nHost: h\r\n\r\n", 414},
      {"long target without an end", "GET /" + std::string(600, 'x'), 414},
      {"TLS hello", "\x16\x03\x01\x02\x00\x01\x00"s, 400},
  };
  return cases;
}

TEST(HttpGate, Corpus) {
  const HttpGate gate(kLimits);
  for (const Case& example : corpus()) {
    const HttpGate::Verdict verdict = gate.check(example.bytes);
    if (example.status == 0) {
      ASSERT_TRUE(std::holds_alternative<HttpGate::Head>(verdict)) << example.name;
      EXPECT_EQ(std::get<HttpGate::Head>(verdict).bytes, example.bytes.find("\r\n\r\n") + 4) << example.name;
    } else {
      ASSERT_TRUE(std::holds_alternative<HttpGate::Refusal>(verdict)) << example.name;
      EXPECT_EQ(std::get<HttpGate::Refusal>(verdict).status, example.status) << example.name;
      EXPECT_FALSE(std::get<HttpGate::Refusal>(verdict).reason.empty()) << example.name;
    }
  }
}

// However the bytes are cut into reads, the verdict is the same.
TEST(HttpGate, PartsOfAGoodHeadNeedMore) {
  const HttpGate gate(kLimits);
  for (const Case& example : corpus()) {
    if (example.status != 0) continue;
    const size_t head = example.bytes.find("\r\n\r\n") + 4;
    for (size_t size = 0; size < head; ++size) {
      const HttpGate::Verdict verdict = gate.check(std::string_view(example.bytes).substr(0, size));
      EXPECT_TRUE(std::holds_alternative<HttpGate::NeedMore>(verdict)) << example.name << " cut at " << size;
    }
  }
}

TEST(HttpGate, TellsLengthAndExpectation) {
  const HttpGate gate(kLimits);
  const auto head = std::get<HttpGate::Head>(gate.check(post_with("Content-Length: 42\r\nExpect: 100-continue\r\n")));
  EXPECT_EQ(head.content_length, 42U);
  EXPECT_TRUE(head.expects_continue);
  EXPECT_FALSE(std::get<HttpGate::Head>(gate.check(post_with("Expect: 100-continue\r\n"))).expects_continue);
}

TEST(HttpGate, LooksAtTheFirstRequestOnly) {
  const HttpGate gate(kLimits);
  const std::string bytes = get_with("") + "nonsense\n\n" + std::string(1000, 'x');
  EXPECT_TRUE(std::holds_alternative<HttpGate::Head>(gate.check(bytes)));
}

RC_GTEST_PROP(HttpGate, AHeadWithOneByteChangedIsNeverReadWithoutBounds, (size_t at, char byte)) {
  std::string bytes = post_with("Content-Length: 5\r\nX-Y: z\r\n") + "hello";
  bytes[at % bytes.size()] = byte;
  const HttpGate::Verdict verdict = HttpGate(kLimits).check(bytes);
  if (const auto* head = std::get_if<HttpGate::Head>(&verdict)) {
    RC_ASSERT(head->bytes <= bytes.size());
    RC_ASSERT(head->content_length <= kLimits.body_bytes);
  }
}

}  // namespace
}  // namespace souk::net
