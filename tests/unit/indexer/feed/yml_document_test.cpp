// SPDX-License-Identifier: Apache-2.0
// What a YML feed says of the shop, and in what order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/indexer/feed/feed_text.h"

namespace souk::feed {
namespace {

// A feed of one offer; `shop` stands before its categories, `last` behind its offers.
std::string with_shop(const std::string& shop, const std::string& last = {},
                      const std::string& currencies = "<currency id=\"RUB\"/>") {
  return "<yml_catalog date=\"2026-01-10 12:00\"><shop>\n" + shop + "<currencies>" + currencies +
         "</currencies><categories><category id=\"2\">Лампы</category></categories>\n<offers>" + offer_text("1") +
         "</offers>" + last + "</shop></yml_catalog>";
}

std::string currency_of(const std::string& currencies) {
  return read_text(with_shop("", "", "<currency id=\"RUB\"/>" + currencies)).header.currency;
}

TEST(YmlShop, TermsOfDelivery) {
  const std::string terms =
      "<delivery>true</delivery><pickup> false </pickup><store>true</store>\n"
      "<delivery-options><option cost=\"300\" days=\"1-3\" order-before=\"18\"/><option cost=\"0\" "
      "days=\"7\"/></delivery-options>"
      "<pickup-options><option cost=\"0\" days=\"0\"/></pickup-options><local_delivery_cost>999</local_delivery_cost>";
  for (const bool late : {false, true}) {
    const Reading reading = read_text(late ? with_shop("", terms) : with_shop(terms));
    ASSERT_TRUE(reading.good) << reading.report.feed_error.message;
    EXPECT_EQ(reading.report.warning_count, 0U);
    const DeliveryTerms& delivery = reading.header.delivery;
    EXPECT_EQ(delivery.delivery, true);
    EXPECT_EQ(delivery.pickup, false);
    EXPECT_EQ(delivery.store, true);
    EXPECT_EQ(delivery.delivery_options, (std::vector<DeliveryOption>{{30000, 1, 3, 18}, {0, 7, 7, 24}}));
    EXPECT_EQ(delivery.pickup_options, (std::vector<DeliveryOption>{{0, 0, 0, 24}}));
  }
}

TEST(YmlShop, LocalDeliveryCostIsAnOptionWithoutDays) {
  const Reading reading = read_text(with_shop("<local_delivery_cost>250.50</local_delivery_cost>"));
  EXPECT_EQ(reading.header.delivery.delivery_options, (std::vector<DeliveryOption>{{25050, 0, 31, 24}}));
  EXPECT_EQ(read_text(with_shop("")).header.delivery, DeliveryTerms());
}

TEST(YmlShop, FaultsOfDeliveryAreWarnings) {
  std::string options;
  for (int i = 0; i < 6; ++i) options += "<option cost=\"1\" days=\"" + std::to_string(i) + "\"/>";
  const Reading reading = read_text(
      with_shop("<delivery>maybe</delivery><delivery-options><option days=\"1\"/><option cost=\"1\" days=\"3-1\"/>" +
                options + "</delivery-options><local_delivery_cost>free</local_delivery_cost>"));
  EXPECT_TRUE(reading.good);
  EXPECT_EQ(kinds(reading.report.warnings),
            (std::vector<std::string>{"bad_flag", "bad_delivery_option", "bad_delivery_option",
                                      "too_many_delivery_options", "bad_delivery_option"}));
  EXPECT_EQ(reading.report.warnings[0].line, 2U);
  EXPECT_EQ(reading.header.delivery.delivery, std::nullopt);
  EXPECT_EQ(reading.header.delivery.delivery_options.size(), 5U);
}

TEST(YmlShop, MainCurrencyHasTheRateOne) {
  EXPECT_EQ(currency_of(""), "RUB");
  EXPECT_EQ(currency_of("<currency id=\"USD\" rate=\"1\"/>"), "USD");
  EXPECT_EQ(currency_of("<currency id=\"USD\" rate=\"1.00\"/><currency id=\"EUR\" rate=\"1\"/>"), "USD");
  EXPECT_EQ(currency_of("<currency id=\"USD\" rate=\"CBRF\"/><currency id=\"EUR\"/>"), "RUB");
  EXPECT_EQ(read_text(with_shop("", "", "<currency id=\"rur\" rate=\"1\"/>")).header.currency, "RUB");
}

TEST(YmlShop, ParentsOfCategoriesAreSpeltTwoWays) {
  std::string feed = with_shop("");
  feed.replace(feed.find("<category id"), 0,
               "<category id=\"1\">Дом</category><category id=\"3\" parent_id=\"1\">Свет</category>");
  feed.replace(feed.find("<category id=\"2\">"), 17, "<category id=\"2\" parentId=\"3\">");
  EXPECT_EQ(read_text(feed).offers.at(0).category_path, (std::vector<std::string>{"Дом", "Свет", "Лампы"}));
}

TEST(YmlShop, ListsMayComeInAnyOrderBeforeTheOffers) {
  const std::string feed =
      "<yml_catalog date=\"2026-01-10 12:00\"><shop><enable_auto_discounts>1</enable_auto_discounts>"
      "<categories><category id=\"2\" parentId=\"1\">Лампы</category><category "
      "id=\"1\">Дом</category></categories><cpa>1</cpa>"
      "<currencies><currency id=\"RUB\" rate=\"1\"/></currencies><offers>" +
      offer_text("1") +
      "</offers><categories><category id=\"9\">x</category></categories><name>Late</name></shop></yml_catalog>";
  const Reading reading = read_text(feed);
  ASSERT_TRUE(reading.good);
  EXPECT_EQ(reading.offers.at(0).category_path, (std::vector<std::string>{"Дом", "Лампы"}));
  EXPECT_EQ(reading.header.shop_name, "Late");
  EXPECT_EQ(kinds(reading.report.warnings), std::vector<std::string>{"late_list"});
}

}  // namespace
}  // namespace souk::feed
