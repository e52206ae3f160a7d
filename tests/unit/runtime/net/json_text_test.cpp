// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/json_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <limits>

namespace souk::net {
namespace {

namespace json = boost::json;

TEST(JsonText, PrintsPlainDecimals) {
  EXPECT_EQ(to_text(1299.5), "1299.5");
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(1e21), "1000000000000000000000");
  EXPECT_EQ(to_text(2.0), "2");
  EXPECT_EQ(to_text(-0.000001), "-0.000001");
  EXPECT_EQ(to_text(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(to_text(std::numeric_limits<uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(to_text(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(to_text(std::nan("")), "null");
  EXPECT_EQ(to_text(std::numeric_limits<double>::denorm_min()).size(), 326U);
  EXPECT_EQ(to_text(-std::numeric_limits<double>::max()).size(), 310U);
}

TEST(JsonText, KeepsOrderAndEscapes) {
  const json::value value = {{"z", {1, true, nullptr, json::array{}, json::object{}}}, {"a\n", "\"кот\"\x01"}};
  EXPECT_EQ(to_text(value), "{\"z\":[1,true,null,[],{}],\"a\\n\":\"\\\"кот\\\"\\u0001\"}");
}

TEST(JsonText, IndentsForPeople) {
  const json::value value = {{"a", {1, 2}}, {"b", json::object{}}};
  EXPECT_EQ(to_pretty_text(value), "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}");
}

TEST(JsonText, DeepValuesNeedNoStack) {
  json::value value = 1;
  for (int i = 0; i < 1000; ++i) value = json::array{std::move(value)};
  EXPECT_EQ(to_text(value), std::string(1000, '[') + "1" + std::string(1000, ']'));
}

RC_GTEST_PROP(JsonText, DoublesReadBackExactly, (double number)) {
  RC_PRE(std::isfinite(number));
  const std::string text = to_text(number);
  RC_ASSERT(text.find_first_of("eE") == std::string::npos);
  RC_ASSERT(std::stod(text) == number);
}

}  // namespace
}  // namespace souk::net
