// SPDX-License-Identifier: Apache-2.0
// What is read from single offers, and what becomes of their faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/indexer/feed/feed_text.h"

namespace souk::feed {
namespace {

// An offer of a type, with the elements given and those that every type needs.
std::string typed(const std::string& id, const std::string& type, const std::string& elements) {
  return "<offer id=\"" + id + "\" type=\"" + type +
         "\"><url>https://shop.example/1</url><price>1</price><currencyId>RUB</currencyId><categoryId>1</categoryId>" +
         elements + "</offer>\n";
}

TEST(YmlOffer, IsReadWhole) {
  const Reading reading = read_text(feed_with(
      "\n<offer id=\" A1 \" available=\"true\" group_id=\"77\">\n<url>https://shop.example/A1?a=1&amp;b=2</url>"
      "<price>1490.5</price><oldprice>1990</oldprice><currencyId>RUR</currencyId><categoryId>2</categoryId>"
      "<picture> https://img.example/1.jpg\n</picture><name>Лампа\n  настольная</name><vendor>Норвик &amp; Ко</vendor>"
      "<vendorCode>LX-10</vendorCode><model>LX</model><barcode>4600000000008</barcode>"
      "<description><![CDATA[<p>Тёплый&nbsp;свет.</p><ul><li>1<b>0</b> Вт</li></ul>]]></description>"
      "<param name=\"Цвет\">белый</param><param name=\"Мощность\" unit=\"Вт\">10</param></offer>"));
  ASSERT_TRUE(reading.good) << reading.report.feed_error.message;
  ASSERT_EQ(reading.offers.size(), 1U);
  const Offer& offer = reading.offers[0];
  EXPECT_EQ(offer.line, 10U);
  EXPECT_EQ(offer.id, "A1");
  EXPECT_EQ(offer.type, "simplified");
  EXPECT_EQ(offer.name, "Лампа настольная");
  EXPECT_EQ(offer.url, "https://shop.example/A1?a=1&b=2");
  EXPECT_EQ(offer.vendor, "Норвик & Ко");
  EXPECT_EQ(offer.vendor_code, "LX-10");
  EXPECT_EQ(offer.model, "LX");
  EXPECT_EQ(offer.description, "Тёплый свет. 10 Вт");
  EXPECT_EQ(offer.currency, "RUB");
  EXPECT_EQ(offer.group_id, "77");
  EXPECT_EQ(offer.category_id, "2");
  EXPECT_EQ(offer.category_path, (std::vector<std::string>{"Дом", "Лампы"}));
  EXPECT_EQ(offer.pictures, std::vector<std::string>{"https://img.example/1.jpg"});
  EXPECT_EQ(offer.barcodes, std::vector<std::string>{"4600000000008"});
  EXPECT_EQ(offer.params, (std::vector<Param>{{"Цвет", "белый", ""}, {"Мощность", "10", "Вт"}}));
  EXPECT_EQ(offer.price, 149050);
  EXPECT_EQ(offer.old_price, 199000);
  EXPECT_TRUE(offer.available);
  EXPECT_EQ(reading.report.accepted, 1U);
  EXPECT_EQ(reading.report.warning_count, 0U);
  EXPECT_EQ(reading.header.shop_name, "Пример");
  EXPECT_EQ(reading.header.company, "ООО Пример");
  EXPECT_EQ(reading.header.url, "https://shop.example/");
  EXPECT_EQ(reading.header.date, "2026-01-10T12:00");
}

struct Rejection {
  const char* kind;
  std::string offer;
};

TEST(YmlOffer, IsRejectedAloneAndNamed) {
  const auto without = [](std::string text, const std::string& part) {
    const size_t at = text.find(part);
    return text.erase(at, part.size());
  };
  const auto with = [](std::string text, const std::string& part, const std::string& other) {
    return text.replace(text.find(part), part.size(), other);
  };
  const std::string good = offer_text("x");
  const std::vector<Rejection> rejections{
      {"missing_id", "<offer/>"},
      {"missing_id", with(good, "id=\"x\"", "id=\"  \"")},
      {"id_too_long", offer_text(std::string(256, 'i'))},
      {"missing_name", without(good, "<name>Лампа</name>")},
      {"missing_price", without(good, "<price>100</price>")},
      {"bad_price", with(good, "100", "1,5")},
      {"bad_price", with(good, "100", "10000000000000.01")},
      {"zero_price", with(good, "100", "0.00")},
      {"missing_currency", without(good, "<currencyId>RUB</currencyId>")},
      {"unknown_currency", with(good, "RUB", "EUR")},
      {"missing_category", without(good, "<categoryId>2</categoryId>")},
      {"unknown_category", with(good, "<categoryId>2<", "<categoryId>3<")},
      {"missing_vendor", typed("x", "vendor.model", "<model>m</model>")},
      {"missing_model", typed("x", "vendor.model", "<vendor>v</vendor>")},
      {"missing_name", typed("x", "artist.title", "<artist>a</artist>")},
  };
  for (const Rejection& rejection : rejections) {
    const Reading reading = read_text(feed_with("\n" + rejection.offer + offer_text("good")));
    ASSERT_TRUE(reading.good) << rejection.offer << reading.report.feed_error.message;
    ASSERT_EQ(reading.report.errors.size(), 1U) << rejection.offer;
    EXPECT_EQ(reading.report.errors[0].kind, rejection.kind) << rejection.offer;
    EXPECT_EQ(reading.report.errors[0].line, 10U);
    EXPECT_FALSE(reading.report.errors[0].message.empty());
    EXPECT_EQ(reading.report.accepted, 1U);
    EXPECT_EQ(reading.report.rejected, 1U);
  }
}

TEST(YmlOffer, KeepsTheFirstOfOneId) {
  const Reading reading = read_text(
      feed_with(offer_text("a", "<model>1</model>") + offer_text("b") + offer_text(" a", "<model>2</model>")));
  ASSERT_EQ(reading.offers.size(), 2U);
  EXPECT_EQ(reading.offers[0].model, "1");
  ASSERT_EQ(reading.report.errors.size(), 1U);
  EXPECT_EQ(reading.report.errors[0].kind, "duplicate_id");
  EXPECT_EQ(reading.report.errors[0].id, "a");
  EXPECT_EQ(reading.report.errors[0].line, 11U);
}

struct Warned {
  const char* kind;
  std::string offer;
};

TEST(YmlOffer, GoesOnWithAWarning) {
  std::string pictures;
  for (int i = 0; i < 11; ++i) pictures += "<picture>http://a.example/" + std::to_string(i) + "</picture>";
  const std::vector<Warned> offers{
      {"bad_oldprice", offer_text("x", "<oldprice>100.00</oldprice>")},
      {"bad_oldprice", offer_text("x", "<oldprice>10%</oldprice>")},
      {"bad_picture", offer_text("x", "<picture>javascript:alert(1)</picture>")},
      {"too_many_pictures", offer_text("x", pictures)},
      {"bad_barcode", offer_text("x", "<barcode>4600000000009</barcode>")},
      {"bad_barcode", offer_text("x", "<barcode>0000000000000</barcode>")},
      {"bad_available", offer_text("x", "", "available='5'")},
      {"param_no_name", offer_text("x", "<param>1</param>")},
      {"param_empty", offer_text("x", "<param name='a'/>")},
      {"duplicate_param", offer_text("x", "<param name='a'>1</param><param name='a'>1</param>")},
      {"odd_id", offer_text("Ж1")},
      {"unknown_type", offer_text("x", "", "type='thing'")},
      {"description_truncated", offer_text("x", "<description>" + std::string(3001, 'd') + "</description>")},
      {"text_truncated", offer_text("x", "<model>" + std::string(300, 'd') + "</model>")},
  };
  for (const Warned& warned : offers) {
    const Reading reading = read_text(feed_with(warned.offer));
    EXPECT_EQ(reading.offers.size(), 1U) << warned.offer;
    ASSERT_EQ(kinds(reading.report.warnings), std::vector<std::string>{warned.kind}) << warned.offer;
    EXPECT_EQ(reading.report.warnings[0].line, 9U);
    EXPECT_EQ(reading.report.warning_count, 1U);
  }
}

TEST(YmlOffer, NamesEveryType) {
  const Reading reading = read_text(feed_with(
      typed("1", "vendor.model", "<typePrefix>Насос</typePrefix><vendor>Норвик</vendor><model>P-7</model>") +
      typed("2", "vendor.model", "<vendor>Норвик</vendor><model>НОРВИК P-7</model>") +
      typed("3", "vendor.model", "<vendor>P</vendor><model>P-7</model>") +
      typed("4", "book", "<name>Мечтатели</name><author>А. Перо</author><publisher>Гранат</publisher>") +
      typed("5", "artist.title", "<artist>Кот</artist><title>Песни</title><media>CD</media>") +
      typed("6", "tour", "<name>Алтай</name><days>7</days>") +
      typed("7", "event-ticket", "<name>Цирк</name><place>Арена</place>") + typed("8", "medicine", "<name>Йод</name>") +
      typed("9", "audiobook", "<name>Сказки</name><performed_by>Голос</performed_by>") +
      typed("10", "", "<name>Стул</name><author>не книга</author>")));
  ASSERT_EQ(reading.offers.size(), 10U);
  const auto& offers = reading.offers;
  EXPECT_EQ(offers[0].name, "Насос Норвик P-7");
  EXPECT_EQ(offers[1].name, "НОРВИК P-7");
  EXPECT_EQ(offers[2].name, "P P-7");
  EXPECT_EQ(offers[3].name, "Мечтатели");
  EXPECT_EQ(offers[3].vendor, "Гранат");
  EXPECT_EQ(offers[3].params, (std::vector<Param>{{"Автор", "А. Перо", ""}}));
  EXPECT_EQ(offers[4].name, "Кот Песни");
  EXPECT_EQ(offers[4].params, (std::vector<Param>{{"Носитель", "CD", ""}}));
  EXPECT_EQ(offers[5].params, (std::vector<Param>{{"Дней", "7", ""}}));
  EXPECT_EQ(offers[6].params, (std::vector<Param>{{"Место", "Арена", ""}}));
  EXPECT_EQ(offers[7].name, "Йод");
  EXPECT_EQ(offers[8].params, (std::vector<Param>{{"Исполнитель", "Голос", ""}}));
  EXPECT_TRUE(offers[9].params.empty());
}

TEST(YmlOffer, HtmlEntitiesBesideADoctypeAreCharacters) {
  const std::string prolog = "<?xml version=\"1.0\"?>\n<!DOCTYPE yml_catalog SYSTEM \"shops.dtd\">";
  for (const size_t block : {std::string::npos, size_t{1}, size_t{7}}) {
    const Reading reading = read_text(
        feed_with(
            offer_text("&lt;&#65;&#x42;&laquo;", "<param name='a&nbsp;b\nc' unit='&amp;amp;'>d&mdash;e&lt;</param>"),
            prolog),
        block);
    ASSERT_EQ(reading.offers.size(), 1U) << reading.report.feed_error.message;
    EXPECT_EQ(reading.offers[0].id, "<AB«");
    EXPECT_EQ(reading.offers[0].params, (std::vector<Param>{{"a b c", "d—e<", "&amp;"}}));
    EXPECT_THAT(kinds(reading.report.warnings), testing::Contains("html_entity"));
  }
}

TEST(YmlOffer, MarkupInTextPartsWords) {
  const Reading reading = read_text(feed_with(offer_text(
      "1", "<model>a<br/>b</model><description>x<p>y</p>z</description><unknown><name>no</name></unknown>")));
  ASSERT_EQ(reading.offers.size(), 1U);
  EXPECT_EQ(reading.offers[0].model, "a b");
  EXPECT_EQ(reading.offers[0].description, "x y z");
  EXPECT_EQ(reading.offers[0].name, "Лампа");
}

TEST(YmlFeed, ListsAfterTheOffersAreNotRead) {
  std::string feed = feed_with(offer_text("1"));
  const std::string late = "</offers><categories><category id='9'>x</category></categories><offers>" +
                           typed("2", "", "<name>n</name><categoryId>9</categoryId>");
  feed.replace(feed.find("</offers>"), 9, late + "</offers>");
  const Reading reading = read_text(feed);
  EXPECT_TRUE(reading.good);
  EXPECT_EQ(reading.offers.size(), 2U);
  EXPECT_EQ(kinds(reading.report.warnings), std::vector<std::string>{"late_list"});
}

TEST(Report, IsJsonWithOneEntryToTheLine) {
  const Reading reading = read_text(feed_with("<offer id='\"q\"'/>" + offer_text("1")));
  Report report = reading.report;
  report.shop = "a\"b";
  const std::string text = to_json(report);
  EXPECT_THAT(text, testing::HasSubstr("\"shop\": \"a\\\"b\""));
  EXPECT_THAT(text, testing::HasSubstr("\n {\"line\":9,\"id\":\"\\\"q\\\"\",\"kind\":\"missing_name\","));
  EXPECT_THAT(text, testing::HasSubstr("\"accepted\":1,\"rejected\":1,"));
}

TEST(Report, KeepsTheFirstEntriesAndAllCounts) {
  Report report;
  for (size_t i = 0; i < Report::kKept + 5; ++i) {
    report.reject({i, "", "k", "m"});
    report.warn({i, "", "k", "m"});
  }
  EXPECT_EQ(report.errors.size(), Report::kKept);
  EXPECT_EQ(report.warnings.size(), Report::kKept);
  EXPECT_EQ(report.rejected, Report::kKept + 5);
  EXPECT_EQ(report.warning_count, Report::kKept + 5);
}

}  // namespace
}  // namespace souk::feed
