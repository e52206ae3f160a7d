// SPDX-License-Identifier: Apache-2.0
// The smaller parts of a build: spool, names, memory plan, pipeline.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "indexer/build/memory_plan.h"
#include "indexer/build/offer_pipeline.h"
#include "indexer/build/posting_sorter.h"
#include "indexer/build/shard_spool.h"
#include "indexer/build/used_names.h"
#include "tests/unit/indexer/offers/store_fixture.h"

namespace souk::build {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

SpoolDoc spool_doc(uint32_t number) {
  SpoolDoc doc;
  doc.set_version(number);
  for (uint32_t i = 0; i < number % 50; ++i) {
    doc.add_terms(i * 1000);
    doc.mutable_masks()->push_back(static_cast<char>(i % 3 == 0 ? index::kDescriptionMask : 0x41));
    doc.add_forward(i);
  }
  // Now and then larger than what is read at once.
  if (number % 100 == 0) doc.mutable_lengths()->Resize(100'000, 300);
  for (uint32_t i = 0; i < number % 4; ++i) doc.add_params(i);
  return doc;
}

TEST(ShardSpool, DocumentsComeBackInAnyOrder) {
  const offers::TemporaryFolder folder;
  auto spool = ShardSpool::create(folder.path() / "spool");
  ASSERT_TRUE(spool) << to_string(spool.error());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "the spool has no name";
  constexpr uint32_t kDocuments = 1001;
  for (uint32_t i = 0; i < kDocuments; ++i) {
    ASSERT_TRUE(spool->add({DocKey(i / 2 + 1), DocKey(i + 1), static_cast<uint8_t>(i % 16), 0}, spool_doc(i)));
  }
  ASSERT_TRUE(spool->close());
  const auto places = spool->places();
  ASSERT_TRUE(places) << to_string(places.error());
  ASSERT_THAT(*places, SizeIs(kDocuments));
  SpoolDoc doc;
  for (uint32_t i = kDocuments; i-- > 0;) {
    const index::DocumentPlace& place = (*places)[i];
    EXPECT_EQ(place.group, DocKey(i / 2 + 1));
    EXPECT_EQ(place.key, DocKey(i + 1));
    EXPECT_EQ(place.level, i % 16);
    ASSERT_TRUE(spool->read(place, doc));
    ASSERT_EQ(doc.SerializeAsString(), spool_doc(i).SerializeAsString()) << i;
  }
}

TEST(ShardSpool, CountsWhatTheShardWillHold) {
  const offers::TemporaryFolder folder;
  auto spool = ShardSpool::create(folder.path() / "spool").value();
  ASSERT_TRUE(spool.add({DocKey(1), DocKey(1), 0, 0}, spool_doc(3)));  // masks: description, both, both
  ASSERT_TRUE(spool.add({DocKey(2), DocKey(2), 0, 0}, spool_doc(2)));
  EXPECT_EQ(spool.size().documents, 2U);
  EXPECT_EQ(spool.size().main_postings, 3U);
  EXPECT_EQ(spool.size().description_postings, 5U);
  EXPECT_EQ(spool.size().words, 5U);
  EXPECT_EQ(spool.size().params, 5U);
}

TEST(UsedNames, OrdinalsAreThoseOfTheDictionary) {
  UsedNames names;
  EXPECT_EQ(names.add_vendor("Ёлка"), 0U);
  EXPECT_EQ(names.add_vendor("Acme"), 1U);
  EXPECT_EQ(names.add_vendor("елка"), 2U);
  EXPECT_EQ(names.add_vendor("Ёлка"), 0U);
  EXPECT_EQ(names.add_param("Цвет", "белый"), 0U);
  EXPECT_EQ(names.add_param("Цвет", "Белый"), 1U);
  EXPECT_EQ(names.add_param("Вес", "белый"), 2U);
  EXPECT_EQ(names.add_param("Цвет", "белый"), 0U);
  index::DictionaryWriter dictionary;
  names.number(dictionary);
  EXPECT_EQ(dictionary.vendors(), 2U);
  EXPECT_EQ(dictionary.param_values(), 2U);
  EXPECT_EQ(names.vendor(1), 0U);
  EXPECT_EQ(names.vendor(0), 1U);
  EXPECT_EQ(names.vendor(2), 1U);
  EXPECT_EQ(names.param_value(2), 0U);
  EXPECT_EQ(names.param_value(0), 1U);
  EXPECT_EQ(names.param_value(1), 1U);
}

TEST(MemoryPlan, TwoShardsWhereTheyFitElseOneElseAnError) {
  const SharedSize shared{.terms = 1'000'000, .names = 1000, .values = 5000};
  ShardSize small;
  small.documents = 10'000;
  small.main_postings = 100'000;
  ShardSize large = small;
  large.documents = 1'000'000;
  const std::vector<ShardSize> shards{small, large};
  const uint64_t more = fixed_bytes(large, shared) - fixed_bytes(small, shared);
  const auto needed = plan_memory(uint64_t{1} << 40, shared, shards).value().needed;
  EXPECT_GT(needed, fixed_bytes(large, shared));
  const auto plenty = plan_memory(needed + fixed_bytes(large, shared) + 2000, shared, shards).value();
  EXPECT_EQ(plenty.shards_at_once, 2U);
  EXPECT_THAT(plenty.spare_bytes, ElementsAre(more + 1000, 1000));
  const auto least = plan_memory(needed, shared, shards).value();
  EXPECT_EQ(least.shards_at_once, 1U);
  EXPECT_THAT(least.spare_bytes, ElementsAre(more, 0));
  EXPECT_EQ(least.needed, needed);
  const auto none = plan_memory(needed - 1, shared, shards);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(plan_memory(8 * needed, shared, std::span(shards).first(1)).value().shards_at_once, 1U);
}

class OfferPipelineTest : public ::testing::Test {
 protected:
  OfferPipelineTest() {
    offers::Shop& shop = shops_[1];
    shop.number = 1;
    shop.key = DocKey(5);
    shop.name = "shop";
    shop.display_name = "Shop";
  }
  static offers::StoredOffer offer(uint64_t number) {
    offers::StoredOffer stored;
    stored.key = DocKey(number);
    stored.shop = 1;
    stored.offer = offers::make_offer(std::to_string(number), "Lamp " + std::to_string(number));
    // Batches are of different cost, so that later ones are ready before earlier ones.
    stored.offer.description = std::string(number % 300 == 0 ? 200'000 : 0, 'x');
    return stored;
  }
  OfferPipeline::Shops shops_;
};

TEST_F(OfferPipelineTest, HandsOnInTheOrderOfComing) {
  uint64_t next = 1;
  OfferPipeline pipeline(shops_, 3, [&](const PreparedOffer& prepared) -> Status {
    EXPECT_EQ(prepared.stored.key, DocKey(next));
    EXPECT_EQ(prepared.text.terms.at(1), std::to_string(next));
    EXPECT_FALSE(prepared.snippet.bytes.empty());
    ++next;
    return {};
  });
  for (uint64_t number = 1; number <= 2000; ++number) ASSERT_TRUE(pipeline.add(offer(number)));
  EXPECT_LT(next, 2001U);
  ASSERT_TRUE(pipeline.finish());
  EXPECT_EQ(next, 2001U);
}

TEST_F(OfferPipelineTest, AFailureEndsIt) {
  uint64_t seen = 0;
  OfferPipeline pipeline(shops_, 2, [&](const PreparedOffer& /*offer*/) -> Status {
    if (++seen == 100) return fail(ErrorCode::kUnavailable, "no room");
    return {};
  });
  Status done;
  uint64_t added = 0;
  while (done && added < 100'000) done = pipeline.add(offer(++added));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "no room");
  EXPECT_EQ(seen, 100U);
  EXPECT_LT(added, 1000U) << "only so many offers are under way";
}

TEST_F(OfferPipelineTest, AnOfferOfNoShopIsCorruption) {
  OfferPipeline pipeline(shops_, 1, [](const PreparedOffer& /*offer*/) { return Status{}; });
  offers::StoredOffer stranger = offer(1);
  stranger.shop = 2;
  const Status done = pipeline.add(stranger);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kCorruption);
}

}  // namespace
}  // namespace souk::build
