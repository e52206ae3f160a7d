// SPDX-License-Identifier: Apache-2.0
// A feed that was read, against a real catalogue: taken, refused, held, released.
#include "indexer/ingest/take_feed.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "indexer/sandbox/offer_file.h"
#include "runtime/testing/fake_clock.h"
#include "tests/world/temporary_folder.h"

namespace souk::ingest {
namespace {

using Outcome = FeedRun::Outcome;

feed::Offer offer(int id, int64_t price = 10'000, const std::string& currency = "RUB") {
  feed::Offer offer;
  offer.line = static_cast<uint64_t>(10 + id);
  offer.id = std::to_string(id);
  offer.type = "simplified";
  offer.name = "Лампа " + offer.id;
  offer.currency = currency;
  offer.category_id = "2";
  offer.category_path = {"Дом", "Лампы"};
  offer.price = price;
  return offer;
}

std::vector<feed::Offer> offers_from(int first, int last, int64_t price = 10'000) {
  std::vector<feed::Offer> offers;
  for (int id = first; id <= last; ++id) offers.push_back(offer(id, price));
  return offers;
}

class TakeFeed : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = offers::open_rocksdb_store((folder_.path() / "offers").string(), clock_);
    ASSERT_TRUE(opened) << to_string(opened.error());
    store_ = std::move(*opened);
    ASSERT_TRUE(store_->put_shop(1, "north"));
  }

  offers::Shop shop() { return **store_->find_shop("north"); }

  // fingerprint: of the feed's bytes.
  FeedRun take(const std::vector<feed::Offer>& offers, const std::string& fingerprint, RunTally tally = {1000, 0}) {
    ReadFeed read;
    read.fingerprint = fingerprint;
    read.offers = *make_work_file((folder_.path() / "work").string());
    const int file = ::open(read.offers.path().c_str(), O_WRONLY | O_CLOEXEC);
    {
      sandbox::OfferFileWriter writer(file);
      for (const feed::Offer& each : offers) EXPECT_TRUE(writer.write(each));
      EXPECT_TRUE(writer.finish());
    }
    ::close(file);
    read.header.shop_name = "Север";
    read.report.shop = "north";
    read.report.accepted = offers.size();
    read.report.unchanged = fingerprint == shop().feed_hash;
    auto run = take_feed(*store_, shop(), std::move(read), market_, clock_, tally);
    EXPECT_TRUE(run) << to_string(run.error());
    return *run;
  }

  testing::FakeClock clock_{1000};
  world::TemporaryFolder folder_;
  config::Market market_;
  std::unique_ptr<offers::OfferStore> store_;
};

TEST_F(TakeFeed, MakesItTheShopsOffers) {
  const FeedRun run = take(offers_from(1, 10), "a");
  EXPECT_EQ(run.outcome, Outcome::kIngested);
  EXPECT_EQ(run.report.added, 10U);
  EXPECT_EQ(*store_->offers(), 10U);
  EXPECT_EQ(shop().feed_hash, "a");
  EXPECT_EQ(shop().display_name, "Север");
  EXPECT_EQ(take(offers_from(1, 10), "a").outcome, Outcome::kUnchanged);
}

TEST_F(TakeFeed, OffersWithoutARateAreRejected) {
  auto offers = offers_from(1, 2);
  offers.push_back(offer(3, 100, "USD"));
  const FeedRun run = take(offers, "a");
  EXPECT_EQ(run.outcome, Outcome::kIngested);
  EXPECT_EQ(run.report.accepted, 2U);
  ASSERT_EQ(run.report.errors.size(), 1U);
  EXPECT_EQ(run.report.errors[0].kind, "no_rate");
  EXPECT_EQ(run.report.errors[0].id, "3");
  market_.rates.emplace("USD", config::ExchangeRate(90 * config::ExchangeRate::kOne));
  EXPECT_EQ(take(offers, "b").report.accepted, 3U);
}

TEST_F(TakeFeed, WithoutAnyGoodOfferItIsRefused) {
  ASSERT_EQ(take(offers_from(1, 3), "a").outcome, Outcome::kIngested);
  const FeedRun run = take({offer(1, 100, "USD")}, "b");
  EXPECT_EQ(run.outcome, Outcome::kRefused);
  EXPECT_EQ(run.report.feed_error.kind, "no_valid_offers");
  EXPECT_EQ(*store_->offers(), 3U);
}

TEST_F(TakeFeed, AShopThatShrinksIsHeldUntilReleased) {
  ASSERT_EQ(take(offers_from(1, 10), "a").outcome, Outcome::kIngested);
  const uint64_t revision = *store_->revision();
  const FeedRun held = take(offers_from(1, 6), "b");
  EXPECT_EQ(held.outcome, Outcome::kHeld);
  EXPECT_THAT(held.note, ::testing::HasSubstr("4 of the shop's 10 offers"));
  EXPECT_EQ(*store_->offers(), 10U);
  EXPECT_EQ(*store_->revision(), revision);
  EXPECT_EQ(shop().state.hold.reason, "shop_shrinks");
  EXPECT_EQ(shop().state.hold.since, 1000);

  clock_.advance(std::chrono::hours(1));
  EXPECT_EQ(take(offers_from(1, 6), "b").outcome, Outcome::kHeld);
  EXPECT_EQ(shop().state.hold.since, 1000);  // still the same feed

  offers::FeedState state = shop().state;
  state.hold.released = true;
  ASSERT_TRUE(store_->save_state(1, state));
  EXPECT_EQ(take(offers_from(1, 5), "c").outcome, Outcome::kHeld);  // another feed than the released one
  EXPECT_FALSE(shop().state.hold.released);

  EXPECT_EQ(take(offers_from(1, 6), "b").outcome, Outcome::kHeld);
  state = shop().state;
  state.hold.released = true;
  ASSERT_TRUE(store_->save_state(1, state));
  const FeedRun passed = take(offers_from(1, 6), "b");
  EXPECT_EQ(passed.outcome, Outcome::kIngested);
  EXPECT_THAT(passed.note, ::testing::HasSubstr("let pass by a person"));
  EXPECT_EQ(*store_->offers(), 6U);
  EXPECT_EQ(shop().state.hold.reason, "");
}

TEST_F(TakeFeed, TheNextGoodFeedEndsAHold) {
  ASSERT_EQ(take(offers_from(1, 10), "a").outcome, Outcome::kIngested);
  ASSERT_EQ(take(offers_from(1, 2), "b").outcome, Outcome::kHeld);
  EXPECT_EQ(take(offers_from(1, 11), "c").outcome, Outcome::kIngested);
  EXPECT_EQ(shop().state.hold.reason, "");
  ASSERT_EQ(take(offers_from(1, 2), "b").outcome, Outcome::kHeld);
  EXPECT_EQ(take(offers_from(1, 11), "c").outcome, Outcome::kUnchanged);  // it is what the catalogue has
  EXPECT_EQ(shop().state.hold.reason, "");
}

TEST_F(TakeFeed, PricesThatJumpAreHeld) {
  ASSERT_EQ(take(offers_from(1, 10), "a").outcome, Outcome::kIngested);
  EXPECT_EQ(take(offers_from(1, 10, 100'000), "b").outcome, Outcome::kIngested);  // tenfold, not more
  const FeedRun held = take(offers_from(1, 10, 1'000), "c");
  EXPECT_EQ(held.outcome, Outcome::kHeld);
  EXPECT_EQ(shop().state.hold.reason, "prices_jump");
}

TEST_F(TakeFeed, ARunCannotEmptyTheCatalogue) {
  ASSERT_EQ(take(offers_from(1, 100), "a").outcome, Outcome::kIngested);
  const FeedRun held = take(offers_from(1, 90), "b", {1000, 45});
  EXPECT_EQ(held.outcome, Outcome::kHeld);
  EXPECT_EQ(shop().state.hold.reason, "catalogue_shrinks");
  EXPECT_EQ(take(offers_from(1, 90), "b", {1000, 40}).outcome, Outcome::kIngested);
}

}  // namespace
}  // namespace souk::ingest
