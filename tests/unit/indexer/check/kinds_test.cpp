// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/kinds.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace souk::feed {
namespace {

TEST(Kinds, AreFoundByName) {
  const Kind* kind = find_kind("missing_price");
  ASSERT_NE(kind, nullptr);
  EXPECT_EQ(kind->severity, Severity::kOffer);
  EXPECT_FALSE(kind->lenient_warning);
  EXPECT_TRUE(find_kind("unknown_category")->lenient_warning);
  EXPECT_EQ(find_kind("http_404"), find_kind("http_503"));
  EXPECT_EQ(find_kind("http_404")->name, "http_NNN");
  for (const char* none : {"", "http_", "http_4O4", "http_4040", "missing"})
    EXPECT_EQ(find_kind(none), nullptr) << none;
}

TEST(Kinds, AreExplainedInOneSentenceEach) {
  for (const Kind& kind : all_kinds()) {
    EXPECT_EQ(find_kind(kind.name), &kind) << "twice: " << kind.name;
    for (const std::string_view text : {kind.english, kind.russian}) {
      EXPECT_TRUE(text.ends_with('.')) << kind.name;
      EXPECT_EQ(std::ranges::count(text, '\n'), 0);
    }
    EXPECT_TRUE(std::ranges::all_of(kind.english, [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
    EXPECT_TRUE(std::ranges::any_of(kind.russian, [](char c) { return static_cast<unsigned char>(c) == 0xD0; }));
  }
}

}  // namespace
}  // namespace souk::feed
