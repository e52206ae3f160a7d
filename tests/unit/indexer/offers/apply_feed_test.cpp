// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/apply_feed.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/unit/indexer/feed/feed_text.h"
#include "tests/unit/indexer/offers/store_fixture.h"

namespace souk::offers {
namespace {

using feed::feed_with;
using feed::offer_text;

struct FeedWorld : World {
  feed::Report read(uint32_t number, const std::string& text) {
    const std::filesystem::path path = folder.path() / "feed.xml";
    std::ofstream(path, std::ios::binary) << text;
    const auto report =
        apply_feed(*store, shop(number), {path.string(), {}, "RUB"}, [this](uint64_t done, uint64_t total) {
          EXPECT_LE(done, total);
          progress = done;
        });
    EXPECT_TRUE(report) << to_string(report.error());
    return *report;
  }
  uint64_t progress = 0;
};

TEST(ApplyFeed, PutsTheOffersIntoTheStore) {
  FeedWorld world;
  const std::string text = feed_with(offer_text("1") + offer_text("2") + offer_text("1"));
  const feed::Report report = world.read(1, text);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.shop, "shop-1");
  EXPECT_EQ(report.accepted, 2U);
  EXPECT_EQ(report.added, 2U);
  EXPECT_EQ(report.rejected, 1U);
  EXPECT_EQ(world.progress, text.size());
  EXPECT_EQ(world.all().size(), 2U);
  EXPECT_EQ(world.store->shops()->front().display_name, "Пример");
}

TEST(ApplyFeed, TheSameBytesAreNotRead) {
  FeedWorld world;
  const std::string text = feed_with(offer_text("1"));
  world.read(1, text);
  world.progress = 0;
  const feed::Report again = world.read(1, text);
  EXPECT_TRUE(again.unchanged);
  EXPECT_TRUE(again.ok());
  EXPECT_EQ(world.progress, 0U);
  EXPECT_EQ(*world.store->revision(), 1U);
  EXPECT_FALSE(world.read(1, text + "\n").unchanged);
  EXPECT_EQ(*world.store->revision(), 1U);
}

TEST(ApplyFeed, ARefusedFeedLeavesTheEarlierOffers) {
  FeedWorld world;
  world.read(1, feed_with(offer_text("1") + offer_text("2")));
  const std::string text = feed_with(offer_text("3") + offer_text("4"));
  const feed::Report report = world.read(1, text.substr(0, text.size() - 20));
  EXPECT_EQ(report.feed_error.kind, "truncated");
  EXPECT_EQ(report.added + report.removed, 0U);
  EXPECT_EQ(*world.store->revision(), 1U);
  EXPECT_TRUE((*world.store->find(1, "1")).has_value());
  EXPECT_FALSE((*world.store->find(1, "3")).has_value());
  // It is read again next time, and the good file of before counts as known.
  EXPECT_TRUE(world.read(1, feed_with(offer_text("1") + offer_text("2"))).unchanged);
}

TEST(ApplyFeed, OtherCurrenciesHaveNoRate) {
  FeedWorld world;
  std::string dollars = offer_text("2");
  dollars.replace(dollars.find("RUB"), 3, "USD");
  const feed::Report report = world.read(1, feed_with(offer_text("1") + dollars));
  EXPECT_EQ(report.accepted, 1U);
  ASSERT_EQ(feed::kinds(report.errors), std::vector<std::string>{"no_rate"});
  EXPECT_EQ(report.errors[0].id, "2");
  EXPECT_EQ(report.errors[0].line, 10U);
  EXPECT_EQ(world.read(1, feed_with(dollars)).feed_error.kind, "no_valid_offers");
  EXPECT_EQ(world.all().size(), 1U);
}

TEST(ApplyFeed, AnUnreadableFileIsTheFeedsFault) {
  FeedWorld world;
  const auto report = apply_feed(*world.store, world.shop(1), {"/nonexistent/x.xml", {}, "RUB"}, {});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->feed_error.kind, "unreadable");
  EXPECT_FALSE(report->feed_error.message.empty());
}

}  // namespace
}  // namespace souk::offers
