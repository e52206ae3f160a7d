// SPDX-License-Identifier: Apache-2.0
#include "indexer/input/unpack.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zlib.h>

#include "tests/unit/indexer/input/stream.h"

namespace souk::input {
namespace {

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Passed unpack(std::string_view bytes, size_t block = std::string_view::npos, uint64_t max_bytes = 1 << 30) {
  Passed passed;
  Unpacker unpacker(max_bytes, passed.sink(), passed.fault);
  passed.good = push_all(unpacker, bytes, block);
  return passed;
}

TEST(Unpacker, PassesPlainBytesOn) {
  for (const std::string bytes : {"", "a", "ab", "<?xml version='1.0'?>", "\x1f", "\x8b\x1f"}) {
    for (const size_t block : {std::string::npos, size_t{1}}) {
      const Passed passed = unpack(bytes, block);
      EXPECT_TRUE(passed.good);
      EXPECT_EQ(passed.text, bytes);
    }
  }
}

TEST(Unpacker, MembersAreOneStream) {
  const std::string packed = gzip("one, ") + gzip("") + gzip("two");
  for (const size_t block : {std::string::npos, size_t{1}}) EXPECT_EQ(unpack(packed, block).text, "one, two");
}

RC_GTEST_PROP(UnpackerProperty, WhatIsPackedIsUnpacked, (const std::string& bytes)) {
  const size_t block = *rc::gen::inRange<size_t>(1, 100);
  const std::string packed = gzip(bytes);
  RC_ASSERT(unpack(packed, block).good);
  RC_ASSERT(unpack(packed, block).text == bytes);
  const Passed cut = unpack(packed.substr(0, *rc::gen::inRange<size_t>(2, packed.size())), block);
  RC_ASSERT(!cut.good);
  RC_ASSERT(cut.fault.kind == "truncated_gzip");
}

TEST(Unpacker, RefusesDamage) {
  std::string packed = gzip(std::string(1000, 'x'));
  EXPECT_EQ(unpack(packed + "junk").fault.kind, "bad_gzip");
  packed[packed.size() - 5] ^= 1;  // the checksum
  EXPECT_EQ(unpack(packed).fault.kind, "bad_gzip");
}

TEST(Unpacker, KeepsTheLimits) {
  EXPECT_TRUE(unpack("12345678", 3, 8).good);
  EXPECT_EQ(unpack("123456789", 3, 8).fault.kind, "size_limit");
  EXPECT_EQ(unpack(gzip("123456789"), 3, 8).fault.kind, "size_limit");
  // Up to 1 MiB any ratio goes.
  EXPECT_TRUE(unpack(gzip(std::string(1 << 20, ' '))).good);
  const Passed bomb = unpack(gzip(std::string(64 << 20, ' ')));
  EXPECT_EQ(bomb.fault.kind, "size_limit");
  EXPECT_LT(bomb.text.size(), 40U << 20);
}

// What is refused for its text is still found to be a bomb, if it is one.
TEST(Unpacker, ABombIsGraverThanItsText) {
  const auto refuse = [](const std::string& packed) {
    Fault fault;
    size_t calls = 0;
    Unpacker unpacker(
        1 << 30,
        [&](std::string_view) {
          ++calls;
          fault = {"not_a_feed", 1, "x"};
          return false;
        },
        fault);
    EXPECT_FALSE(unpacker.push(packed) && unpacker.finish());
    EXPECT_EQ(calls, 1U);
    return fault.kind;
  };
  EXPECT_EQ(refuse(gzip(std::string(64 << 20, ' '))), "size_limit");
  EXPECT_EQ(refuse(gzip(std::string(1 << 20, ' '))), "not_a_feed");
  EXPECT_EQ(refuse(gzip("short")), "not_a_feed");
  EXPECT_EQ(refuse(gzip("short").substr(0, 15)), "not_a_feed");
  EXPECT_EQ(refuse(gzip("short") + "junk"), "not_a_feed");
  EXPECT_EQ(refuse("plain"), "not_a_feed");
}

}  // namespace
}  // namespace souk::input
