// SPDX-License-Identifier: Apache-2.0
#include "indexer/fetch/feed_url.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace souk::fetch {
namespace {

std::string normal(const std::string& text) {
  const auto url = parse_feed_url(text, false);
  return url ? url->text : "refused: " + url.error().message;
}

TEST(FeedUrl, AddressesHaveANormalForm) {
  EXPECT_EQ(normal("http://a.example"), "http://a.example/");
  EXPECT_EQ(normal("HTTPS://A.example/Feed.xml?a=b&c#part"), "https://A.example/Feed.xml?a=b&c");
  EXPECT_EQ(normal("https://a.example/a b/\xD1\x84.xml"), "https://a.example/a%20b/%d1%84.xml");
  EXPECT_EQ(normal("http://a.example:8080/x"), "http://a.example:8080/x");
  EXPECT_EQ(parse_feed_url("http://A.Example:80/", false)->host, "a.example");
  EXPECT_EQ(parse_feed_url("http://[2A02:6b8::1]/", false)->host, "[2a02:6b8::1]");
  EXPECT_TRUE(parse_feed_url("https://a.example/", false)->https);
}

TEST(FeedUrl, PortsAreThoseOfTheWeb) {
  EXPECT_FALSE(parse_feed_url("http://a.example:25/", false));
  EXPECT_FALSE(parse_feed_url("http://a.example:6379/", false));
  EXPECT_TRUE(parse_feed_url("http://a.example:6379/", true));
  EXPECT_FALSE(parse_feed_url("http://a.example:0x50/", false));
  EXPECT_FALSE(parse_feed_url("http://a.example:99999/", true));
}

TEST(FeedUrl, SecretsAreNotRepeated) {
  const auto refused = parse_feed_url("http://user:secret@a.example/", false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(to_string(refused.error()).find("secret"), std::string::npos);
}

TEST(FeedUrl, RedirectsAreRelativeToTheirPage) {
  const FeedUrl from = *parse_feed_url("https://a.example/x/feed.xml?old", false);
  const auto to = [&from](const std::string& location) {
    const auto url = resolve_redirect(from, location, false);
    return url ? url->text : std::string("refused");
  };
  EXPECT_EQ(to("new.xml"), "https://a.example/x/new.xml");
  EXPECT_EQ(to("/new.xml"), "https://a.example/new.xml");
  EXPECT_EQ(to("../../new.xml"), "https://a.example/new.xml");
  EXPECT_EQ(to("?new"), "https://a.example/x/feed.xml?new");
  EXPECT_EQ(to("//b.example/new.xml"), "https://b.example/new.xml");
  EXPECT_EQ(to("https://b.example/"), "https://b.example/");
  EXPECT_EQ(to("http://a.example/"), "refused");
  EXPECT_EQ(to("file:///etc/passwd"), "refused");
  EXPECT_EQ(to("//user@b.example/"), "refused");
  const FeedUrl plain = *parse_feed_url("http://a.example/", false);
  EXPECT_EQ(resolve_redirect(plain, "https://a.example/", false)->text, "https://a.example/");
}

RC_GTEST_PROP(FeedUrl, WhatPassesIsOfTheWebAndStaysAsItIs, ()) {
  const auto piece = rc::gen::element<std::string>("http", "https", "ftp", ":", "/", "//", "://", "@", "user",
                                                   "a.example", "127.0.0.1", "[::1]", ":80", ":1", "?", "#", "%", "%00",
                                                   " ", "\\", "\xD1\x84", "\n", "..", "&");
  std::string text;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(piece)) text += part;
  if (*rc::gen::arbitrary<bool>()) text.insert(0, "http://a");
  const auto url = parse_feed_url(text, true);
  if (!url) return;
  RC_ASSERT(url->text.starts_with(url->https ? "https://" : "http://"));
  RC_ASSERT(!url->host.empty());
  RC_ASSERT(url->text.find_first_of(" \n\r\t") == std::string::npos);
  RC_ASSERT(url->text.substr(0, url->text.find('/', 8)).find('@') == std::string::npos);
  const auto again = parse_feed_url(url->text, true);
  RC_ASSERT(again.has_value());
  RC_ASSERT(again->text == url->text);
  RC_ASSERT(again->host == url->host);
}

}  // namespace
}  // namespace souk::fetch
