// SPDX-License-Identifier: Apache-2.0
#include "core/base/ids.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/hash.h"

namespace souk {
namespace {

TEST(DocKey, PinterestsVector) {
  const DocKey key(241294492511762325U);
  EXPECT_EQ(key.slot(), 3429);
  EXPECT_EQ(static_cast<int>(key.type()), 1);
  EXPECT_EQ(key.local(), 7075733U);
  EXPECT_EQ(DocKey::make(3429, KeyType::kOffer, 7075733), key);
}

RC_GTEST_PROP(DocKey, PartsAndTextComeBack, (uint16_t slot)) {
  const uint64_t local = *rc::gen::inRange<uint64_t>(0, DocKey::kMaxLocal + 1);
  const DocKey key = DocKey::make(slot, KeyType::kModel, local);
  RC_ASSERT(key.slot() == slot);
  RC_ASSERT(key.type() == KeyType::kModel);
  RC_ASSERT(key.local() == local);
  RC_ASSERT(parse_key(to_string(key)).value() == key);
}

TEST(DocKey, RefusesWhatIsNoKey) {
  for (const char* text :
       {"", "0", "-1", "+1", " 1", "1 ", "1x", "18446744073709551616", "4611686018427387904", "１"}) {
    EXPECT_FALSE(parse_key(text)) << text;
  }
}

TEST(GenerationId, TextComesBack) {
  const GenerationId id{7, 0x00ab000000000001U};
  EXPECT_EQ(to_string(id), "7-00ab000000000001");
  EXPECT_EQ(parse_generation("7-00ab000000000001").value(), id);
  for (const char* text :
       {"", "7", "-1", "0-00ab000000000001", "7-00ab", "7-00ab00000000000g", "../7-00ab000000000001"}) {
    EXPECT_FALSE(parse_generation(text)) << text;
  }
}

TEST(Hash, KnownDigests) {
  Sha256 sha;
  sha.update("a");
  sha.update("bc");
  EXPECT_EQ(sha.hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(xxh3(std::string_view()), 0x2D06800538D394C2U);
}

}  // namespace
}  // namespace souk
