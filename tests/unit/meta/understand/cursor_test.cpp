// SPDX-License-Identifier: Apache-2.0
#include "meta/understand/cursor.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace souk::understand {
namespace {

Cursor make_cursor() {
  Cursor cursor{.generation = {7, 0xabcdef}, .query = 42, .description = false, .after = {}};
  cursor.after.set_order(-5);
  cursor.after.set_group(1);
  cursor.after.set_key(~uint64_t{0});
  return cursor;
}

void expect_malformed(const std::string& text) {
  const auto refused = parse_cursor(text);
  ASSERT_FALSE(refused) << text;
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused.error().argument, "cursor");
}

RC_GTEST_PROP(CursorTest, ThereAndBack,
              (uint64_t number, uint64_t hash, uint64_t query, bool description, int64_t order)) {
  Cursor cursor = make_cursor();
  cursor.generation = {number | 1, hash};
  cursor.query = query;
  cursor.description = description;
  cursor.after.set_order(order);
  const std::string text = to_text(cursor);
  RC_ASSERT(text.size() == 113U);
  RC_ASSERT(text.find_first_not_of("0123456789abcdefm") == std::string::npos);
  const auto read = parse_cursor(text);
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->generation == cursor.generation && read->query == query && read->description == description);
  RC_ASSERT(read->after.order() == order && read->after.group() == 1U && read->after.key() == ~uint64_t{0});
}

TEST(CursorTest, WhatIsChangedIsMalformed) {
  const std::string good = to_text(make_cursor());
  ASSERT_TRUE(parse_cursor(good));
  for (size_t i = 0; i < good.size(); ++i) {
    for (const char c : {'0', '1', 'd', 'm', 'A', 'g', ' ', '\0', '\xff'}) {
      std::string bad = good;
      bad[i] = c;
      if (bad != good) expect_malformed(bad);
    }
    expect_malformed(good.substr(0, i));
    expect_malformed(good.substr(i + 1));
  }
  expect_malformed(good + "0");
  expect_malformed(good + good);
}

TEST(CursorTest, ValuesThatNoAnswerHasAreMalformed) {
  Cursor cursor = make_cursor();
  cursor.generation.number = 0;
  expect_malformed(to_text(cursor));
  cursor = make_cursor();
  cursor.after.set_group(0);
  expect_malformed(to_text(cursor));
  cursor = make_cursor();
  cursor.after.set_key(0);
  expect_malformed(to_text(cursor));
}

uint64_t hash_of(const std::string& query) {
  const auto parameters = parse_parameters(query);
  EXPECT_TRUE(parameters) << query;
  return parameters ? query_hash(*parameters) : 0;
}

TEST(CursorTest, TheHashIsOfWhatDecidesTheHits) {
  std::set<uint64_t> hashes;
  const std::vector<std::string> different = {"",
                                              "text=a",
                                              "text=a&match=1",
                                              "text=a&match=2",
                                              "category=a",
                                              "vendor=a",
                                              "shop=a",
                                              "vendor=a&vendor=b",
                                              "model=1",
                                              "price_from=0",
                                              "price_to=0",
                                              "in_stock=1",
                                              "region=a",
                                              "region=a&region=b",
                                              "delivery=free",
                                              "delivery=free&delivery=pickup",
                                              "adult=0",
                                              "place=a",
                                              "place=b",
                                              "param.a=b",
                                              "param.b=a",
                                              "param.a=b&param.b=a",
                                              "param.a=b&param.a=a",
                                              "sort=price",
                                              "group=offer"};
  for (const std::string& query : different) EXPECT_TRUE(hashes.insert(hash_of(query)).second) << query;
  EXPECT_EQ(hash_of("vendor=a&vendor=b"), hash_of("vendor=b&vendor=a"));
  EXPECT_EQ(hash_of("region=a&delivery=free&delivery=store&region=b"),
            hash_of("delivery=store&region=b&region=a&delivery=free"));
  EXPECT_EQ(hash_of("adult=1"), hash_of(""));
  EXPECT_EQ(hash_of("param.a=1&param.b=2&param.b=3"), hash_of("param.B=3&param.a=1&param.b=2"));
  EXPECT_EQ(hash_of("sort=relevance&group=model&match=all&in_stock=0"), hash_of("")) << "defaults";
  EXPECT_EQ(hash_of("page=3&per_page=7&facets=vendor&debug=1&unknown=1"), hash_of("totals=at_least"))
      << "what does not change which hits there are";
}

}  // namespace
}  // namespace souk::understand
