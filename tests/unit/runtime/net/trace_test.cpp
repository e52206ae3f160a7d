// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/trace.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <regex>

namespace souk::net {
namespace {

constexpr std::string_view kGood = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

TEST(Traceparent, KeepsTheTraceAndItsFlagsAndIsANewParent) {
  EXPECT_EQ(next_traceparent(kGood, 1, 2, 0xAB), "00-0af7651916cd43dd8448eb211c80319c-00000000000000ab-01");
}

TEST(Traceparent, BeginsOneThatIsNotSampled) {
  EXPECT_EQ(next_traceparent("", 0x11, 0x22, 0x33), "00-00000000000000110000000000000022-0000000000000033-00");
}

TEST(Traceparent, IdsAreNeverZero) {
  EXPECT_EQ(next_traceparent("", 0, 0, 0), "00-00000000000000010000000000000000-0000000000000001-00");
  EXPECT_EQ(next_traceparent(kGood, 0, 0, 0), "00-0af7651916cd43dd8448eb211c80319c-0000000000000001-01");
}

TEST(Traceparent, WhatIsMalformedIsNotPassedOn) {
  const std::string bad[] = {
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-011",
      "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      "00-00000000000000000000000000000000-b7ad6b7169203331-01",
      "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
      "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
      "00-0af7651916cd43dd8448eb211c80319g-b7ad6b7169203331-01",
      "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-zz",
      " " + std::string(kGood.substr(0, 54)),
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333\n-01",
      std::string(55, '-'),
      std::string(100'000, 'a'),
  };
  for (const std::string& text : bad) {
    EXPECT_EQ(next_traceparent(text, 0x11, 0x22, 0x33), next_traceparent("", 0x11, 0x22, 0x33)) << text.substr(0, 80);
  }
}

RC_GTEST_PROP(TraceparentProperty, IsAlwaysWellFormed, (const std::string& noise)) {
  const std::regex form("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
  // Some valid, most nearly so.
  std::string received(kGood);
  const size_t at = *rc::gen::inRange<size_t>(0, received.size());
  received.replace(at, *rc::gen::inRange<size_t>(0, 3), noise.substr(0, *rc::gen::inRange<size_t>(0, 3)));
  const auto next = next_traceparent(received, *rc::gen::arbitrary<uint64_t>(), *rc::gen::arbitrary<uint64_t>(),
                                     *rc::gen::arbitrary<uint64_t>());
  RC_ASSERT(std::regex_match(next, form));
  // Taken as it is or not at all: the next hop takes ours.
  RC_ASSERT(next_traceparent(next, 1, 2, 3).substr(3, 32) == next.substr(3, 32));
}

}  // namespace
}  // namespace souk::net
