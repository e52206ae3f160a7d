// SPDX-License-Identifier: Apache-2.0
#include "core/merge/merge.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "core/index/currency_code.h"
#include "tests/unit/core/world.h"

namespace souk::merge {
namespace {

using test::World;

class Replies : public testing::Test {
 protected:
  Replies() {
    world_.add_text(request_, "кот");
    request_.set_explain(true);
    request_.set_limit(3);
    request_.set_shard(1);
    request_.add_facets()->set_kind(wire::FACET_SHOP);
    request_.add_facets()->set_kind(wire::FACET_PRICE);
    reply_ = world_.replies(request_).value().front();
  }

  Status check(const std::function<void(wire::ShardReply&)>& change) const {
    wire::ShardReply changed = reply_;
    change(changed);
    return check_reply(request_, changed);
  }
  ErrorCode refused(const std::function<void(wire::ShardReply&)>& change) const {
    const Status checked = check(change);
    EXPECT_FALSE(checked.has_value());
    return checked ? ErrorCode::kInternal : checked.error().code;
  }

  World world_{{{.id = 1, .title = "кот", .price = 100},
                {.id = 2, .title = "кот кот", .shop = 2, .price = 200},
                {.id = 3, .title = "кот и мышь", .shop = 3, .price = 300},
                {.id = 4, .title = "мышь", .price = 400}},
               1};
  wire::ShardRequest request_ = world_.request();
  wire::ShardReply reply_;
};

TEST_F(Replies, AnHonestReplyPasses) {
  EXPECT_TRUE(check([](auto&) {}).has_value());
  EXPECT_EQ(reply_.hits().keys_size(), 3);
}

TEST_F(Replies, OfAnotherGenerationOrShard) {
  EXPECT_EQ(refused([](auto& r) { r.set_generation_number(8); }), ErrorCode::kVersionMismatch);
  EXPECT_EQ(refused([](auto& r) { r.set_generation_hash(1); }), ErrorCode::kVersionMismatch);
  EXPECT_EQ(refused([](auto& r) { r.set_shard(2); }), ErrorCode::kVersionMismatch);
  EXPECT_EQ(refused([](auto& r) { r.Clear(); }), ErrorCode::kVersionMismatch);
}

TEST_F(Replies, ColumnsOfDifferentLengths) {
  using Hits = wire::Hits;
  const std::function<void(Hits&)> longer[] = {
      [](Hits& h) { h.add_keys(9); },        [](Hits& h) { h.add_groups(9); },      [](Hits& h) { h.add_versions(9); },
      [](Hits& h) { h.add_order(-9); },      [](Hits& h) { h.add_scores(9); },      [](Hits& h) { h.add_prices(9); },
      [](Hits& h) { h.add_old_prices(9); },  [](Hits& h) { h.add_in_stock(true); }, [](Hits& h) { h.add_shops(9); },
      [](Hits& h) { h.add_price_min(9); },   [](Hits& h) { h.add_price_max(9); },   [](Hits& h) { h.add_offers(9); },
      [](Hits& h) { h.add_shop_counts(9); }, [](Hits& h) { h.add_levels(9); },      [](Hits& h) { h.add_flags(9); },
  };
  for (const auto& change : longer) {
    EXPECT_EQ(refused([&change](auto& r) { change(*r.mutable_hits()); }), ErrorCode::kCorruption);
  }
  EXPECT_EQ(refused([](auto& r) { r.clear_hits(); }), ErrorCode::kCorruption);  // its explanation is left
}

TEST_F(Replies, OwnPricesOfAllHitsOrOfNone) {
  const auto with = [this](int currencies, int prices, int old_prices, uint32_t currency) {
    return refused([=](auto& r) {
      for (int i = 0; i < currencies; ++i) r.mutable_hits()->add_own_currencies(currency);
      for (int i = 0; i < prices; ++i) r.mutable_hits()->add_own_prices(5);
      for (int i = 0; i < old_prices; ++i) r.mutable_hits()->add_own_old_prices(0);
    });
  };
  const int n = reply_.hits().keys_size();
  wire::ShardReply right = reply_;
  for (int i = 0; i < n; ++i) {
    right.mutable_hits()->add_own_currencies(i == 0 ? 0 : index::kMostCurrency);
    right.mutable_hits()->add_own_prices(i);
    right.mutable_hits()->add_own_old_prices(0);
  }
  EXPECT_TRUE(check_reply(request_, right));
  EXPECT_EQ(merge(request_, std::vector{right}).hits.back().own_price, n - 1);
  EXPECT_EQ(with(n - 1, n - 1, n - 1, 1), ErrorCode::kCorruption);
  EXPECT_EQ(with(n, n - 1, n, 1), ErrorCode::kCorruption);
  EXPECT_EQ(with(n, n, 0, 1), ErrorCode::kCorruption);
  EXPECT_EQ(with(0, n, n, 1), ErrorCode::kCorruption);
  EXPECT_EQ(with(n, n, n, index::kMostCurrency + 1), ErrorCode::kCorruption);
}

TEST_F(Replies, MoreHitsThanAskedFor) {
  wire::ShardRequest request = request_;
  request.set_limit(2);
  EXPECT_EQ(check_reply(request, reply_).error().code, ErrorCode::kCorruption);
}

TEST_F(Replies, HitsOutOfOrder) {
  EXPECT_EQ(refused([](auto& r) { r.mutable_hits()->mutable_order()->SwapElements(0, 2); }), ErrorCode::kCorruption);
  EXPECT_EQ(refused([](auto& r) {
              r.mutable_hits()->set_order(1, r.hits().order(0));
              r.mutable_hits()->set_groups(1, r.hits().groups(0));
            }),
            ErrorCode::kCorruption);
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(refused([](auto& r) { r.mutable_hits()->set_order(0, kLeast); }), ErrorCode::kCorruption);
  EXPECT_TRUE(check([](auto& r) { r.mutable_hits()->set_order(2, kLeast); }).has_value());
}

TEST_F(Replies, AKeyTwice) {
  EXPECT_EQ(refused([](auto& r) { r.mutable_hits()->set_keys(2, r.hits().keys(0)); }), ErrorCode::kCorruption);
  EXPECT_EQ(refused([](auto& r) { r.mutable_hits()->set_groups(2, r.hits().groups(0)); }), ErrorCode::kCorruption);
}

TEST_F(Replies, OffersOfOneModelWhereOffersWereAskedFor) {
  wire::ShardRequest request = request_;
  request.set_group(wire::GROUP_OFFER);
  wire::ShardReply reply = reply_;
  wire::Hits& hits = *reply.mutable_hits();
  for (int i = 0; i < 3; ++i) {
    hits.set_order(i, 5);
    hits.set_groups(i, 7);
    hits.set_keys(i, static_cast<uint64_t>(i + 1));
  }
  EXPECT_TRUE(check_reply(request, reply).has_value());
  EXPECT_EQ(check_reply(request_, reply).error().code, ErrorCode::kCorruption) << "models were asked for";
  hits.mutable_keys()->SwapElements(1, 2);
  EXPECT_EQ(check_reply(request, reply).error().code, ErrorCode::kCorruption);
  hits.set_keys(1, 3);
  EXPECT_EQ(check_reply(request, reply).error().code, ErrorCode::kCorruption) << "an offer twice";
}

TEST_F(Replies, HitsBeforeTheCursor) {
  wire::ShardRequest request = request_;
  const auto after = [&](int hit, uint64_t key) {
    request.mutable_after()->set_order(reply_.hits().order(hit));
    request.mutable_after()->set_group(reply_.hits().groups(hit));
    request.mutable_after()->set_key(key);
    return check_reply(request, reply_).has_value();
  };
  EXPECT_FALSE(after(0, 0));
  EXPECT_FALSE(after(2, 0));
  request.set_group(wire::GROUP_OFFER);
  EXPECT_FALSE(after(0, reply_.hits().keys(0)));
  EXPECT_TRUE(after(0, reply_.hits().keys(0) - 1));
  request.mutable_after()->set_order(std::numeric_limits<int64_t>::max());
  EXPECT_TRUE(check_reply(request, reply_).has_value());
  request.mutable_after()->set_order(std::numeric_limits<int64_t>::min());
  EXPECT_FALSE(check_reply(request, reply_).has_value());
}

TEST_F(Replies, OtherVariantsThanAskedFor) {
  EXPECT_EQ(refused([](auto& r) { r.add_variant_offers(1); }), ErrorCode::kCorruption);
  EXPECT_EQ(refused([](auto& r) {
              r.add_variant_offers(1);
              r.add_variant_models(1);
            }),
            ErrorCode::kCorruption);
  wire::ShardRequest request = request_;
  request.add_variants(1);
  EXPECT_EQ(check_reply(request, reply_).error().code, ErrorCode::kCorruption);
  wire::ShardReply reply = reply_;
  reply.add_variant_models(1);
  EXPECT_EQ(check_reply(request, reply).error().code, ErrorCode::kCorruption);
  reply.add_variant_offers(1);
  EXPECT_TRUE(check_reply(request, reply).has_value());
}

TEST_F(Replies, TotalsThatAreNotExact) {
  EXPECT_EQ(refused([](auto& r) { r.set_totals_at_least(true); }), ErrorCode::kCorruption);
  wire::ShardRequest request = request_;
  request.set_totals(wire::TOTALS_AT_LEAST);
  wire::ShardReply reply = reply_;
  reply.set_totals_at_least(true);
  EXPECT_TRUE(check_reply(request, reply).has_value());
}

TEST_F(Replies, OtherFacetsThanAskedFor) {
  EXPECT_EQ(refused([](auto& r) { r.clear_facets(); }), ErrorCode::kCorruption);
  EXPECT_EQ(refused([](auto& r) { r.add_facets(); }), ErrorCode::kCorruption);
  EXPECT_EQ(refused([](auto& r) { r.mutable_facets(0)->add_ordinals(1000); }), ErrorCode::kCorruption);
  EXPECT_EQ(refused([](auto& r) { r.mutable_facets(0)->add_offers(1); }), ErrorCode::kCorruption);
  EXPECT_EQ(refused([](auto& r) { r.mutable_facets(0)->add_models(1); }), ErrorCode::kCorruption);
  EXPECT_EQ(refused([](auto& r) { r.mutable_facets(0)->mutable_ordinals()->SwapElements(0, 1); }),
            ErrorCode::kCorruption);
  EXPECT_EQ(refused([](auto& r) { r.mutable_facets(0)->set_ordinals(1, r.facets(0).ordinals(0)); }),
            ErrorCode::kCorruption);
}

TEST_F(Replies, OrdinalsBeyondTheDictionary) {
  const auto names_right = [this](const std::function<void(wire::ShardReply&)>& change) {
    wire::ShardReply changed = reply_;
    change(changed);
    const Status checked = check_ordinals(request_, changed, world_.dictionary());
    EXPECT_TRUE(checked || checked.error().code == ErrorCode::kCorruption);
    return checked.has_value();
  };
  EXPECT_TRUE(names_right([](auto&) {}));
  EXPECT_FALSE(names_right([](auto& r) { r.mutable_hits()->set_shops(0, 3); }));
  EXPECT_FALSE(names_right([](auto& r) { r.mutable_facets(0)->add_ordinals(3); }));
  EXPECT_FALSE(names_right([](auto& r) { r.mutable_facets(0)->add_ordinals(index::kNoOrdinal); }));
  EXPECT_FALSE(names_right([](auto& r) { r.mutable_facets(1)->add_ordinals(0); }));  // a price has no values
  EXPECT_FALSE(names_right([](auto& r) { r.clear_facets(); }));
}

TEST_F(Replies, OrdinalsOfAnotherParam) {
  wire::ShardRequest request = request_;
  wire::Facet& facet = *request.mutable_facets(0);
  facet.set_kind(wire::FACET_PARAM);
  facet.mutable_param()->set_begin(1);
  facet.mutable_param()->set_end(3);
  wire::ShardReply reply = reply_;
  reply.mutable_facets(0)->clear_ordinals();
  for (const uint32_t ordinal : {1U, 2U}) reply.mutable_facets(0)->add_ordinals(ordinal);
  EXPECT_TRUE(check_ordinals(request, reply, world_.dictionary()));
  reply.mutable_facets(0)->set_ordinals(0, 0);
  EXPECT_FALSE(check_ordinals(request, reply, world_.dictionary()));
  reply.mutable_facets(0)->set_ordinals(0, 3);
  EXPECT_FALSE(check_ordinals(request, reply, world_.dictionary()));
}

TEST_F(Replies, AnExplanationOfAnotherLength) {
  EXPECT_EQ(refused([](auto& r) { r.mutable_explain()->add_impacts(1); }), ErrorCode::kCorruption);
  EXPECT_EQ(refused([](auto& r) { r.mutable_explain()->clear_field_masks(); }), ErrorCode::kCorruption);
  EXPECT_EQ(refused([](auto& r) { r.clear_explain(); }), ErrorCode::kCorruption);  // it was asked for
  wire::ShardRequest request = request_;
  request.set_explain(false);
  EXPECT_EQ(check_reply(request, reply_).error().code, ErrorCode::kCorruption);  // it was not
  wire::ShardReply plain = reply_;
  plain.clear_explain();
  EXPECT_TRUE(check_reply(request, plain).has_value());
}

// A reply of one hit per (order, group).
wire::ShardReply reply(uint32_t shard, const std::vector<std::pair<int64_t, uint64_t>>& hits) {
  wire::ShardReply made;
  made.set_shard(shard);
  made.set_total_offers(hits.size() * 2);
  made.set_total_models(hits.size());
  wire::Hits& h = *made.mutable_hits();
  for (const auto& [order, group] : hits) {
    h.add_keys(group + 1000);
    h.add_groups(group);
    h.add_versions(1);
    h.add_order(order);
    h.add_scores(0);
    h.add_prices(5);
    h.add_old_prices(0);
    h.add_in_stock(true);
    h.add_shops(0);
    h.add_price_min(5);
    h.add_price_max(5);
    h.add_offers(2);
    h.add_shop_counts(1);
    h.add_levels(0);
    h.add_flags(1);
  }
  return made;
}

void add_counts(wire::ShardReply& reply, const std::vector<std::array<uint32_t, 3>>& counts) {
  wire::FacetCounts& facet = *reply.add_facets();
  for (const auto& [ordinal, offers, models] : counts) {
    facet.add_ordinals(ordinal);
    facet.add_offers(offers);
    facet.add_models(models);
  }
}

TEST(Merge, TheBestOfAllShardsInOneOrder) {
  wire::ShardRequest request;
  request.set_limit(4);
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  const std::vector<wire::ShardReply> replies = {reply(1, {{9, 5}, {7, 1}, {kLeast, 2}}), reply(2, {{9, 4}, {8, 9}})};
  const Merged merged = merge(request, replies);
  std::vector<uint64_t> groups;
  for (const Hit& hit : merged.hits) groups.push_back(hit.group.value());
  EXPECT_EQ(groups, (std::vector<uint64_t>{4, 5, 9, 1}));
  EXPECT_EQ(merged.hits[0].from_shard, 2U);
  EXPECT_EQ(merged.total_models, 5U);
  EXPECT_EQ(merged.total_offers, 10U);
}

TEST(Merge, CountsAddUp) {
  wire::ShardRequest request;
  request.add_facets();
  request.add_facets()->set_kind(wire::FACET_PRICE);
  std::vector<wire::ShardReply> replies = {reply(1, {}), reply(2, {}), reply(3, {})};
  add_counts(replies[0], {{1, 4'000'000'000, 2}, {5, 1, 1}});
  add_counts(replies[1], {});
  add_counts(replies[2], {{0, 1, 1}, {1, 4'000'000'000, 3}, {9, 2, 2}});
  for (wire::ShardReply& one : replies) one.add_facets();
  replies[0].mutable_facets(1)->set_price_min(20);
  replies[0].mutable_facets(1)->set_price_max(20);
  replies[2].mutable_facets(1)->set_price_min(3);
  replies[2].mutable_facets(1)->set_price_max(9);
  const Merged merged = merge(request, replies);
  std::vector<std::array<uint64_t, 3>> values;
  for (const FacetTotals::Value& value : merged.facets[0].values)
    values.push_back({value.ordinal, value.offers, value.models});
  EXPECT_EQ(values, (std::vector<std::array<uint64_t, 3>>{{0, 1, 1}, {1, 8'000'000'000, 5}, {5, 1, 1}, {9, 2, 2}}));
  EXPECT_EQ(merged.facets[1].price_min, 3);
  EXPECT_EQ(merged.facets[1].price_max, 20);
  EXPECT_FALSE(merged.facets[0].price_min.has_value());
}

TEST(Merge, OffersOfOneModelByTheirKeys) {
  wire::ShardRequest request;
  request.set_limit(10);
  request.set_group(wire::GROUP_OFFER);
  wire::ShardReply one = reply(1, {{9, 5}, {9, 5}, {7, 1}});
  one.mutable_hits()->set_keys(0, 30);
  one.mutable_hits()->set_keys(1, 40);
  wire::ShardReply two = reply(2, {{9, 4}, {7, 1}});
  two.mutable_hits()->set_keys(1, 1);
  const Merged merged = merge(request, std::vector{one, two});
  std::vector<std::pair<uint64_t, uint64_t>> hits;
  for (const Hit& hit : merged.hits) hits.emplace_back(hit.group.value(), hit.key.value());
  EXPECT_EQ(hits, (std::vector<std::pair<uint64_t, uint64_t>>{{4, 1004}, {5, 30}, {5, 40}, {1, 1}, {1, 1001}}));
}

TEST(Merge, VariantsAddUp) {
  wire::ShardRequest request;
  request.add_variants(1);
  request.add_variants(2);
  std::vector<wire::ShardReply> replies = {reply(1, {}), reply(2, {})};
  for (wire::ShardReply& one : replies) {
    for (const uint64_t count : {uint64_t{5'000'000'000}, uint64_t{one.shard()}}) {
      one.add_variant_offers(count);
      one.add_variant_models(count / 2);
    }
  }
  const Merged merged = merge(request, replies);
  ASSERT_EQ(merged.variants.size(), 2U);
  EXPECT_EQ(merged.variants[0].offers, 10'000'000'000U);
  EXPECT_EQ(merged.variants[0].models, 5'000'000'000U);
  EXPECT_EQ(merged.variants[1].offers, 3U);
  EXPECT_EQ(merged.variants[1].models, 1U);
}

TEST(Merge, TotalsAreExactOnlyIfEveryShardsAre) {
  wire::ShardRequest request;
  request.set_totals(wire::TOTALS_AT_LEAST);
  std::vector<wire::ShardReply> replies = {reply(1, {}), reply(2, {})};
  EXPECT_FALSE(merge(request, replies).totals_at_least);
  replies[0].set_totals_at_least(true);
  EXPECT_TRUE(merge(request, replies).totals_at_least);
}

TEST(Merge, NothingFromNowhere) {
  wire::ShardRequest request;
  request.add_facets();
  const Merged merged = merge(request, {});
  EXPECT_TRUE(merged.hits.empty());
  EXPECT_EQ(merged.facets.size(), 1U);
}

TEST(Digest, DependsOnAllThatIsShown) {
  wire::ShardRequest request;
  request.set_limit(10);
  request.add_facets();
  std::vector<wire::ShardReply> replies = {reply(1, {{9, 5}, {7, 1}})};
  add_counts(replies[0], {{1, 2, 2}});
  const Merged base = merge(request, replies);
  const std::string digest = result_digest(base, 0, 10);
  EXPECT_EQ(digest.size(), 16U);
  EXPECT_EQ(result_digest(base, 0, 2), digest);
  EXPECT_NE(result_digest(base, 0, 1), digest);
  EXPECT_NE(result_digest(base, 1, 2), digest);
  EXPECT_EQ(result_digest(base, 5, 10), result_digest(base, 2, 2));

  const std::function<void(Merged&)> changes[] = {
      [](Merged& m) { ++m.total_offers; },
      [](Merged& m) { ++m.total_models; },
      [](Merged& m) { std::swap(m.hits[0], m.hits[1]); },
      [](Merged& m) { m.hits[1].key = DocKey(77); },
      [](Merged& m) { m.hits[1].group = DocKey(77); },
      [](Merged& m) { ++m.hits[1].price; },
      [](Merged& m) { ++m.hits[1].price_min; },
      [](Merged& m) { ++m.hits[1].price_max; },
      [](Merged& m) { ++m.hits[1].offers; },
      [](Merged& m) { ++m.facets[0].values[0].ordinal; },
      [](Merged& m) { ++m.facets[0].values[0].offers; },
      [](Merged& m) { ++m.facets[0].values[0].models; },
      [](Merged& m) { m.facets[0].values.clear(); },
      [](Merged& m) { m.facets[0].price_min = 1; },
      [](Merged& m) { m.facets[0].price_max = 1; },
  };
  int number = 0;
  for (const auto& change : changes) {
    Merged changed = base;
    change(changed);
    EXPECT_NE(result_digest(changed, 0, 10), digest) << "change " << number;
    ++number;
  }
  Merged elsewhere = base;
  elsewhere.hits[0].from_shard = 5;  // where it came from is not shown
  EXPECT_EQ(result_digest(elsewhere, 0, 10), digest);
}

// How far each shard counts depends on how the offers lie in shards; the answer does not.
TEST(Digest, LeavesTotalsOutUnlessTheyWereToBeExact) {
  wire::ShardRequest request;
  request.set_limit(10);
  std::vector<wire::ShardReply> replies = {reply(1, {{9, 5}})};
  const std::string exact = result_digest(merge(request, replies), 0, 10);
  request.set_totals(wire::TOTALS_AT_LEAST);
  const std::string counted_all = result_digest(merge(request, replies), 0, 10);
  replies[0].set_total_offers(1);
  replies[0].set_totals_at_least(true);
  EXPECT_EQ(result_digest(merge(request, replies), 0, 10), counted_all);
  EXPECT_NE(counted_all, exact);
}

}  // namespace
}  // namespace souk::merge
