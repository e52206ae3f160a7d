// SPDX-License-Identifier: Apache-2.0
// Google Merchant as XML.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/indexer/feed/feed_text.h"
#include "tests/unit/indexer/feed/google_text.h"

namespace souk::feed {
namespace {

using testing::ElementsAre;

std::string replaced(std::string text, const std::string& part, const std::string& other) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + other.size())) {
    text.replace(at, part.size(), other);
  }
  return text;
}

Offer only(const Reading& reading) {
  EXPECT_TRUE(reading.good) << reading.report.feed_error.message;
  EXPECT_EQ(reading.offers.size(), 1U);
  return reading.offers.empty() ? Offer() : reading.offers[0];
}

std::string fault(const Reading& reading) {
  return reading.report.errors.empty() ? "" : reading.report.errors[0].kind;
}

TEST(GoogleXml, EveryAttributeIsRead) {
  const Reading reading = read_text(rss_with(rss_item(google_item(
      "7",
      "<g:brand>Norvik</g:brand><g:mpn>LX</g:mpn><g:gtin>4006381333931</g:gtin><g:item_group_id>G</g:item_group_id>"
      "<g:additional_image_link>https://img.example/2.jpg</g:additional_image_link><g:condition>used</g:condition>"
      "<g:product_type>Home &gt; Lamps</g:product_type><g:google_product_category>594</g:google_product_category>"
      "<g:color>red</g:color><g:size>XL</g:size><g:adult>no</g:adult><g:shipping_weight>2 kg</g:shipping_weight>"
      "<g:shipping><g:price>5 USD</g:price></g:shipping><g:custom_label_0>x</g:custom_label_0>"
      "<g:product_detail><g:section_name>S</g:section_name><g:attribute_name>Power</g:attribute_name>"
      "<g:attribute_value>10 W</g:attribute_value></g:product_detail>"))));
  const Offer offer = only(reading);
  EXPECT_EQ(offer.line, 3U);
  EXPECT_EQ(offer.id, "7");
  EXPECT_EQ(offer.name, "Lamp");
  EXPECT_EQ(offer.description, "Warm");
  EXPECT_EQ(offer.url, "https://shop.example/7");
  EXPECT_EQ(offer.vendor, "Norvik");
  EXPECT_EQ(offer.vendor_code, "LX");
  EXPECT_EQ(offer.group_id, "G");
  EXPECT_EQ(offer.condition, "used");
  EXPECT_EQ(offer.price, 1500);
  EXPECT_EQ(offer.currency, "USD");
  EXPECT_THAT(offer.barcodes, ElementsAre("4006381333931"));
  EXPECT_THAT(offer.pictures, ElementsAre("https://img.example/1.jpg", "https://img.example/2.jpg"));
  EXPECT_THAT(offer.category_path, ElementsAre("Home", "Lamps"));
  EXPECT_THAT(offer.params,
              ElementsAre(Param{"color", "red", ""}, Param{"size", "XL", ""}, Param{"Power", "10 W", ""}));
  EXPECT_THAT(offer.extras, ElementsAre(Param{"weight", "2 kg", ""}));
  EXPECT_EQ(reading.report.format, Format::kGoogleXml);
  EXPECT_EQ(reading.report.warning_count, 0U);
  EXPECT_EQ(reading.header.shop_name, "Shop");
  EXPECT_EQ(reading.header.url, "https://shop.example/");
}

TEST(GoogleXml, AtomIsRead) {
  const Reading reading = read_text(
      "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:x=\"http://base.google.com/ns/1.0\"><title>Shop</title>"
      "<link rel=\"self\" href=\"https://shop.example/feed\"/><link href=\"https://shop.example/\"/>"
      "<entry><id>tag:1</id><x:id>a1</x:id><title>Lamp</title><summary>Warm</summary>"
      "<link rel=\"edit\" href=\"https://no.example/\"/><link href=\"https://shop.example/a1\"/>"
      "<x:image_link>https://img.example/1.jpg</x:image_link><x:price>9 EUR</x:price>"
      "<x:availability>out of stock</x:availability></entry></feed>");
  const Offer offer = only(reading);
  EXPECT_EQ(offer.id, "a1");
  EXPECT_EQ(offer.url, "https://shop.example/a1");
  EXPECT_EQ(offer.description, "Warm");
  EXPECT_EQ(offer.availability, Availability::kOutOfStock);
  EXPECT_FALSE(offer.available);
  EXPECT_EQ(reading.header.url, "https://shop.example/");
}

TEST(GoogleXml, Rss10IsRead) {
  const Reading reading = read_text(
      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\" "
      "xmlns:g=\"http://base.google.com/ns/1.0\"><channel rdf:about=\"x\"><title>Shop</title></channel>" +
      rss_item(google_item("r1")) + "</rdf:RDF>");
  EXPECT_EQ(only(reading).id, "r1");
  EXPECT_EQ(reading.header.shop_name, "Shop");
}

// The namespace counts, not the prefix; it may be the default one, and declared anywhere.
TEST(GoogleXml, PrefixesDoNotMatter) {
  const std::string feed = rss_with(rss_item(google_item("1")));
  EXPECT_EQ(only(read_text(replaced(replaced(feed, "g:", "goods:"), "xmlns:g=", "xmlns:goods="))).id, "1");
  EXPECT_EQ(only(read_text(replaced(replaced(feed, "g:", ""), "xmlns:g=", "xmlns="))).id, "1");
  const std::string apart =
      replaced(replaced(feed, "<g:id>", "<q:id xmlns:q=\"http://base.google.com/ns/1.0\">"), "</g:id>", "</q:id>");
  EXPECT_EQ(only(read_text(apart)).id, "1");
  // Another namespace under the prefix g is not Google's; what was declared ends with its element.
  EXPECT_EQ(fault(read_text(replaced(feed, "base.google.com", "other.example"))), "missing_id");
  const std::string later = replaced(apart, "<title>Lamp", "<q:x/><title>Lamp");
  EXPECT_EQ(read_text(later).report.feed_error.kind, "xml_malformed");
}

TEST(GoogleXml, IdMustBeInTheNamespace) {
  std::string feed = rss_with(rss_item(google_item("1")));
  EXPECT_EQ(fault(read_text(replaced(feed, "g:id>", "id>"))), "missing_id");
  EXPECT_EQ(
      only(read_text(replaced(replaced(feed, "<title>Lamp</title>", "<g:title>Lamp</g:title>"), "g:price>", "price>")))
          .price,
      1500);
}

TEST(GoogleXml, AnUndeclaredPrefixIsRepairedOnce) {
  const std::string feed = replaced(rss_with(rss_item(google_item("1")) + rss_item(google_item("2", "<s:x>y</s:x>"))),
                                    " xmlns:g=\"http://base.google.com/ns/1.0\"", "");
  const Reading strict = read_text(feed);
  EXPECT_EQ(strict.report.feed_error.kind, "xml_malformed");
  EXPECT_EQ(strict.report.feed_error.line, 3U);
  const Reading lenient = read_leniently(feed);
  EXPECT_EQ(lenient.offers.size(), 2U);
  EXPECT_EQ(kinds(lenient.report.warnings), std::vector<std::string>{"namespace_repaired"});
}

TEST(GoogleXml, ABrokenItemIsLostAloneLeniently) {
  const std::string feed = rss_with(rss_item(google_item("1")) + "<item><g:id>2</g:id><title>a <b</title></item>\n" +
                                    rss_item(google_item("3")));
  EXPECT_EQ(read_text(feed).report.feed_error.kind, "xml_malformed");
  for (const size_t block : {std::string_view::npos, size_t{1}, size_t{50}}) {
    const Reading lenient = read_leniently(feed, block);
    ASSERT_EQ(lenient.offers.size(), 2U) << lenient.report.feed_error.message;
    EXPECT_EQ(lenient.offers[1].id, "3");
    ASSERT_EQ(lenient.report.errors.size(), 1U);
    EXPECT_EQ(lenient.report.errors[0].kind, "offer_malformed");
    EXPECT_EQ(lenient.report.errors[0].id, "2");
    EXPECT_EQ(lenient.report.errors[0].line, 4U);
  }
}

TEST(GoogleXml, WhatIsRequiredIsMissed) {
  const auto without = [](const std::string& element) {
    std::string item = google_item("1");
    const size_t begin = item.find("<" + element + ">");
    const std::string end = "</" + element + ">";
    item.erase(begin, item.find(end) + end.size() - begin);
    return fault(read_text(rss_with(rss_item(item))));
  };
  EXPECT_EQ(without("g:id"), "missing_id");
  EXPECT_EQ(without("title"), "missing_name");
  EXPECT_EQ(without("description"), "missing_description");
  EXPECT_EQ(without("link"), "missing_url");
  EXPECT_EQ(without("g:image_link"), "missing_picture");
  EXPECT_EQ(without("g:price"), "missing_price");
  EXPECT_EQ(without("g:availability"), "missing_availability");
  const std::string long_id(51, 'i');
  EXPECT_EQ(fault(read_text(rss_with(rss_item(google_item(long_id))))), "id_too_long");
  const Reading lenient = read_leniently(rss_with(rss_item(google_item(long_id))));
  EXPECT_EQ(kinds(lenient.report.warnings), std::vector<std::string>{"odd_id"});
}

TEST(GoogleXml, SalePricesHoldWithinTheirDates) {
  const auto read = [](const std::string& sale, const std::string& dates, int64_t now) {
    const std::string more = "<g:sale_price>" + sale + "</g:sale_price><g:sale_price_effective_date>" + dates +
                             "</g:sale_price_effective_date>";
    const Reading reading = read_text(rss_with(rss_item(google_item("1", more))), std::string_view::npos,
                                      {.mode = Mode::kStrict, .limits = {}, .now = now});
    const Offer offer = only(reading);
    return std::to_string(offer.price) + "/" + std::to_string(offer.old_price) +
           (reading.report.warning_kinds.contains("bad_sale_price") ? "!" : "");
  };
  const std::string february = "2026-02-01T00:00Z/2026-03-01T00:00Z";
  EXPECT_EQ(read("9 USD", "", 1), "900/1500");
  EXPECT_EQ(read("9 USD", february, 1'769'904'000), "900/1500");
  EXPECT_EQ(read("9 USD", february, 1'769'903'999), "1500/0");
  EXPECT_EQ(read("9 USD", february, 1'772'323'200), "1500/0");
  EXPECT_EQ(read("9 USD", "soon", 1), "1500/0!");
  EXPECT_EQ(read("15 USD", "", 1), "1500/0!");
  EXPECT_EQ(read("0 USD", "", 1), "1500/0!");
  EXPECT_EQ(read("9 EUR", "", 1), "1500/0!");
  EXPECT_EQ(read("9", "", 1), "1500/0!");
}

// The documented spellings in any mode; others of the same words only leniently; anything else never.
RC_GTEST_PROP(GoogleAvailability, SpellingsAreThoseOfTheMode, ()) {
  static const std::vector<std::pair<std::string, Availability>> kWords{{"in stock", Availability::kInStock},
                                                                        {"out of stock", Availability::kOutOfStock},
                                                                        {"preorder", Availability::kPreorder},
                                                                        {"backorder", Availability::kBackorder}};
  const auto [word, meaning] = *rc::gen::elementOf(kWords);
  const char gap = *rc::gen::element(' ', '_', '-');
  const bool upper = *rc::gen::arbitrary<bool>();
  const std::string tail = *rc::gen::element<std::string>("", "", "", "!", "x", " soon");
  std::string text = word;
  for (char& c : text) {
    if (c == ' ') c = gap;
    if (upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  const std::string feed = rss_with(rss_item(replaced(google_item("1"), ">in_stock<", ">" + text + tail + "<")) +
                                    rss_item(google_item("2")));
  const bool documented = !upper && (gap != '-' || word.find(' ') == std::string::npos);
  const Reading strict = read_text(feed);
  const Reading lenient = read_leniently(feed);
  RC_ASSERT((strict.offers.size() == 2U) == (tail.empty() && documented));
  RC_ASSERT((lenient.offers.size() == 2U) == tail.empty());
  for (const Reading* reading : {&strict, &lenient}) {
    if (reading->offers.size() == 2U) {
      RC_ASSERT(reading->offers[0].availability == meaning);
      RC_ASSERT(reading->offers[0].available == (meaning == Availability::kInStock));
      const bool later = meaning == Availability::kPreorder || meaning == Availability::kBackorder;
      RC_ASSERT(reading->report.warning_kinds.contains("missing_availability_date") == later);
    } else {
      RC_ASSERT(fault(*reading) == "bad_availability");
    }
  }
}

TEST(GoogleXml, NamespacesInForceAreBounded) {
  std::string attributes;
  for (int i = 0; i < 40; ++i) attributes += " xmlns:p" + std::to_string(i) + "=\"x\"";
  const std::string nested = "<x" + attributes + "><y" + attributes + "/></x>";
  EXPECT_EQ(read_text(rss_with(nested + rss_item(google_item("1")))).report.feed_error.kind, "size_limit");
  const std::string beside = "<x" + attributes + "/><y" + attributes + "/>";
  EXPECT_TRUE(read_text(rss_with(beside + rss_item(google_item("1")))).good);
}

// Any values: read back, or refused for what they lack.
RC_GTEST_PROP(GoogleXmlProperty, WhatIsWrittenIsRead, ()) {
  const auto text = rc::gen::resize(
      12, rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::elementOf(std::string("abcXYZ0189-_.")))));
  const int64_t price = *rc::gen::inRange<int64_t>(1, 1'000'000'000);
  const std::string cents = std::to_string(100 + price % 100).substr(1);
  const std::string vendor = *text, color = *text, group = *text;
  const std::string feed =
      rss_with(rss_item(google_item(*text,
                                    "<g:brand>" + vendor + "</g:brand><g:color>" + color +
                                        "</g:color><g:item_group_id>" + group + "</g:item_group_id>",
                                    std::to_string(price / 100) + "." + cents + " KZT")));
  const Reading reading = read_text(feed, *rc::gen::inRange<size_t>(1, 300));
  RC_ASSERT(reading.offers.size() == 1U);
  const Offer& offer = reading.offers[0];
  RC_ASSERT(offer.price == price);
  RC_ASSERT(offer.currency == "KZT");
  RC_ASSERT(offer.vendor == vendor);
  RC_ASSERT(offer.group_id == group);
  RC_ASSERT(offer.params == std::vector<Param>({{"color", color, ""}}));
}

RC_GTEST_PROP(GoogleXmlProperty, DamageIsNoticedOrHarmless, ()) {
  std::string feed = rss_with(rss_item(google_item("1")) + rss_item(google_item("2")));
  feed[*rc::gen::inRange<size_t>(0, feed.size())] = static_cast<char>(*rc::gen::inRange(0, 256));
  for (const Mode mode : {Mode::kStrict, Mode::kLenient}) {
    const Reading reading = read_text(feed, std::string_view::npos, {.mode = mode, .limits = {}, .now = 1});
    RC_ASSERT(reading.good == reading.report.ok());
    RC_ASSERT(reading.offers.size() <= 2U);
    RC_ASSERT((reading.good || reading.report.feed_error.line > 0));
  }
}

}  // namespace
}  // namespace souk::feed
