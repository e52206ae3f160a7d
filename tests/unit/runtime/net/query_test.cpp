// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "runtime/net/http.h"
#include "runtime/net/utf8.h"

namespace souk::net {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs parsed(std::string_view query, size_t max_pairs = 100) {
  const Result<std::vector<QueryPair>> result = parse_query(query, max_pairs);
  EXPECT_TRUE(result) << query;
  Pairs pairs;
  if (result) {
    for (const QueryPair& pair : *result) pairs.emplace_back(pair.name, pair.value);
  }
  return pairs;
}

Error refused(std::string_view query, size_t max_pairs = 100) {
  const Result<std::vector<QueryPair>> result = parse_query(query, max_pairs);
  EXPECT_FALSE(result) << query;
  return result ? Error{} : result.error();
}

TEST(ParseQuery, KeepsOrderAndRepeats) {
  EXPECT_EQ(parsed("vendor=a&text=x&vendor=b"), (Pairs{{"vendor", "a"}, {"text", "x"}, {"vendor", "b"}}));
}

TEST(ParseQuery, Decodes) {
  EXPECT_EQ(parsed("text=%D0%BA%D0%BE%D1%82+%2B1&param.%d1%86=%26%3D"), (Pairs{{"text", "кот +1"}, {"param.ц", "&="}}));
  EXPECT_EQ(parsed("a=b=c"), (Pairs{{"a", "b=c"}}));
}

TEST(ParseQuery, EmptyPieces) {
  EXPECT_EQ(parsed(""), Pairs{});
  EXPECT_EQ(parsed("&&"), Pairs{});
  EXPECT_EQ(parsed("a&b=&=c"), (Pairs{{"a", ""}, {"b", ""}, {"", "c"}}));
}

TEST(ParseQuery, NamesTheArgumentItRefuses) {
  EXPECT_EQ(refused("text=%zz").argument, "text");
  EXPECT_EQ(refused("ok=1&text=%d").argument, "text");
  EXPECT_EQ(refused("text=%").argument, "text");
  EXPECT_EQ(refused("text=%00").argument, "text");
  EXPECT_EQ(refused("text=%FF").argument, "text");
  EXPECT_EQ(refused("%zz=1").argument, "%zz");
  EXPECT_EQ(refused("%FF=1").argument, "%FF");
  EXPECT_EQ(refused("text=\xC3").message, "not valid UTF-8");
}

TEST(ParseQuery, BoundsTheNumberOfPairs) {
  EXPECT_EQ(parsed("a=1&b=2", 2).size(), 2U);
  const Error error = refused("a=1&b=2&c=3", 2);
  EXPECT_EQ(error.argument, "c");
  EXPECT_EQ(error.message, "more than 2 arguments");
}

TEST(ParseQuery, DoesNotRepeatAHugeName) {
  EXPECT_EQ(refused(std::string(5000, 'n') + "=%zz").argument.size(), 100U);
}

// Any Unicode text but NUL.
rc::Gen<std::string> any_text() {
  return rc::gen::map(rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(1, 0x10FFFF)),
                      [](const std::vector<uint32_t>& points) {
                        std::string text;
                        for (const uint32_t point : points) {
                          const auto tail = [&](int shift) {
                            return static_cast<char>(0x80 | ((point >> shift) & 0x3F));
                          };
                          if (point < 0x80) {
                            text += static_cast<char>(point);
                          } else if (point < 0x800) {
                            text += {static_cast<char>(0xC0 | (point >> 6)), tail(0)};
                          } else if (point >= 0xD800 && point < 0xE000) {
                            text += '?';
                          } else if (point < 0x10000) {
                            text += {static_cast<char>(0xE0 | (point >> 12)), tail(6), tail(0)};
                          } else {
                            text += {static_cast<char>(0xF0 | (point >> 18)), tail(12), tail(6), tail(0)};
                          }
                        }
                        return text;
                      });
}

RC_GTEST_PROP(ParseQuery, RoundTripsWhatPercentEncodeWrote, ()) {
  const auto pairs = *rc::gen::container<Pairs>(rc::gen::pair(any_text(), any_text()));
  std::string query;
  for (const auto& [name, value] : pairs) {
    if (!query.empty()) query += '&';
    query += percent_encode(name) + "=" + percent_encode(value);
  }
  RC_ASSERT(parsed(query, pairs.size()) == pairs);
}

RC_GTEST_PROP(ParseQuery, AnyBytesGiveValidTextOrAnError, (const std::string& query)) {
  const Result<std::vector<QueryPair>> result = parse_query(query, 10);
  if (result) {
    RC_ASSERT(result->size() <= 10U);
    for (const QueryPair& pair : *result) RC_ASSERT(is_utf8(pair.name) && is_utf8(pair.value));
  } else {
    RC_ASSERT(!result.error().message.empty());
    RC_ASSERT(is_utf8(result.error().argument));
  }
}

}  // namespace
}  // namespace souk::net
