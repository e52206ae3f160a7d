// SPDX-License-Identifier: Apache-2.0
#include "indexer/ingest/feed_argument.h"

#include <gtest/gtest.h>

namespace souk::ingest {
namespace {

std::string parsed(const std::string& argument) {
  const auto feeds = parse_feed_arguments({argument});
  return feeds ? feeds->front().shop + " <- " + feeds->front().source : std::string("error");
}

TEST(FeedArgument, NamesTheShop) {
  EXPECT_EQ(parsed("/a/b/shop-1.yml.gz"), "shop-1 <- /a/b/shop-1.yml.gz");
  EXPECT_EQ(parsed("feed.xml"), "feed <- feed.xml");
  EXPECT_EQ(parsed("v1.2.yml"), "v1.2 <- v1.2.yml");
  EXPECT_EQ(parsed(".yml"), "error");
  EXPECT_EQ(parsed("Мой магазин=/a/b=c.yml"), "Мой магазин <- /a/b=c.yml");
  EXPECT_EQ(parsed("/a=b/c.yml"), "c <- /a=b/c.yml");
  EXPECT_EQ(parsed("a=b.yml"), "a <- b.yml");
  for (const char* bad : {"", "=x.yml", "a=", "/a/", "..=x.yml"}) EXPECT_EQ(parsed(bad), "error") << bad;
}

TEST(FeedArgument, RefusesTwoFeedsOfOneShop) {
  const auto feeds = parse_feed_arguments({"a.yml", "b.yml", "a=c.yml"});
  ASSERT_FALSE(feeds);
  EXPECT_EQ(feeds.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(feeds.error().argument, "a=c.yml");
}

}  // namespace
}  // namespace souk::ingest
