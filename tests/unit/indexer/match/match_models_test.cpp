// SPDX-License-Identifier: Apache-2.0
#include "indexer/match/match_models.h"

#include <gtest/gtest.h>

#include "tests/unit/indexer/match/barcodes.h"
#include "tests/unit/indexer/match/fake_store.h"

namespace souk::match {
namespace {

using offers::LinkReason;

constexpr const char* kCpuBox = "5032037002882";

class MatchModels : public ::testing::Test {
 protected:
  MatchResult match() {
    const auto result = match_models(store, rules);
    EXPECT_TRUE(result) << to_string(result.error());
    return result.value_or(MatchResult{});
  }
  DocKey model(DocKey offer) const { return store.at(offer).model; }
  LinkReason reason(DocKey offer) const { return store.at(offer).link; }
  bool one_model(DocKey a, DocKey b) const { return model(a) && model(a) == model(b); }

  FakeStore store;
  ModelRules rules;
};

TEST_F(MatchModels, ABarcodeJoinsInAllItsLengths) {
  const DocKey a = store.put(1, barcode_offer("1", {"735858149778"}));
  const DocKey b = store.put(2, barcode_offer("1", {"00735858149778"}));
  const DocKey c = store.put(3, barcode_offer("1", {kPen}));
  const MatchResult result = match();
  EXPECT_TRUE(one_model(a, b));
  EXPECT_FALSE(one_model(a, c));
  EXPECT_TRUE(model(c));
  EXPECT_EQ(reason(a), (LinkReason{LinkReason::Kind::kBarcode, kCpu}));
  EXPECT_EQ(result.offers, 3U);
  EXPECT_EQ(result.models, 2U);
  EXPECT_EQ(result.relinked, 3U);
}

TEST_F(MatchModels, EvidenceChains) {
  const DocKey a = store.put(1, barcode_offer("1", {kCpu}));
  feed::Offer both = barcode_offer("1", {kCpu, kCpuBox}, "Intel");
  both.vendor_code = "80528PC021G0K";
  const DocKey b = store.put(2, both);
  const DocKey c = store.put(3, barcode_offer("1", {kCpuBox}));
  const DocKey d = store.put(4, code_offer("1", "INTEL Corp.", "80528-PC021-G0K"));
  match();
  EXPECT_TRUE(one_model(a, b));
  EXPECT_TRUE(one_model(a, c));
  EXPECT_TRUE(one_model(a, d));
  EXPECT_EQ(reason(c), (LinkReason{LinkReason::Kind::kBarcode, kCpuBox}));
  EXPECT_EQ(reason(d), (LinkReason{LinkReason::Kind::kVendorCode, "intel 80528pc021g0k"}));
}

TEST_F(MatchModels, AnOfferWithoutEvidenceHasNoModel) {
  const DocKey a = store.put(1, plain_offer("1"));
  const DocKey b = store.put(2, code_offer("1", "", "LX-1000"));
  const DocKey c = store.put(2, code_offer("2", "Норвик", "белая"));
  EXPECT_EQ(match().models, 0U);
  EXPECT_FALSE(model(a) || model(b) || model(c));
  EXPECT_EQ(store.commits(), 0U);
}

TEST_F(MatchModels, ALostIdentityTakesTheModelAway) {
  const DocKey a = store.put(1, barcode_offer("1", {kPen}));
  match();
  ASSERT_TRUE(model(a));
  store.put(1, plain_offer("1"));
  EXPECT_EQ(match().relinked, 1U);
  EXPECT_FALSE(model(a));
  EXPECT_EQ(reason(a), LinkReason{});
}

TEST_F(MatchModels, ABarcodeOfDifferentVendorsJoinsNobody) {
  const DocKey a = store.put(1, barcode_offer("1", {kPen}, "Норвик"));
  const DocKey b = store.put(2, barcode_offer("1", {kPen}, "Sony"));
  EXPECT_EQ(match().distrusted_barcodes, 1U);
  EXPECT_TRUE(model(a) && model(b));
  EXPECT_FALSE(one_model(a, b));
}

TEST_F(MatchModels, OneWrongShopDoesNotSpoilABarcode) {
  const DocKey a = store.put(1, barcode_offer("1", {kPen}, "Норвик"));
  const DocKey b = store.put(2, barcode_offer("1", {kPen}, "ООО Норвик"));
  const DocKey c = store.put(3, barcode_offer("1", {kPen}, "Норвик"));
  const DocKey d = store.put(4, barcode_offer("1", {kPen}, "Sony"));
  const DocKey e = store.put(5, barcode_offer("1", {kPen}));
  EXPECT_EQ(match().distrusted_barcodes, 1U);
  EXPECT_TRUE(one_model(a, b) && one_model(a, c) && one_model(a, e));
  EXPECT_FALSE(one_model(a, d));
}

TEST_F(MatchModels, OneShopCannotOutvoteOthersWithManyOffers) {
  const DocKey a = store.put(1, barcode_offer("1", {kPen}, "Норвик"));
  const DocKey b = store.put(2, barcode_offer("1", {kPen}, "Норвик"));
  const DocKey c = store.put(3, barcode_offer("1", {kPen}, "Норвик"));
  for (int i = 0; i < 10; ++i) store.put(4, barcode_offer(std::to_string(i), {kPen}, "Sony"));
  match();
  EXPECT_TRUE(one_model(a, b) && one_model(a, c));
}

TEST_F(MatchModels, NumbersThatShopsGiveJoinWithinTheShop) {
  const DocKey a = store.put(1, barcode_offer("1", {"2000000000015"}));
  const DocKey b = store.put(1, barcode_offer("2", {"2000000000015"}));
  const DocKey c = store.put(2, barcode_offer("1", {"2000000000015"}));
  match();
  EXPECT_TRUE(one_model(a, b));
  EXPECT_FALSE(one_model(a, c));
}

TEST_F(MatchModels, AShopsPlaceholderBarcodeJoinsNothing) {
  std::vector<DocKey> same;
  for (int i = 0; i < 17; ++i) same.push_back(store.put(1, barcode_offer(std::to_string(i), {kPen})));
  const DocKey a = store.put(2, barcode_offer("1", {kPen}));
  const DocKey b = store.put(3, barcode_offer("1", {kPen}));
  match();
  EXPECT_TRUE(one_model(a, b));
  for (const DocKey offer : same) EXPECT_FALSE(one_model(offer, a));
  EXPECT_FALSE(one_model(same[0], same[1]));
}

TEST_F(MatchModels, AVendorsCodeJoinsShops) {
  const DocKey a = store.put(1, code_offer("1", "Норвик", "LX-1000"));
  const DocKey b = store.put(2, code_offer("1", "норвик ", "lx 1000"));
  const DocKey c = store.put(3, code_offer("1", "Бета", "LX-1000"));
  match();
  EXPECT_TRUE(one_model(a, b));
  EXPECT_FALSE(one_model(a, c));
}

TEST_F(MatchModels, ACodeOfSeveralBarcodesNamesNoProduct) {
  feed::Offer a = code_offer("1", "Норвик", "LX-1000");
  a.barcodes = {kPen};
  feed::Offer b = code_offer("1", "Норвик", "LX-1000");
  b.barcodes = {kCpu};
  const DocKey with_pen = store.put(1, a);
  const DocKey with_cpu = store.put(2, b);
  const DocKey neither = store.put(3, code_offer("1", "Норвик", "LX-1000"));
  EXPECT_EQ(match().distrusted_codes, 1U);
  EXPECT_FALSE(one_model(with_pen, with_cpu) || one_model(with_pen, neither) || one_model(with_cpu, neither));
}

TEST_F(MatchModels, ACodeThatOneShopGivesTwiceNamesNoProduct) {
  const DocKey a = store.put(1, code_offer("1", "Lenovo", "S340"));
  const DocKey b = store.put(1, code_offer("2", "Lenovo", "S340"));
  const DocKey c = store.put(2, code_offer("1", "Lenovo", "S340"));
  EXPECT_EQ(match().distrusted_codes, 1U);
  EXPECT_FALSE(one_model(a, b) || one_model(a, c) || one_model(b, c));
}

TEST_F(MatchModels, ACodeOfContraryTitlesNamesNoProduct) {
  const DocKey a = store.put(1, code_offer("1", "OKI", "Toner C710", "OKI Toner C710 Cyan"));
  const DocKey b = store.put(2, code_offer("1", "OKI", "Toner C710", "Тонер OKI C710 жёлтый"));
  EXPECT_EQ(match().distrusted_codes, 1U);
  EXPECT_FALSE(one_model(a, b));
  store.put(2, code_offer("1", "OKI", "Toner C710", "Тонер OKI C710"));
  match();
  EXPECT_TRUE(one_model(a, b));
}

TEST_F(MatchModels, ACodeOfVariantsOfAGroupNamesTheStyle) {
  std::vector<DocKey> all;
  for (uint32_t shop = 1; shop <= 2; ++shop) {
    for (const char* colour : {"красная", "синяя"}) {
      feed::Offer offer = code_offer(colour, "Норвик", "TS-1000", std::string("Футболка ") + colour);
      offer.group_id = "7";
      all.push_back(store.put(shop, offer));
    }
  }
  match();
  for (const DocKey offer : all) EXPECT_TRUE(one_model(all[0], offer));
}

TEST_F(MatchModels, AGroupJoinsWithinItsShop) {
  const DocKey a = store.put(1, group_offer("1", "77"));
  const DocKey b = store.put(1, group_offer("2", "77"));
  const DocKey c = store.put(2, group_offer("1", "77"));
  match();
  EXPECT_TRUE(one_model(a, b));
  EXPECT_FALSE(one_model(a, c));
  EXPECT_EQ(reason(a), (LinkReason{LinkReason::Kind::kGroup, "77"}));
}

TEST_F(MatchModels, AGroupDoesNotJoinWhatBarcodesTellApart) {
  const DocKey a = store.put(1, group_offer("1", "77", {kPen}));
  const DocKey b = store.put(1, group_offer("2", "77", {kCpu}));
  const DocKey c = store.put(1, group_offer("3", "77"));
  const DocKey d = store.put(1, group_offer("4", "77"));
  match();
  EXPECT_FALSE(one_model(a, b) || one_model(a, c) || one_model(b, c));
  EXPECT_TRUE(one_model(c, d));
}

TEST_F(MatchModels, AGroupOfOneProductTakesInWhatNothingElseIdentifies) {
  const DocKey a = store.put(1, group_offer("1", "77", {kPen}));
  const DocKey b = store.put(1, group_offer("2", "77"));
  const DocKey c = store.put(2, barcode_offer("1", {kPen}));
  match();
  EXPECT_TRUE(one_model(a, b) && one_model(a, c));
}

TEST_F(MatchModels, AGroupOfHalfAShopIsNone) {
  std::vector<DocKey> all;
  for (int i = 0; i < 1001; ++i) all.push_back(store.put(1, group_offer(std::to_string(i), "1")));
  EXPECT_EQ(match().models, 1001U);
  EXPECT_FALSE(one_model(all[0], all[1]));
}

// An offer with the barcodes of all its neighbours would make them one.
TEST_F(MatchModels, AChainThatIsTooLongCountsFirstBarcodesOnly) {
  const auto barcode = [](int i) {
    std::string digits = "46000000" + std::to_string(1000 + i);
    int sum = 0;
    for (size_t d = 0; d < digits.size(); ++d) sum += (digits[d] - '0') * (d % 2 == 0 ? 1 : 3);
    return digits + std::to_string((10 - sum % 10) % 10);
  };
  std::vector<DocKey> all;
  for (int i = 0; i < 100; ++i) {
    all.push_back(store.put(1, barcode_offer(std::to_string(i), {barcode(i), barcode(i + 1)})));
  }
  const DocKey other = store.put(2, barcode_offer("x", {barcode(50)}));
  match();
  EXPECT_FALSE(one_model(all[0], all[1]));
  EXPECT_TRUE(one_model(all[50], other));
  EXPECT_FALSE(one_model(all[49], other));
}

TEST_F(MatchModels, RulesJoinWhateverElse) {
  rules.joined = {{"fog", {"shop1/1", "shop2/1", "shop9/none"}}};
  const DocKey a = store.put(1, barcode_offer("1", {kPen}));
  const DocKey b = store.put(2, plain_offer("1"));
  const DocKey c = store.put(3, barcode_offer("1", {kPen}));
  match();
  EXPECT_TRUE(one_model(a, b) && one_model(a, c));
  EXPECT_EQ(reason(b), (LinkReason{LinkReason::Kind::kRule, "fog"}));
  EXPECT_EQ(reason(c), (LinkReason{LinkReason::Kind::kBarcode, kPen}));
}

TEST_F(MatchModels, RulesSplitWithWhatIsTheirs) {
  rules.split = {{"fog", {"shop1/1", "shop2/1"}}};
  const DocKey a = store.put(1, barcode_offer("1", {kPen}));
  const DocKey b = store.put(2, barcode_offer("1", {kPen, kCpu}));
  const DocKey c = store.put(3, barcode_offer("1", {kPen}));
  const DocKey d = store.put(4, barcode_offer("1", {kCpu}));
  match();
  EXPECT_FALSE(one_model(a, b));
  EXPECT_TRUE(one_model(a, c));  // the first of the rule stays with the others
  EXPECT_TRUE(one_model(b, d));
}

TEST_F(MatchModels, RulesOfBadCodes) {
  rules.bad_codes = {"735858149778", "Норвик LX-1000"};
  const DocKey a = store.put(1, barcode_offer("1", {kCpu}));
  const DocKey b = store.put(2, barcode_offer("1", {kCpu}));
  const DocKey c = store.put(1, code_offer("2", "норвик", "lx1000"));
  const DocKey d = store.put(2, code_offer("2", "Норвик", "LX 1000"));
  match();
  EXPECT_FALSE(model(a) || model(b) || model(c) || model(d));
}

TEST_F(MatchModels, ShopAndIdMayHaveASlash) {
  store.put_shop(5, "a/b").value();
  rules.joined = {{"fog", {"a/b/c/d", "shop2/1"}}};
  const DocKey a = store.put(5, plain_offer("c/d"));
  store.put_shop(5, "a/b").value();
  const DocKey b = store.put(2, plain_offer("1"));
  match();
  EXPECT_TRUE(one_model(a, b));
}

TEST_F(MatchModels, MergingKeepsTheOlderKey) {
  const DocKey a = store.put(1, barcode_offer("1", {kPen}));
  match();
  const DocKey b = store.put(2, barcode_offer("1", {kCpu}));
  const DocKey c = store.put(3, barcode_offer("1", {kCpu}));
  match();
  const DocKey older = model(a);
  ASSERT_NE(model(b), older);
  const DocKey bridge = store.put(4, barcode_offer("1", {kPen, kCpu}));
  const MatchResult result = match();
  EXPECT_EQ(model(a), older);
  EXPECT_TRUE(one_model(a, b) && one_model(a, c) && one_model(a, bridge));
  EXPECT_EQ(result.merged, 1U);
  EXPECT_EQ(result.relinked, 3U);
}

TEST_F(MatchModels, ASplitLeavesTheKeyWithTheLargestPart) {
  const DocKey a = store.put(1, barcode_offer("1", {kPen}));
  const DocKey b = store.put(2, barcode_offer("1", {kCpu}));
  const DocKey c = store.put(3, barcode_offer("1", {kCpu}));
  const DocKey bridge = store.put(4, barcode_offer("1", {kPen, kCpu}));
  match();
  const DocKey key = model(a);
  store.remove(bridge);
  EXPECT_EQ(match().split, 1U);
  EXPECT_EQ(model(b), key);
  EXPECT_TRUE(one_model(b, c));
  const DocKey other = model(a);
  EXPECT_NE(other, key);
  store.put(4, barcode_offer("1", {kPen, kCpu}));
  match();
  EXPECT_EQ(model(a), key);
  EXPECT_EQ(model(bridge), key);
}

TEST_F(MatchModels, ASplitIntoEqualPartsLeavesTheKeyWithTheLeastOffer) {
  const DocKey a = store.put(1, barcode_offer("1", {kPen}));
  const DocKey b = store.put(2, barcode_offer("1", {kPen}));
  match();
  const DocKey key = model(a);
  store.put(2, barcode_offer("1", {kCpu}));
  match();
  EXPECT_EQ(model(std::min(a, b)), key);
  EXPECT_NE(model(std::max(a, b)), key);
}

TEST_F(MatchModels, AModelWithoutOffersWaitsForItsOwn) {
  const DocKey a = store.put(1, barcode_offer("1", {kPen}));
  match();
  const DocKey key = model(a);
  store.remove(a);
  const DocKey b = store.put(2, barcode_offer("1", {kCpu}));
  match();
  EXPECT_NE(model(b), key);
  store.put(1, barcode_offer("1", {kPen}));
  EXPECT_EQ(match().relinked, 0U);
  EXPECT_EQ(model(a), key);
}

TEST_F(MatchModels, NothingNewWritesNothing) {
  store.put(1, barcode_offer("1", {kPen}));
  store.put(2, barcode_offer("1", {kPen}));
  match();
  const uint64_t commits = store.commits();
  const MatchResult again = match();
  EXPECT_EQ(again.relinked, 0U);
  EXPECT_EQ(again.models, 1U);
  EXPECT_EQ(store.commits(), commits);
}

}  // namespace
}  // namespace souk::match
