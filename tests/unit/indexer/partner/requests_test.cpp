// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/requests.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace souk::partner {
namespace {

template <typename T>
std::string argument_of(const Result<T>& result) {
  return result ? "none" : result.error().argument;
}

TEST(RequestsTest, AFeedChangeMayNameSomeFields) {
  const auto all = decode_feed_change(R"({"url":"HTTPS://магазин.рф/прайс.yml","mode":"lenient","period_seconds":60})");
  ASSERT_TRUE(all) << to_string(all.error());
  EXPECT_EQ(all->feed_url, "HTTPS://магазин.рф/прайс.yml");
  EXPECT_EQ(all->mode, feed::Mode::kLenient);
  EXPECT_EQ(all->period_seconds, 60);

  offers::ShopSettings settings;
  settings.feed_url = "http://a/b";
  settings.token_hash = "x";
  const auto one = decode_feed_change(R"({"period_seconds":604800})");
  ASSERT_TRUE(one);
  one->apply(settings);
  EXPECT_EQ(settings.feed_url, "http://a/b");
  EXPECT_EQ(settings.period_seconds, 604'800);
  EXPECT_EQ(settings.token_hash, "x");
}

TEST(RequestsTest, ErrorsNameTheField) {
  const std::pair<const char*, const char*> kCases[] = {
      {R"({"url":7})", "url"},
      {R"({"url":""})", "url"},
      {R"({"url":"ftp://a/b"})", "url"},
      {R"({"url":"http://"})", "url"},
      {R"({"url":"http://:80/"})", "url"},
      {R"({"url":"http://user:secret@a/b"})", "url"},
      {R"({"url":"http://a/b c"})", "url"},
      {R"({"url":"http://a/b\u0000"})", "url"},
      {R"({"mode":"loose"})", "mode"},
      {R"({"mode":1})", "mode"},
      {R"({"period_seconds":59})", "period_seconds"},
      {R"({"period_seconds":604801})", "period_seconds"},
      {R"({"period_seconds":-60})", "period_seconds"},
      {R"({"period_seconds":3600.5})", "period_seconds"},
      {R"({"period_seconds":"3600"})", "period_seconds"},
      {R"({"period_seconds":1e300})", "period_seconds"},
      {R"({"token_hash":"00"})", "token_hash"},
      {R"({"regions":["a"]})", "regions"},  // the market's to say
      {R"({"feed_url":"http://a/b"})", "feed_url"},
      {"{}", ""},
      {"[]", ""},
      {"", ""},
      {"{\"url\":\"http://a/\xff\"}", ""},
  };
  for (const auto& [json, argument] : kCases) {
    const auto change = decode_feed_change(json);
    ASSERT_FALSE(change) << json;
    EXPECT_EQ(change.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(change.error().argument, argument) << json;
    EXPECT_FALSE(change.error().message.contains('\n'));
  }
  EXPECT_EQ(argument_of(decode_feed_change(R"({"url":"http://a/)" + std::string(2040, 'x') + "\"}")), "url");
  EXPECT_TRUE(decode_feed_change(R"({"url":"http://a/)" + std::string(2039, 'x') + "\"}"));
  EXPECT_FALSE(decode_feed_change("{\"url\":" + std::string(1000, '[') + std::string(1000, ']') + "}"));
  EXPECT_EQ(argument_of(decode_feed_change("{\"" + std::string(60'000, 'n') + "\":1}")).size(), 100);
}

TEST(RequestsTest, ANewShopNeedsAName) {
  const auto shop = decode_new_shop(R"({"name":"Север","feed_url":"http://a/b","regions":["Москва","Тверь"]})");
  ASSERT_TRUE(shop) << to_string(shop.error());
  EXPECT_EQ(shop->name, "Север");
  EXPECT_EQ(shop->settings.regions, (std::vector<std::string>{"Москва", "Тверь"}));
  EXPECT_EQ(argument_of(decode_new_shop(R"({"feed_url":"http://a/b"})")), "name");
  EXPECT_EQ(argument_of(decode_new_shop(R"({"name":""})")), "name");
  EXPECT_EQ(argument_of(decode_new_shop(R"({"name":"a\nb"})")), "name");
  EXPECT_EQ(argument_of(decode_new_shop(R"({"name":")" + std::string(101, 'x') + "\"}")), "name");
  EXPECT_EQ(argument_of(decode_new_shop(R"({"name":"a","regions":"Москва"})")), "regions");
  EXPECT_EQ(argument_of(decode_new_shop(R"({"name":"a","regions":[1]})")), "regions");
  EXPECT_EQ(argument_of(decode_new_shop(R"({"name":"a","regions":["x","x"]})")), "regions");
  EXPECT_EQ(argument_of(decode_new_shop(R"({"name":"a","url":"http://a/b"})")), "url");
  std::string many = R"({"name":"a","regions":["0")";
  for (int i = 1; i <= 100; ++i) many += ",\"" + std::to_string(i) + "\"";
  EXPECT_EQ(argument_of(decode_new_shop(many + "]}")), "regions");
}

TEST(RequestsTest, AShopNameInAPathIsDecoded) {
  EXPECT_EQ(decode_shop_name("%D0%AE%D0%B3").value_or(""), "Юг");
  EXPECT_EQ(decode_shop_name("a+b&c=d").value_or(""), "a+b&c=d");
  for (const char* wrong : {"", "%", "%zz", "%ff", "a%00b", "a%0Ab"}) EXPECT_FALSE(decode_shop_name(wrong)) << wrong;
}

RC_GTEST_PROP(RequestsTest, EveryShopNameIsFoundAgainInItsPath, ()) {
  std::string name;
  const std::vector<std::string> pieces{"a", "Я", "+", "&", "=", "%", "/", "?", " ", "%41", ";", "\"", "<"};
  for (const std::string& piece : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces))) {
    if (name.size() < 90) name += piece;
  }
  RC_PRE(!name.empty());
  RC_ASSERT(decode_shop_name(net::percent_encode(name)).value_or("") == name);
}

TEST(RequestsTest, PairsAreKnownAndGivenOnce) {
  const auto pairs = decode_pairs("url=http%3A%2F%2Fa%2F%3Fb%3D1&x=+", {"url", "x"});
  ASSERT_TRUE(pairs);
  EXPECT_EQ(find_pair(*pairs, "url"), "http://a/?b=1");
  EXPECT_EQ(find_pair(*pairs, "none"), "");
  EXPECT_EQ(argument_of(decode_pairs("a=1", {"url"})), "a");
  EXPECT_EQ(argument_of(decode_pairs("url=1&url=2", {"url"})), "url");
  EXPECT_FALSE(decode_pairs("url=%ff", {"url"}));
}

TEST(RequestsTest, RunNumbersAreWholeAndFromOne) {
  EXPECT_EQ(decode_run_number("18446744073709551615").value_or(0), UINT64_MAX);
  for (const char* wrong : {"", "0", "-1", "1x", " 1", "18446744073709551616"}) {
    EXPECT_EQ(argument_of(decode_run_number(wrong)), "run") << wrong;
  }
}

TEST(RequestsTest, RangesOfListsAreBounded) {
  const auto range = decode_range("from=18446744073709551615&limit=10000");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->from, UINT64_MAX);
  EXPECT_EQ(range->limit, 10'000);
  EXPECT_EQ(decode_range("").value_or(ListRange{1, 1}).limit, 1000);
  for (const char* wrong : {"limit=0", "limit=10001", "limit=", "limit=x", "limit=-1"}) {
    EXPECT_EQ(argument_of(decode_range(wrong)), "limit") << wrong;
  }
  EXPECT_EQ(argument_of(decode_range("from=-1")), "from");
  EXPECT_EQ(argument_of(decode_range("from=1&from=2")), "from");
  EXPECT_EQ(argument_of(decode_range("page=1")), "page");
}

net::Request with_header(std::string name, std::string value) {
  net::Request request;
  request.headers.push_back({std::move(name), std::move(value)});
  return request;
}

TEST(RequestsTest, BearerTokens) {
  EXPECT_EQ(bearer_token(with_header("authorization", "Bearer abc")), "abc");
  EXPECT_EQ(bearer_token(with_header("authorization", "bearer   abc ")), "abc");
  EXPECT_EQ(bearer_token(with_header("authorization", "Basic abc")), "");
  EXPECT_EQ(bearer_token(with_header("authorization", "Bearer")), "");
  EXPECT_EQ(bearer_token(with_header("authorization", "Bearer " + std::string(201, 'x'))), "");
  EXPECT_EQ(bearer_token({}), "");
}

TEST(RequestsTest, OnlyAProxyOnThisMachineIsBelieved) {
  const auto peer = [](std::string ip, std::vector<net::Header> headers) {
    net::Request request;
    request.peer_ip = std::move(ip);
    request.headers = std::move(headers);
    return peer_of(request);
  };
  const net::Header forwarded{"x-forwarded-for", "1.2.3.4, 10.0.0.1"};
  EXPECT_EQ(peer("203.0.113.7", {forwarded}), "203.0.113.7");
  EXPECT_EQ(peer("127.0.0.1", {forwarded}), "10.0.0.1");
  EXPECT_EQ(peer("::1", {forwarded, {"x-forwarded-for", "2001:db8::1"}}), "2001:db8::1");
  EXPECT_EQ(peer("127.0.0.1", {{"x-forwarded-for", "unknown"}}), "127.0.0.1");
  EXPECT_EQ(peer("127.0.0.1", {{"x-forwarded-for", "1.2.3.4,"}}), "127.0.0.1");
  EXPECT_EQ(peer("127.0.0.1", {}), "127.0.0.1");
}

TEST(RequestsTest, Cookies) {
  const net::Request request = with_header("cookie", "a=1; session=x=y; xsession=2;session=z");
  EXPECT_EQ(cookie(request, "session"), "x=y");
  EXPECT_EQ(cookie(request, "a"), "1");
  EXPECT_EQ(cookie(request, "sess"), "");
  EXPECT_EQ(cookie({}, "session"), "");
}

TEST(RequestsTest, OnlyAFormOfThisHostIsOfTheSameOrigin) {
  const auto same = [](std::vector<net::Header> headers) {
    net::Request request;
    request.headers = std::move(headers);
    return is_same_origin(request);
  };
  EXPECT_TRUE(same({{"host", "shop.example:8080"}, {"origin", "http://shop.example:8080"}}));
  EXPECT_TRUE(same({{"host", "shop.example"}, {"origin", "https://Shop.example"}}));
  EXPECT_TRUE(same({{"host", "shop.example"}, {"sec-fetch-site", "same-origin"}}));
  EXPECT_FALSE(same({{"host", "shop.example"}, {"origin", "http://evil.example"}}));
  EXPECT_FALSE(same({{"host", "shop.example"}, {"origin", "http://shop.example.evil.example"}}));
  EXPECT_FALSE(same({{"host", "shop.example"}, {"origin", "null"}, {"sec-fetch-site", "same-origin"}}));
  EXPECT_FALSE(same({{"host", "shop.example"}, {"sec-fetch-site", "cross-site"}}));
  EXPECT_FALSE(same({{"host", "shop.example"}}));
  EXPECT_FALSE(same({{"origin", "http://"}}));
}

}  // namespace
}  // namespace souk::partner
