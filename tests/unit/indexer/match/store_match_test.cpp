// SPDX-License-Identifier: Apache-2.0
// Matching over the store on the disk.
#include <gtest/gtest.h>

#include "indexer/match/match_models.h"
#include "tests/unit/indexer/match/barcodes.h"
#include "tests/unit/indexer/offers/store_fixture.h"

namespace souk::match {
namespace {

using offers::must;

class StoreMatchTest : public ::testing::Test {
 protected:
  static feed::Offer sold(const std::string& id, std::vector<std::string> barcodes, const std::string& code = {}) {
    feed::Offer offer = offers::make_offer(id);
    offer.barcodes = std::move(barcodes);
    offer.vendor = "Норвик";
    offer.vendor_code = code;
    return offer;
  }
  MatchResult match() { return must(match_models(*world_.store, {})); }
  offers::StoredOffer find(uint32_t shop, const std::string& id) { return must(world_.store->find(shop, id)).value(); }

  offers::World world_;
};

TEST_F(StoreMatchTest, LinksOutliveFeedsAndRestarts) {
  world_.apply(world_.shop(1), {sold("1", {kPen}), sold("2", {}, "LX-1000")});
  world_.apply(world_.shop(2), {sold("1", {kPen}), sold("2", {}, "lx 1000"), sold("3", {})});
  const MatchResult first = match();
  EXPECT_EQ(first.offers, 5U);
  EXPECT_EQ(first.models, 2U);
  EXPECT_EQ(first.relinked, 4U);
  const DocKey pen = find(1, "1").model;
  EXPECT_EQ(find(2, "1").model, pen);
  EXPECT_EQ(find(2, "2").link, (offers::LinkReason{offers::LinkReason::Kind::kVendorCode, "норвик lx1000"}));
  EXPECT_FALSE(find(2, "3").model);

  const uint64_t revision = must(world_.store->revision());
  world_.reopen();
  EXPECT_EQ(match().relinked, 0U);
  EXPECT_EQ(must(world_.store->revision()), revision);

  world_.apply(world_.shop(1), {sold("2", {}, "LX-1000")}, "h2");
  match();
  world_.apply(world_.shop(1), {sold("1", {kPen}), sold("2", {}, "LX-1000")}, "h3");
  EXPECT_EQ(match().relinked, 0U) << "a tombstone keeps its link";
  EXPECT_EQ(find(1, "1").model, pen);
}

TEST_F(StoreMatchTest, MergedModelsKeepTheOlderKey) {
  world_.apply(world_.shop(1), {sold("1", {kPen})});
  match();
  world_.apply(world_.shop(2), {sold("1", {kCpu})});
  match();
  const DocKey older = find(1, "1").model;
  ASSERT_NE(find(2, "1").model, older);
  world_.apply(world_.shop(3), {sold("1", {kPen, kCpu})});
  EXPECT_EQ(match().merged, 1U);
  EXPECT_EQ(find(2, "1").model, older);
  EXPECT_EQ(find(3, "1").model, older);
  EXPECT_EQ(must(world_.store->models()).size(), 2U);
}

}  // namespace
}  // namespace souk::match
