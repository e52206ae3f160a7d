// SPDX-License-Identifier: Apache-2.0
#include "indexer/fetch/fetcher.h"

#include <cstdlib>
#include <future>

#include "tests/unit/indexer/fetch/fetch_fixture.h"
#include "tests/unit/indexer/fetch/test_certificate.h"

namespace souk::fetch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class FetcherTest : public FetchTest {};

TEST_F(FetcherTest, DownloadsTheBodyAsSent) {
  const std::string body("\x1F\x8B packed \0 bytes \xFF", 18);
  TestServer server([&](const Request&, Connection& connection) {
    connection.reply(
        200, {"ETag: W/\"a\\b\"", "Last-Modified: Sat, 10 Jan 2026 10:00:00 GMT", "Content-Encoding: gzip"}, body);
  });
  const FetchResult result = fetch(server.url("/feed?a=b#part"));
  ASSERT_EQ(result.outcome, Outcome::kDownloaded) << result.error << result.message;
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.etag, "W/\"a\\b\"");
  EXPECT_EQ(result.last_modified, "Sat, 10 Jan 2026 10:00:00 GMT");
  EXPECT_EQ(result.bytes, body.size());
  EXPECT_EQ(read(file()), body);
  EXPECT_EQ(files(), 1U);
  ASSERT_EQ(server.requests().size(), 1U);
  const Request seen = server.requests()[0];
  EXPECT_EQ(seen.path, "/feed?a=b");
  EXPECT_EQ(seen.headers.at("accept-encoding"), "identity");
  EXPECT_TRUE(seen.headers.at("user-agent").starts_with("souk/"));
  EXPECT_FALSE(seen.headers.contains("if-none-match"));
  EXPECT_FALSE(seen.headers.contains("if-modified-since"));
}

TEST_F(FetcherTest, EmptyAndUnannouncedBodies) {
  TestServer server([](const Request& request, Connection& connection) {
    if (request.path == "/empty") connection.reply(200, {}, "");
    if (request.path == "/chunked") {
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
    }
    if (request.path == "/until-close") connection.send("HTTP/1.0 200 OK\r\n\r\nfghij");
  });
  EXPECT_EQ(fetch(server.url("/empty")).outcome, Outcome::kDownloaded);
  EXPECT_TRUE(std::filesystem::exists(file()));
  EXPECT_EQ(fetch(server.url("/chunked")).outcome, Outcome::kDownloaded);
  EXPECT_EQ(read(file()), "abcde");
  EXPECT_EQ(fetch(server.url("/until-close")).outcome, Outcome::kDownloaded);
  EXPECT_EQ(read(file()), "fghij");
}

TEST_F(FetcherTest, ValidatorsAreSentVerbatim) {
  TestServer server([](const Request&, Connection& connection) { connection.reply(304, {}, ""); });
  Fetcher fetcher(limits());
  FetchRequest conditional = request(server.url("/"));
  conditional.etag = "W/\"a b\\c'";
  conditional.last_modified = "Sat, 10 Jan 2026 10:00:00 GMT";
  const FetchResult result = fetcher.fetch(conditional);
  EXPECT_EQ(result.outcome, Outcome::kNotModified);
  EXPECT_EQ(result.etag, conditional.etag);
  EXPECT_EQ(result.last_modified, conditional.last_modified);
  const Request seen = server.requests().at(0);
  EXPECT_EQ(seen.headers.at("if-none-match"), conditional.etag);
  EXPECT_EQ(seen.headers.at("if-modified-since"), conditional.last_modified);
  // What could not have come from a header is not sent as one.
  conditional.etag = "\"a\"\r\nX-More: yes";
  fetcher.fetch(conditional);
  EXPECT_FALSE(server.requests().at(1).headers.contains("if-none-match"));
  EXPECT_FALSE(server.requests().at(1).headers.contains("x-more"));
}

TEST_F(FetcherTest, NotModifiedWithoutHavingAskedIsAFailure) {
  TestServer server([](const Request&, Connection& connection) { connection.reply(304, {}, ""); });
  expect_failed(fetch(server.url("/")), "http_304");
}

TEST_F(FetcherTest, OtherAnswersAreFailures) {
  TestServer server([](const Request& request, Connection& connection) {
    connection.reply(std::stoi(request.path.substr(1)), {}, "<html>sorry</html>");
  });
  for (const char* status : {"201", "204", "206", "300", "302", "403", "404", "410", "500", "503", "599"}) {
    expect_failed(fetch(server.url(std::string("/") + status)), std::string("http_") + status);
  }
}

TEST_F(FetcherTest, RetryAfterIsHeeded) {
  TestServer server([](const Request& request, Connection& connection) {
    if (request.path == "/seconds") connection.reply(429, {"Retry-After: 120"}, "");
    if (request.path == "/date") connection.reply(503, {"Retry-After: Fri, 01 Jan 2100 00:00:00 GMT"}, "x");
    if (request.path == "/past") connection.reply(503, {"Retry-After: Fri, 01 Jan 1999 00:00:00 GMT"}, "x");
    if (request.path == "/nonsense") connection.reply(429, {"Retry-After: soon"}, "");
    if (request.path == "/other") connection.reply(404, {"Retry-After: 120"}, "");
  });
  const FetchResult wished = fetch(server.url("/seconds"));
  expect_failed(wished, "http_429");
  EXPECT_EQ(wished.retry_after, seconds(120));
  EXPECT_EQ(fetch(server.url("/date")).retry_after, seconds(86'400));
  EXPECT_EQ(fetch(server.url("/past")).retry_after, seconds(0));
  EXPECT_EQ(fetch(server.url("/nonsense")).retry_after, seconds(0));
  EXPECT_EQ(fetch(server.url("/other")).retry_after, seconds(0));
}

TEST_F(FetcherTest, CutBodiesAreShort) {
  TestServer server([](const Request& request, Connection& connection) {
    if (request.path == "/length") connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc");
    if (request.path == "/chunk") {
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n9\r\nab");
    }
    if (request.path == "/no-last-chunk") {
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n");
    }
    if (request.path == "/reset") {
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc");
      connection.reset();
    }
  });
  for (const char* path : {"/length", "/chunk", "/no-last-chunk", "/reset"}) {
    SCOPED_TRACE(path);
    expect_failed(fetch(server.url(path)), "short_body");
  }
}

TEST_F(FetcherTest, AFailureLeavesTheEarlierFile) {
  TestServer server([](const Request& request, Connection& connection) {
    if (request.path == "/good") connection.reply(200, {}, "good");
    if (request.path == "/cut") connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc");
  });
  EXPECT_EQ(fetch(server.url("/good")).outcome, Outcome::kDownloaded);
  EXPECT_EQ(fetch(server.url("/cut")).error, "short_body");
  EXPECT_EQ(read(file()), "good");
  EXPECT_EQ(files(), 1U);
}

TEST_F(FetcherTest, BodiesAreLimited) {
  TestServer server([](const Request& request, Connection& connection) {
    const std::string block(10'000, 'x');
    if (request.path == "/announced") {
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n" + block);
    } else {
      connection.send("HTTP/1.0 200 OK\r\n\r\n");
    }
    while (connection.send(block)) continue;
  });
  FetchLimits small = limits();
  small.body_bytes = 100'000;
  expect_failed(fetch(server.url("/announced"), small), "size_limit");
  expect_failed(fetch(server.url("/endless"), small), "size_limit");
}

TEST_F(FetcherTest, ExactlyTheLimitIsAllowed) {
  TestServer server([](const Request&, Connection& connection) { connection.reply(200, {}, std::string(1000, 'x')); });
  FetchLimits small = limits();
  small.body_bytes = 1000;
  EXPECT_EQ(fetch(server.url("/"), small).outcome, Outcome::kDownloaded);
}

TEST_F(FetcherTest, HeadersAreLimited) {
  TestServer server([](const Request&, Connection& connection) {
    connection.send("HTTP/1.1 200 OK\r\n");
    while (connection.send("X-Filler: " + std::string(1000, 'x') + "\r\n")) continue;
  });
  expect_failed(fetch(server.url("/")), "size_limit");
}

TEST_F(FetcherTest, BodiesOfErrorsAreNotAwaited) {
  TestServer server([](const Request& request, Connection& connection) {
    if (request.path == "/404") connection.send("HTTP/1.1 404 Not Found\r\n\r\nsorry, ");
    if (request.path == "/101") connection.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\nPRI");
    connection.hang();
  });
  expect_failed(fetch(server.url("/404")), "http_404");
  expect_failed(fetch(server.url("/101")), "http_101");
}

TEST_F(FetcherTest, SlowServersAreGivenUp) {
  TestServer server([](const Request& request, Connection& connection) {
    if (request.path == "/trickle") {
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
      while (connection.wait(milliseconds(50)) && connection.send("x")) continue;
    }
    if (request.path == "/headers") {
      connection.send("HTTP/1.1 200 OK\r\n");
      while (connection.wait(milliseconds(50)) && connection.send("X-More: x\r\n")) continue;
    }
    connection.hang();
  });
  FetchLimits hasty = limits();
  hasty.slow = seconds(1);
  Fetcher fetcher(hasty);
  std::vector<std::future<FetchResult>> results;
  for (const char* path : {"/trickle", "/headers", "/silent"}) {
    results.push_back(std::async(std::launch::async,
                                 [&, path] { return fetcher.fetch({server.url(path), {}, {}, file(path + 1)}); }));
  }
  std::vector<FetchResult> failures;
  for (auto& result : results) failures.push_back(result.get());
  for (const FetchResult& failure : failures) expect_failed(failure, "too_slow");
}

TEST_F(FetcherTest, EndlessServersAreGivenUp) {
  TestServer server([](const Request&, Connection& connection) {
    connection.send("HTTP/1.0 200 OK\r\n\r\n");
    while (connection.wait(milliseconds(1)) && connection.send(std::string(1000, 'x'))) continue;
  });
  FetchLimits hasty = limits();
  hasty.total = milliseconds(300);
  expect_failed(fetch(server.url("/"), hasty), "timeout");
}

TEST_F(FetcherTest, ConnectionsThatComeToNothing) {
  TestServer server([](const Request& request, Connection& connection) {
    if (request.path == "/reset") connection.reset();
    if (request.path == "/nonsense") connection.send("SSH-2.0-OpenSSH_9.2\r\n");
  });
  expect_failed(fetch(server.url("/reset")), "connect_failed");
  expect_failed(fetch(server.url("/closed")), "connect_failed");
  expect_failed(fetch(server.url("/nonsense")), "connect_failed");
  expect_failed(fetch("http://127.0.0.1:1/"), "connect_failed");
  expect_failed(fetch("http://no-such-host.invalid/"), "dns_failed");
}

TEST_F(FetcherTest, BadAddressesAreNotAsked) {
  FetchLimits strict = limits();
  strict.allow_private_addresses = false;
  for (const char* url : {"", "feed.xml", "/feed.xml", "ftp://a.example/", "file:///etc/passwd", "gopher://a.example/",
                          "http://", "http://user:secret@a.example/", "http://user@a.example/", "http://a.example:22/",
                          "http://a b.example/", "http://a.example/\nX: y", "javascript://a.example/"}) {
    SCOPED_TRACE(url);
    expect_failed(fetch(url, strict), "bad_url");
  }
  expect_failed(fetch("http://a.example/" + std::string(5000, 'x'), strict), "bad_url");
}

// However they are written.
TEST_F(FetcherTest, PrivateAddressesAreNotConnectedTo) {
  TestServer server([](const Request&, Connection& connection) { connection.reply(200, {}, "secret"); });
  FetchLimits strict = limits();
  strict.allow_private_addresses = false;
  strict.any_port = true;
  for (const char* host : {"127.0.0.1", "127.1", "0x7f000001", "0x7f.1", "2130706433", "0177.0.0.1", "localhost",
                           "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0", "0", "[::]", "10.0.0.1",
                           "169.254.169.254", "[fe80::1]", "[fd00::1]", "[64:ff9b::7f00:1]", "127.0.0.1."}) {
    SCOPED_TRACE(host);
    const FetchResult result = fetch("http://" + std::string(host) + ":" + std::to_string(server.port()) + "/", strict);
    expect_failed(result, result.error == "dns_failed" ? "dns_failed" : "forbidden_address");
    if (result.error == "dns_failed") EXPECT_EQ(std::string(host), "127.0.0.1.");  // a name to some resolvers
  }
  EXPECT_EQ(server.connections(), 0U);
}

TEST_F(FetcherTest, EveryHopIsChecked) {
  TestServer inside([](const Request&, Connection& connection) { connection.reply(200, {}, "secret"); }, {"127.0.0.2"});
  TestServer outside([&inside](const Request&, Connection& connection) {
    connection.reply(302, {"Location: " + inside.url("/secret")}, "");
  });
  FetchLimits strict = limits();
  strict.allow_private_addresses = false;
  strict.any_port = true;
  strict.is_allowed = [](const std::string& address) { return address == "127.0.0.1"; };
  expect_failed(fetch(outside.url("/"), strict), "forbidden_address");
  EXPECT_EQ(outside.connections(), 1U);
  EXPECT_EQ(inside.connections(), 0U);
  strict.any_port = false;
  expect_failed(fetch("http://127.0.0.1:81/", strict), "bad_url");
}

TEST_F(FetcherTest, RedirectsAreFollowed) {
  TestServer server([](const Request& request, Connection& connection) {
    const int hop = std::stoi(request.path.substr(request.path.rfind('/') + 1));
    constexpr int kStatus[] = {301, 302, 303, 307, 308};
    if (hop < 5) {
      connection.reply(kStatus[hop], {"Location: ../b/" + std::to_string(hop + 1)}, "this way");
    } else {
      connection.reply(200, {}, "there");
    }
  });
  const FetchResult result = fetch(server.url("/a/0"));
  ASSERT_EQ(result.outcome, Outcome::kDownloaded) << result.message;
  EXPECT_EQ(read(file()), "there");
  EXPECT_EQ(server.requests().size(), 6U);
  EXPECT_EQ(server.requests()[5].path, "/b/5");
}

TEST_F(FetcherTest, RedirectsEnd) {
  TestServer server([](const Request&, Connection& connection) { connection.reply(302, {"Location: /again"}, ""); });
  expect_failed(fetch(server.url("/")), "too_many_redirects");
  EXPECT_EQ(server.requests().size(), 6U);
  FetchLimits none = limits();
  none.redirects = 0;
  expect_failed(fetch(server.url("/"), none), "too_many_redirects");
}

TEST_F(FetcherTest, RedirectsToElsewhereAreNotFollowed) {
  TestServer server([](const Request& request, Connection& connection) {
    connection.reply(302, {"Location: " + request.path.substr(1)}, "");
  });
  for (const char* location : {"file:///etc/passwd", "ftp://a.example/", "gopher://127.0.0.1:6379/_x", "dict://a:1/",
                               "http://user:secret@a.example/", "http:///"}) {
    SCOPED_TRACE(location);
    expect_failed(fetch(server.url(std::string("/") + location)), "bad_redirect");
  }
}

TEST_F(FetcherTest, TheEnvironmentsProxyIsNotUsed) {
  TestServer server([](const Request&, Connection& connection) { connection.reply(200, {}, "direct"); });
  ::setenv("http_proxy", "http://127.0.0.1:1/", 1);
  ::setenv("ALL_PROXY", "http://127.0.0.1:1/", 1);
  const FetchResult result = fetch(server.url("/"));
  ::unsetenv("http_proxy");
  ::unsetenv("ALL_PROXY");
  EXPECT_EQ(result.outcome, Outcome::kDownloaded) << result.message;
}

TEST_F(FetcherTest, AFileThatCannotBeWritten) {
  TestServer server([](const Request&, Connection& connection) { connection.reply(200, {}, "x"); });
  Fetcher fetcher(limits());
  EXPECT_EQ(fetcher.fetch({server.url("/"), {}, {}, file("no-folder/feed")}).error, "io_failed");
  EXPECT_EQ(fetcher.fetch({server.url("/"), {}, {}, folder_.path()}).error, "io_failed");
}

TEST_F(FetcherTest, CertificatesAreChecked) {
  const TestCertificate certificate = make_test_certificate();
  TestServer server(
      [](const Request& request, Connection& connection) {
        if (request.path == "/to-http") {
          connection.reply(302, {"Location: http://127.0.0.1:1/"}, "");
        } else {
          connection.reply(200, {}, "safe");
        }
      },
      {"127.0.0.1", "127.0.0.2"}, certificate.context.get());
  expect_failed(fetch(server.url("/")), "tls_failed");
  EXPECT_TRUE(server.requests().empty());

  const world::TemporaryFolder trusted;
  FetchLimits trusting = limits();
  trusting.ca_file = trusted.path() / "ca.pem";
  std::ofstream(trusting.ca_file) << certificate.pem;
  expect_failed(fetch(server.url("/", 1), trusting), "tls_failed");  // another name than the certificate's
  expect_failed(fetch(server.url("/to-http"), trusting), "bad_redirect");
  EXPECT_EQ(fetch(server.url("/"), trusting).outcome, Outcome::kDownloaded);
  EXPECT_EQ(read(file()), "safe");

  trusting.ca_file = trusted.path() / "none.pem";
  EXPECT_EQ(fetch(server.url("/"), trusting).error, "tls_failed");
}

TEST_F(FetcherTest, PlainHttpWhereTlsIsExpected) {
  TestServer server([](const Request&, Connection& connection) { connection.reply(200, {}, "plain"); });
  expect_failed(fetch("https://127.0.0.1:" + std::to_string(server.port()) + "/"), "tls_failed");
}

}  // namespace
}  // namespace souk::fetch
