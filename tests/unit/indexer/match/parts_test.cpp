// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "indexer/match/identities.h"
#include "indexer/match/title_facts.h"
#include "indexer/match/vendor_name.h"
#include "indexer/match/words.h"

namespace souk::match {
namespace {

bool differ(std::string_view a, std::string_view b) {
  const bool result = obviously_differ(vendor_name(a), vendor_name(b));
  EXPECT_EQ(result, obviously_differ(vendor_name(b), vendor_name(a))) << a << " / " << b;
  return result;
}

TEST(VendorName, IsOneMakerInManyWritings) {
  EXPECT_FALSE(differ("Норвик", "НОРВИК"));
  EXPECT_FALSE(differ("TP-Link", "TPLINK"));
  EXPECT_FALSE(differ("Норвик", "ООО «Норвик»"));
  EXPECT_FALSE(differ("Kingston", "Kingston Technology"));
  EXPECT_FALSE(differ("ASUS", "ASUSTeK Computer Inc."));
  EXPECT_FALSE(differ("HP", "Hewlett-Packard"));
  EXPECT_FALSE(differ("StarTech", "StarTech.com"));
  EXPECT_FALSE(differ("Самсунг", "Samsung"));
  EXPECT_FALSE(differ("Филипс", "Philips"));
  EXPECT_FALSE(differ("", "Samsung"));
  EXPECT_FALSE(differ("no name", "Samsung"));
  EXPECT_FALSE(differ("Нет бренда", "Samsung"));
  EXPECT_FALSE(differ("Китай", "Samsung"));
}

TEST(VendorName, ObviouslyDiffers) {
  EXPECT_TRUE(differ("Samsung", "Sony"));
  EXPECT_TRUE(differ("Норвик", "Бета"));
  EXPECT_TRUE(differ("Норвик", "Sony"));
  EXPECT_TRUE(differ("LG", "Lego"));
  EXPECT_TRUE(differ("HP", "Hyper Power Devices"));
}

TEST(VendorName, ALegalFormAloneIsAName) {
  EXPECT_EQ(vendor_name("AG").joined, "ag");
  EXPECT_EQ(vendor_name("ООО").joined, "ооо");
}

TEST(Identities, AGtinIsOneInAllLengths) {
  EXPECT_EQ(normalize_gtin("0735858149778"), normalize_gtin("735858149778"));
  EXPECT_EQ(normalize_gtin("0735858149778"), normalize_gtin("00735858149778"));
  EXPECT_EQ(normalize_gtin("96385074"), normalize_gtin("0000096385074"));
  EXPECT_NE(normalize_gtin("4006381333931"), normalize_gtin("14006381333938"));
  EXPECT_FALSE(normalize_gtin("0000000000000"));
  EXPECT_FALSE(normalize_gtin("123456789"));
  EXPECT_FALSE(normalize_gtin("400638133393X"));
}

TEST(Identities, NumbersThatShopsGiveAreOfOneShop) {
  for (const char* barcode : {"2000000000015", "0200000000011", "0400000000014", "20000004", "00000017"}) {
    const uint64_t gtin = normalize_gtin(barcode).value();
    EXPECT_TRUE(is_restricted(gtin)) << barcode;
    EXPECT_NE(barcode_identity(gtin, 1), barcode_identity(gtin, 2)) << barcode;
  }
  for (const char* barcode : {"4006381333931", "0735858149778", "96385074", "14006381333938", "22000000000015"}) {
    const uint64_t gtin = normalize_gtin(barcode).value();
    EXPECT_FALSE(is_restricted(gtin)) << barcode;
    EXPECT_EQ(barcode_identity(gtin, 1), barcode_identity(gtin, 2)) << barcode;
  }
}

TEST(Identities, CodesAreFoldedWithoutSeparators) {
  EXPECT_EQ(normalize_code("LX-10 / b"), "lx10b");
  EXPECT_EQ(normalize_code("ЛХ.10"), "лх10");
  EXPECT_EQ(normalize_code("12345"), "12345");
  for (const char* code : {"", "-", "n/a", "нет", "white", "V15", "1234", "0000000", "5", "Deluxe Series"}) {
    EXPECT_EQ(normalize_code(code), "") << code;
  }
}

TEST(Identities, KindsNeverMeet) {
  const VendorName vendor = vendor_name("Норвик");
  EXPECT_EQ(kind_of(barcode_identity(4006381333931, 7)), IdentityKind::kBarcode);
  EXPECT_EQ(kind_of(barcode_identity(2000000000015, 7)), IdentityKind::kShopBarcode);
  EXPECT_EQ(kind_of(code_identity(vendor, "lx10")), IdentityKind::kVendorCode);
  EXPECT_EQ(kind_of(group_identity("77", 7)), IdentityKind::kGroup);
  EXPECT_NE(code_identity(vendor, "lx10"), code_identity(vendor_name("Бета"), "lx10"));
  EXPECT_NE(group_identity("77", 7), group_identity("77", 8));
}

TEST(Words, AreRunsOfLettersAndDigits) {
  EXPECT_EQ(words_of("«Ёлка» LX-10, 2½"), (std::vector<std::string>{"елка", "lx", "10", "21", "2"}));
  EXPECT_EQ(compact(words_of("№ A_b/С")), "noabс");
  EXPECT_TRUE(words_of(" — !").empty());
}

bool titles_contradict(std::string_view a, std::string_view b) {
  const bool result = contradict(title_facts(a), title_facts(b));
  EXPECT_EQ(result, contradict(title_facts(b), title_facts(a))) << a << " / " << b;
  return result;
}

TEST(TitleFacts, ColoursAndMeasuresTellProductsApart) {
  EXPECT_TRUE(titles_contradict("OKI Toner C710 Original Yellow", "OKI Toner C710 Original Cyan"));
  EXPECT_TRUE(titles_contradict("Кабель 3 м", "Кабель 5м"));
  EXPECT_TRUE(titles_contradict("Phone 128GB", "Телефон 256 ГБ"));
  EXPECT_TRUE(titles_contradict("Лампа красная", "Blue lamp"));
  EXPECT_TRUE(titles_contradict("Сок 1,5 л", "Сок 1 л"));
}

TEST(TitleFacts, OtherWordsDoNot) {
  EXPECT_FALSE(titles_contradict("Лампа LX-10 чёрная", "Black lamp Норвик"));
  EXPECT_FALSE(titles_contradict("Кабель 3 м", "Кабель красный"));
  EXPECT_FALSE(titles_contradict("Кабель 3 м", "Кабель 3,0 м, длинный"));
  EXPECT_FALSE(titles_contradict("Телефон 8 ГБ / 256 ГБ", "Phone 256GB"));
  EXPECT_FALSE(titles_contradict("Лампа", "Lamp"));
  EXPECT_FALSE(titles_contradict("Лампа lx10m", "Лампа lx12m"));
  EXPECT_FALSE(titles_contradict("Набор 2 в 1", "Набор 3 в 1"));
  EXPECT_FALSE(titles_contradict("Сумка синтетическая", "Сумка черная"));
}

TEST(TitleFacts, AreBounded) {
  std::string title;
  for (int i = 0; i < 1000; ++i) title += std::to_string(i) + " м ";
  EXPECT_EQ(title_facts(title).size(), 16U);
}

}  // namespace
}  // namespace souk::match
