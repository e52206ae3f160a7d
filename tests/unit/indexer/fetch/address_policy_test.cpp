// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "indexer/fetch/fetcher.h"

namespace souk::fetch {
namespace {

TEST(PublicAddress, ThoseOfTheInternetAre) {
  for (const char* address : {"1.1.1.1",         "8.8.8.8",
                              "9.255.255.255",   "11.0.0.0",
                              "77.88.55.242",    "100.63.255.255",
                              "100.128.0.0",     "126.255.255.255",
                              "128.0.0.0",       "169.253.255.255",
                              "169.255.0.0",     "172.15.255.255",
                              "172.32.0.0",      "192.0.1.0",
                              "192.167.255.255", "192.169.0.0",
                              "198.17.255.255",  "198.20.0.0",
                              "223.255.255.255", "2606:4700:4700::1111",
                              "2a02:6b8::2:242", "2001:4860:4860::8888",
                              "2000::1",         "3ffe::1",
                              "::ffff:8.8.8.8",  "64:ff9b::8.8.8.8",
                              "2002:808:808::1", "2001:0:808:808::f7f7:f7f7"}) {
    EXPECT_TRUE(is_public_address(address)) << address;
  }
}

TEST(PublicAddress, AllOthersAreNot) {
  for (const char* address : {"0.0.0.0",
                              "0.1.2.3",
                              "10.0.0.0",
                              "10.255.255.255",
                              "100.64.0.0",
                              "100.127.255.255",
                              "127.0.0.1",
                              "127.255.255.255",
                              "169.254.0.0",
                              "169.254.169.254",
                              "172.16.0.0",
                              "172.31.255.255",
                              "192.0.0.1",
                              "192.0.2.1",
                              "192.88.99.1",
                              "192.168.0.0",
                              "192.168.255.255",
                              "198.18.0.0",
                              "198.19.255.255",
                              "198.51.100.1",
                              "203.0.113.1",
                              "224.0.0.1",
                              "239.255.255.255",
                              "240.0.0.1",
                              "255.255.255.255",
                              "::",
                              "::1",
                              "::2",
                              "::7f00:1",
                              "::8.8.8.8",
                              "::ffff:127.0.0.1",
                              "::ffff:10.0.0.1",
                              "::ffff:0:8.8.8.8",
                              "64:ff9b::127.0.0.1",
                              "64:ff9b::a9fe:a9fe",
                              "64:ff9b:1::8.8.8.8",
                              "100::1",
                              "2001:0:a00:1::f7f7:f7f7",
                              "2001:0:808:808::80ff:fffe",
                              "2001:2::1",
                              "2001:10::1",
                              "2001:20::1",
                              "2001:1ff::1",
                              "2001:db8::1",
                              "2002:7f00:1::1",
                              "2002:c0a8:101::1",
                              "3fff::1",
                              "4000::1",
                              "5f00::1",
                              "fc00::1",
                              "fdff::1",
                              "fe80::1",
                              "fe80::1%lo",
                              "fec0::1",
                              "ff02::1"}) {
    EXPECT_FALSE(is_public_address(address)) << address;
  }
}

TEST(PublicAddress, OnlyAddressesAreAddresses) {
  for (const char* text : {"", " 8.8.8.8", "8.8.8.8 ", "8.8.8", "8.8.8.8.8", "0x08080808", "134744072", "8.8.8.256",
                           "[2a02:6b8::1]", "a.example", "2a02:6b8:::1", "::ffff:8.8.8"}) {
    EXPECT_FALSE(is_public_address(text)) << text;
  }
}

RC_GTEST_PROP(PublicAddress, EveryFormOfAnIpv4AddressIsJudgedAsItself, ()) {
  // Near the borders of the blocks more often than at random.
  const auto a = *rc::gen::oneOf(rc::gen::arbitrary<uint8_t>(),
                                 rc::gen::element<uint8_t>(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 240, 255));
  const auto b = *rc::gen::oneOf(rc::gen::arbitrary<uint8_t>(), rc::gen::element<uint8_t>(0, 64, 254, 16, 168, 18, 88));
  const auto c = *rc::gen::arbitrary<uint8_t>();
  const auto d = *rc::gen::arbitrary<uint8_t>();
  const std::string dotted = fmt::format("{}.{}.{}.{}", a, b, c, d);
  const bool expected = is_public_address(dotted);
  RC_ASSERT(is_public_address("::ffff:" + dotted) == expected);
  RC_ASSERT(is_public_address("64:ff9b::" + dotted) == expected);
  RC_ASSERT(is_public_address(fmt::format("2002:{:02x}{:02x}:{:02x}{:02x}::1", a, b, c, d)) == expected);
  RC_ASSERT(is_public_address(fmt::format("2001:0:{:02x}{:02x}:{:02x}{:02x}::f7f7:f7f7", a, b, c, d)) == expected);
  RC_ASSERT(is_public_address(fmt::format("2001:0:808:808::{:02x}{:02x}:{:02x}{:02x}", a ^ 255, b ^ 255, c ^ 255,
                                          d ^ 255)) == expected);
  RC_ASSERT(!is_public_address("::" + dotted));
}

RC_GTEST_PROP(PublicAddress, OfIpv6OnlyGlobalUnicastAndWrappedIpv4, ()) {
  const auto words = *rc::gen::container<std::array<uint16_t, 8>>(rc::gen::arbitrary<uint16_t>());
  std::string text;
  for (const uint16_t word : words) text += fmt::format("{}{:x}", text.empty() ? "" : ":", word);
  if (is_public_address(text)) {
    RC_ASSERT((words[0] >> 13) == 1 || words[0] == 0x64 || (words[0] == 0 && words[5] == 0xFFFF));
  }
}

}  // namespace
}  // namespace souk::fetch
