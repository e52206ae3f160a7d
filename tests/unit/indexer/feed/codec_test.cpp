// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/codec.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

namespace souk::feed {
namespace {

Offer whole_offer() {
  Offer offer;
  offer.line = 7;
  offer.id = "1";
  offer.type = "book";
  offer.name = "Лампа";
  offer.url = "https://a.example/";
  offer.vendor = "v";
  offer.vendor_code = "c";
  offer.model = "m";
  offer.description = "d";
  offer.currency = "RUB";
  offer.group_id = "g";
  offer.category_id = "2";
  offer.category_path = {"A", "B"};
  offer.pictures = {"https://a.example/1.jpg"};
  offer.barcodes = {"4006381333931"};
  offer.params = {{"n", "v", "u"}, {"n", "w", ""}};
  offer.extras = {{"weight", "1", ""}};
  offer.condition = "used";
  offer.price = 100;
  offer.old_price = 200;
  offer.available = false;
  offer.availability = Availability::kBackorder;
  offer.adult = true;
  offer.delivery = {true, false, std::nullopt, {{100, 1, 2, 13}}, {{0, 0, 0, 24}}};
  return offer;
}

FeedOfferRecord record_of(const Offer& offer) {
  FeedOfferRecord record;
  fill_record(record, offer);
  return record;
}

TEST(Codec, OffersAreReadBack) {
  for (const Offer& offer : {whole_offer(), [] {
                               Offer least;
                               least.id = least.name = "x";
                               least.currency = "USD";
                               least.price = 1;
                               return least;
                             }()}) {
    const FeedOfferRecord record = record_of(offer);
    const auto read = read_record(FeedOfferRecord(record));
    ASSERT_TRUE(read) << read.error().argument;
    EXPECT_EQ(record_of(*read).SerializeAsString(), record.SerializeAsString());
    EXPECT_EQ(read->available, read->availability == Availability::kInStock);
    EXPECT_EQ(read->delivery, offer.delivery);
    EXPECT_EQ(read->params, offer.params);
    EXPECT_EQ(read->line, offer.line);
  }
}

TEST(Codec, OutOfBoundsIsCorrupt) {
  const std::vector<std::function<void(FeedOfferRecord&)>> damages{
      [](auto& r) { r.clear_id(); },
      [](auto& r) { r.set_id(std::string(256, 'x')); },
      [](auto& r) { r.clear_name(); },
      [](auto& r) { r.set_name(std::string(501, 'x')); },
      [](auto& r) { r.set_url(std::string(513, 'x')); },
      [](auto& r) { r.set_description(std::string(3001, 'x')); },
      [](auto& r) { r.set_currency("rub"); },
      [](auto& r) { r.set_currency(""); },
      [](auto& r) { r.set_price(0); },
      [](auto& r) { r.set_price(OfferLimits::kPrice + 1); },
      [](auto& r) { r.set_old_price(-1); },
      [](auto& r) { r.set_availability(4); },
      [](auto& r) { r.add_barcodes("x"); },
      [](auto& r) { r.mutable_params(0)->set_name(std::string(501, 'x')); },
      [](auto& r) { r.mutable_delivery()->mutable_delivery_options(0)->set_days_to(0); },
      [](auto& r) { r.mutable_delivery()->mutable_delivery_options(0)->set_order_before(25); },
      [](auto& r) {
        for (int i = 0; i < 10; ++i) r.add_pictures("https://a.example/");
      },
      [](auto& r) {
        for (int i = 0; i < 64; ++i) r.add_extras()->set_name("x");
      },
      [](auto& r) {
        for (int i = 0; i < 63; ++i) r.add_category_path("x");
      },
  };
  for (size_t i = 0; i < damages.size(); ++i) {
    FeedOfferRecord record = record_of(whole_offer());
    damages[i](record);
    const auto read = read_record(std::move(record));
    ASSERT_FALSE(read) << "damage " << i;
    EXPECT_EQ(read.error().code, ErrorCode::kCorruption);
  }
}

RC_GTEST_PROP(CodecProperty, AnyBytesAreReadOrRefused, ()) {
  std::string bytes = record_of(whole_offer()).SerializeAsString();
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) {
    bytes[*rc::gen::inRange<size_t>(0, bytes.size())] = static_cast<char>(*rc::gen::inRange(0, 256));
  }
  FeedOfferRecord record;
  if (!record.ParseFromString(bytes)) return;
  const auto read = read_record(std::move(record));
  if (!read) return;
  const auto again = read_record(record_of(*read));
  RC_ASSERT(again.has_value());
}

TEST(Codec, ReportsAndHeadersAreReadBack) {
  Report report;
  report.mode = Mode::kLenient;
  report.format = Format::kGoogleTsv;
  report.date = "2026-01-10T12:00";
  report.feed_error = {"truncated", 5, "m"};
  report.accepted = 3;
  report.reject({1, "a", "bad_price", "x"});
  report.warn({2, "b", "odd_id", "y"});
  report.repair("price_repaired");
  FeedHeader header{"s", "c", "https://a.example/", "2026-01-10T12:00", "RUB", {true, {}, {}, {{1, 2, 3, 4}}, {}}};
  ReportRecord record;
  fill_record(record, report);
  fill_record(*record.mutable_header(), header);
  const auto read_header = read_record(std::move(*record.mutable_header()));
  ASSERT_TRUE(read_header);
  EXPECT_EQ(read_header->shop_name, "s");
  EXPECT_EQ(read_header->date, header.date);
  EXPECT_EQ(read_header->currency, "RUB");
  EXPECT_EQ(read_header->delivery, header.delivery);
  Report read;
  ASSERT_TRUE(read_record(std::move(record), read));
  EXPECT_EQ(to_json(read), to_json(report));
  EXPECT_EQ(read.date, report.date);
  EXPECT_EQ(read.repairs.at("price_repaired"), 1U);
}

TEST(Codec, ReportsOutOfBoundsAreCorrupt) {
  const auto refused = [](const std::function<void(ReportRecord&)>& damage) {
    ReportRecord record;
    fill_record(record, Report());
    damage(record);
    Report report;
    return !read_record(std::move(record), report);
  };
  EXPECT_FALSE(refused([](auto&) {}));
  EXPECT_TRUE(refused([](auto& r) { r.set_mode(2); }));
  EXPECT_TRUE(refused([](auto& r) { r.set_format(5); }));
  EXPECT_TRUE(refused([](auto& r) { r.add_errors()->set_kind(std::string(65, 'k')); }));
  EXPECT_TRUE(refused([](auto& r) { r.add_warnings()->set_message(std::string(2001, 'm')); }));
  EXPECT_TRUE(refused([](auto& r) {
    for (int i = 0; i < 1001; ++i) (*r.mutable_error_kinds())[std::to_string(i)] = 1;
  }));
}

}  // namespace
}  // namespace souk::feed
