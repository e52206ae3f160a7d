// SPDX-License-Identifier: Apache-2.0
// The formats of rows: Google Merchant's tab-separated text, and JSON lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "indexer/feed/google_tsv.h"
#include "indexer/feed/json_lines.h"
#include "tests/unit/indexer/feed/feed_text.h"

namespace souk::feed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kHead = "id\ttitle\tdescription\tlink\timage link\tprice\tavailability\tbrand\n";

std::string row(const std::string& id, const std::string& description = "x", const std::string& brand = "b") {
  return id + "\tLamp\t" + description + "\thttps://a.example/1\thttps://a.example/1.jpg\t5.00 USD\tin_stock\t" +
         brand + "\n";
}

// "id:kind" of each rejected offer.
std::vector<std::string> faults(const Reading& reading) {
  std::vector<std::string> out;
  for (const OfferError& error : reading.report.errors) out.push_back(error.id + ":" + error.kind);
  return out;
}

TEST(GoogleTsv, HeadersAreReadHoweverWritten) {
  for (const std::string head :
       {"ID [id]\tTitle\tDescription\tLink\tImage link [image_link]\tPRICE\tavailability\tbrand\n",
        "g:id\tg:title\tg:description\tg:link\tg:image_link\tg:price\tg:availability\tg:brand\r\n",
        "\"id\"\ttitle\tdescription\tlink\timage  link\tprice\tavailability\tbrand\n"}) {
    const Reading reading = read_text(head + row("1"));
    EXPECT_THAT(ids(reading), ElementsAre("1")) << head << reading.report.feed_error.message;
    EXPECT_EQ(reading.report.format, Format::kGoogleTsv);
  }
  EXPECT_EQ(read_text("title\tprice\nx\ty\n").report.feed_error.kind, "not_a_feed");
  EXPECT_EQ(read_text("id;title;price\n1;2;3\n").report.feed_error.kind, "not_a_feed");
  EXPECT_EQ(read_text(kHead).report.feed_error.kind, "no_valid_offers");
}

TEST(GoogleTsv, FaultsStayInTheirRow) {
  const Reading reading =
      read_text(std::string(kHead) + row("1") + "2\tLamp\ta\tb\tc\td\te\tf\tg\n" + "3\tLamp\n" + row("4", "\"open") +
                row("5") + "\n\t\t\n" + row("6", "\"a\"b") + row("7") + row("7"));
  EXPECT_THAT(ids(reading), ElementsAre("1", "5", "7"));
  EXPECT_THAT(faults(reading), ElementsAre("2:bad_row", "3:missing_price", "4:bad_row", "6:bad_row", "7:duplicate_id"));
  std::vector<uint64_t> lines;
  for (const OfferError& error : reading.report.errors) lines.push_back(error.line);
  EXPECT_THAT(lines, ElementsAre(3U, 4U, 5U, 9U, 11U));
}

TEST(GoogleTsv, ARowTooLongIsLeftOut) {
  const std::string text(GoogleTsv::kMaxRow, 'd');
  for (const size_t block : {std::string_view::npos, size_t{10'000}}) {
    const Reading reading =
        read_text(std::string(kHead) + row("1", text) + row("2") + row("3", "\"" + text + "\"") + row("4"), block);
    EXPECT_THAT(ids(reading), ElementsAre("2", "4"));
    EXPECT_THAT(faults(reading), ElementsAre("1:bad_row", "3:bad_row"));
    EXPECT_EQ(reading.report.errors[1].line, 4U);
  }
}

TEST(GoogleTsv, SeveralImagesAreInOneCell) {
  const Reading reading =
      read_text("id\ttitle\tdescription\tlink\timage_link\tprice\tavailability\tadditional_image_link\n" +
                row("1", "x", "https://a.example/2,3.jpg, https://a.example/4.jpg"));
  ASSERT_EQ(reading.offers.size(), 1U);
  EXPECT_THAT(reading.offers[0].pictures,
              ElementsAre("https://a.example/1.jpg", "https://a.example/2,3.jpg", "https://a.example/4.jpg"));
}

// A cell in quotes holds any text; blocks do not matter; rows around it stay.
RC_GTEST_PROP(GoogleTsvProperty, QuotedCellsAreReadBack, ()) {
  const auto cell =
      rc::gen::resize(15, rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\"\t\n\r ,"))));
  const auto cells = *rc::gen::resize(6, rc::gen::container<std::vector<std::string>>(cell));
  std::string feed = kHead;
  std::vector<std::string> expected;
  std::vector<uint64_t> lines;
  uint64_t line = 2;
  for (size_t i = 0; i < cells.size(); ++i) {
    std::string quoted = "\"d";
    for (const char c : cells[i]) quoted += c == '"' ? "\"\"" : std::string(1, c);
    feed += row(std::to_string(i), quoted + "\"");
    lines.push_back(line);
    line += 1 + static_cast<uint64_t>(std::ranges::count(cells[i], '\n'));
    std::string folded;
    for (const char c : "d" + cells[i]) {
      const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (!blank) folded += c;
      if (blank && !folded.ends_with(' ')) folded += ' ';
    }
    while (folded.ends_with(' ')) folded.pop_back();
    expected.push_back(folded);
  }
  feed += row("last");
  const Reading reading = read_text(feed, *rc::gen::inRange<size_t>(1, 100));
  RC_ASSERT(reading.offers.size() == cells.size() + 1);
  RC_ASSERT(reading.report.rejected == 0U);
  for (size_t i = 0; i < cells.size(); ++i) {
    RC_ASSERT(reading.offers[i].description == expected[i]);
    RC_ASSERT(reading.offers[i].line == lines[i]);
  }
}

// Whatever a row is, the rows before and behind it are read.
RC_GTEST_PROP(GoogleTsvProperty, AnyRowIsLocal, ()) {
  const std::string bad =
      *rc::gen::resize(30, rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\"\"\t\t1 "))));
  const Reading reading =
      read_text(kHead + row("before") + bad + "\n" + row("behind", "\"q\"\"\""), *rc::gen::inRange<size_t>(1, 100));
  const auto read = ids(reading);
  RC_ASSERT(std::ranges::find(read, "before") != read.end());
  // A quote that the row opens may run on to the next one's, and only so far.
  const bool open = std::ranges::count(bad, '"') > 0;
  RC_ASSERT((std::ranges::find(read, "behind") != read.end() || open));
}

std::string json(const std::string& id, const std::string& more = {}) {
  return "{\"id\":" + id + ",\"name\":\"Lamp\",\"price\":\"14.90\",\"currency\":\"RUB\",\"category\":\"A > B\"," +
         "\"url\":\"https://a.example/1\"" + (more.empty() ? "" : "," + more) + "}\n";
}

TEST(JsonLines, EveryFieldIsRead) {
  const Reading reading = read_text(
      "{\"id\":17,\"name\":\" Lamp \",\"type\":\"book\",\"vendor\":\"N\",\"vendor_code\":\"L-1\",\"model\":\"L\","
      "\"price\":1490.5,\"old_price\":\"1990\",\"currency\":\"rub\",\"category\":\"12\",\"category_path\":[\"A\",\"B\"]"
      ","
      "\"availability\":\"preorder\",\"condition\":\"new\",\"group_id\":5,\"barcodes\":[4006381333931],"
      "\"pictures\":[\"https://a.example/"
      "1.jpg\"],\"params\":[[\"c\",null,\"red\"],{\"name\":\"w\",\"unit\":\"kg\",\"value\":2}],"
      "\"extras\":[[\"sales_notes\",null,\"x\"]],\"description\":\"<p>a</p>b\",\"url\":\"https://a.example/\","
      "\"adult\":true,\"delivery\":false,\"delivery_options\":[{\"cost\":300,\"days\":\"2-4\",\"order_before\":13}],"
      "\"unknown\":{\"x\":[1]}}\n");
  ASSERT_EQ(reading.offers.size(), 1U) << reading.report.feed_error.message;
  const Offer& offer = reading.offers[0];
  EXPECT_EQ(reading.report.format, Format::kJsonLines);
  EXPECT_EQ(reading.report.warning_count, 0U);
  EXPECT_EQ(offer.id, "17");
  EXPECT_EQ(offer.name, "Lamp");
  EXPECT_EQ(offer.type, "book");
  EXPECT_EQ(offer.price, 149050);
  EXPECT_EQ(offer.old_price, 199000);
  EXPECT_EQ(offer.currency, "RUB");
  EXPECT_EQ(offer.category_id, "12");
  EXPECT_THAT(offer.category_path, ElementsAre("A", "B"));
  EXPECT_EQ(offer.availability, Availability::kPreorder);
  EXPECT_FALSE(offer.available);
  EXPECT_EQ(offer.group_id, "5");
  EXPECT_THAT(offer.barcodes, ElementsAre("4006381333931"));
  EXPECT_THAT(offer.params, ElementsAre(Param{"c", "red", ""}, Param{"w", "2", "kg"}));
  EXPECT_THAT(offer.extras, ElementsAre(Param{"sales_notes", "x", ""}));
  EXPECT_EQ(offer.description, "a b");
  EXPECT_TRUE(offer.adult);
  EXPECT_EQ(offer.delivery.delivery, false);
  EXPECT_THAT(offer.delivery.delivery_options, ElementsAre(DeliveryOption{30'000, 2, 4, 13}));
}

TEST(JsonLines, FaultsStayInTheirLine) {
  const std::string deep(JsonLines::kMaxDepth + 1, '[');
  const std::vector<std::string> bad{"nothing",
                                     "[1]",
                                     "{\"id\":1",
                                     "{\"id\":\"\\ud800\"}",
                                     "{\"id\":[1]}",
                                     "{\"id\":1,\"pictures\":\"x\"}",
                                     "{\"id\":1,\"params\":[[1,2]]}",
                                     "{\"id\":1,\"x\":" + deep + "}",
                                     "{} {}",
                                     "{\"id\":1,\"delivery_options\":[1]}"};
  std::string feed = json("\"a\"");
  for (const std::string& line : bad) feed += line + "\r\n";
  feed += "\n" + json("\"b\"") + json("\"b\"") + "{\"id\":\"c\",\"name\":1}";
  for (const size_t block : {std::string_view::npos, size_t{1}, size_t{64}}) {
    const Reading reading = read_text(feed, block);
    EXPECT_THAT(ids(reading), ElementsAre("a", "b"));
    ASSERT_EQ(reading.report.errors.size(), bad.size() + 2);
    for (size_t i = 0; i < bad.size(); ++i) {
      EXPECT_EQ(reading.report.errors[i].kind, "bad_row") << bad[i];
      EXPECT_EQ(reading.report.errors[i].line, i + 2) << bad[i];
    }
    EXPECT_EQ(reading.report.errors[bad.size()].kind, "duplicate_id");
    EXPECT_EQ(reading.report.errors.back().kind, "missing_price");
    EXPECT_EQ(reading.report.errors.back().id, "c");
    EXPECT_EQ(reading.report.errors.back().line, bad.size() + 5);
  }
  EXPECT_THAT(read_text(json("1") + "{\"id\":1,\"adult\":[]}").report.errors[0].message,
              HasSubstr("the field \"adult\" is not true or false"));
}

TEST(JsonLines, ALineTooLongIsLeftOut) {
  const std::string text(JsonLines::kMaxLine, 'd');
  for (const size_t block : {std::string_view::npos, size_t{10'000}}) {
    const Reading reading =
        read_text(json("1") + json("2", "\"description\":\"" + text + "\"") + json("3") + "{\"id\":\"" + text, block);
    EXPECT_THAT(ids(reading), ElementsAre("1", "3"));
    EXPECT_THAT(faults(reading), ElementsAre(":bad_row", ":bad_row"));
    EXPECT_EQ(reading.report.errors[1].line, 4U);
  }
}

TEST(JsonLines, NoGoodOfferIsNoFeed) {
  for (const char* text : {"{}", "{\"id\":1}\n", "{\"offers\":[]}"}) {
    EXPECT_EQ(read_text(text).report.feed_error.kind, "no_valid_offers") << text;
  }
}

RC_GTEST_PROP(JsonLinesProperty, AnyLineIsLocal, ()) {
  const std::string bad =
      *rc::gen::resize(40, rc::gen::container<std::string>(rc::gen::elementOf(std::string("{}[]\",:\\uid10 e-"))));
  const Reading reading =
      read_text(json("\"before\"") + bad + "\n" + json("\"behind\""), *rc::gen::inRange<size_t>(1, 99));
  RC_ASSERT(ids(reading) == std::vector<std::string>({"before", "behind"}));
  RC_ASSERT(reading.report.rejected <= 1U);
}

}  // namespace
}  // namespace souk::feed
