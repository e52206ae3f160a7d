// SPDX-License-Identifier: Apache-2.0
// What the values of an offer are read as in each mode: prices, currencies, availability, dates, delivery, links.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>

#include "indexer/feed/money.h"
#include "indexer/feed/values.h"
#include "tests/unit/indexer/feed/feed_text.h"

namespace souk::feed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string with(std::string text, const std::string& part, const std::string& other) {
  return text.replace(text.find(part), part.size(), other);
}

rc::Gen<std::string> texts_of(const std::string& letters) {
  return rc::gen::container<std::string>(rc::gen::elementOf(letters));
}

// The one offer of a feed, if it is accepted; the report says the rest.
struct One {
  std::optional<Offer> offer;
  Report report;
  std::string fault() const { return report.errors.empty() ? "" : report.errors[0].kind; }
};

One read_one(const std::string& offer, Mode mode) {
  const Reading reading = read_text(feed_with(offer), std::string_view::npos, {.mode = mode, .limits = {}, .now = 0});
  One one{{}, reading.report};
  if (!reading.offers.empty()) one.offer = reading.offers[0];
  return one;
}

// 1234567 -> "12 345,67" and so on.
std::string grouped(int64_t hundredths, const std::string& group, const std::string& point, int decimals) {
  std::string whole = std::to_string(hundredths / 100);
  for (size_t at = whole.size(); at > 3;) whole.insert(at -= 3, group);
  std::string cents = std::to_string(100 + hundredths % 100).substr(1);
  cents.resize(static_cast<size_t>(decimals));
  return cents.empty() ? whole : whole + point + cents;
}

RC_GTEST_PROP(PriceForms, UnambiguousOnesAreReadLeniently, ()) {
  const auto [group, point] = *rc::gen::elementOf(std::vector<std::pair<std::string, std::string>>{
      {"", ","}, {" ", ","}, {" ", "."}, {",", "."}, {".", ","}, {"\u00a0", ","}, {"", "."}});
  const int decimals = *rc::gen::inRange(1, 3);
  const int64_t price = *rc::gen::inRange<int64_t>(1, 10'000'000'000) * (decimals == 1 ? 10 : 1);
  const std::string text = grouped(price, group, point, decimals);
  const std::string offer = with(offer_text("1"), "100", text);
  const One lenient = read_one(offer, Mode::kLenient);
  RC_ASSERT(lenient.offer.has_value());
  RC_ASSERT(lenient.offer->price == price);
  RC_ASSERT(lenient.report.warning_count == 0U);
  const bool plain = std::ranges::all_of(text, [](char c) { return c == '.' || (c >= '0' && c <= '9'); }) &&
                     std::ranges::count(text, '.') == 1 && point == ".";
  RC_ASSERT(lenient.report.repairs.contains("price_repaired") != plain);
  const One strict = read_one(offer, Mode::kStrict);
  RC_ASSERT(strict.offer.has_value() == plain);
  if (!plain) RC_ASSERT(strict.fault() == "bad_price");
}

// Whatever is read is what the digits say, with the point in one of the places where it can be.
RC_GTEST_PROP(PriceForms, NothingIsMadeUp, ()) {
  const std::string text = *rc::gen::resize(12, texts_of("0123456789,,.. -$e"));
  const auto price = parse_price_leniently(text);
  if (parse_price(text)) RC_ASSERT(price == parse_price(text));
  if (!price || parse_price(text)) return;
  std::string digits = text;
  std::erase_if(digits, [](char c) { return c < '0' || c > '9'; });
  RC_ASSERT(digits.size() + static_cast<size_t>(
                                std::ranges::count_if(text, [](char c) { return c == ',' || c == '.' || c == ' '; })) ==
            text.size());
  const int64_t all = std::stoll(digits);
  RC_ASSERT(*price == all * 100 || *price == all * 10 || *price == all);
}

TEST(PriceForms, AmbiguousOnesStayErrors) {
  for (const char* text : {"1,234", "12,345", ",5", "5,", "1,,5", "1 2", "1 23,45", "12 34", "1234 567", "1,234.567,8",
                           "1.234,567.89", "1,2345", "1 234 56", "1490 руб.", "$15", "10%", "-", "- 5", "1 234,567"}) {
    EXPECT_FALSE(parse_price_leniently(text)) << text;
  }
  EXPECT_EQ(parse_price_leniently("1.234"), 123);  // documented: a number with a dot
  EXPECT_EQ(parse_price_leniently("1,234,567"), 123'456'700);
  EXPECT_EQ(parse_price_leniently("1.234.567"), 123'456'700);
  EXPECT_EQ(parse_price_leniently("12 990"), 1'299'000);
  EXPECT_EQ(parse_price_leniently("15.550,00"), 1'555'000);
}

TEST(Money, NeedsACurrency) {
  const auto kind = [](const char* text, Mode mode) {
    const auto money = parse_money(text, mode);
    return money ? money->currency + " " + std::to_string(money->amount) : std::string(money.error());
  };
  EXPECT_EQ(kind("15.00 USD", Mode::kStrict), "USD 1500");
  EXPECT_EQ(kind("26 eur", Mode::kStrict), "EUR 2600");
  EXPECT_EQ(kind("15.00 RUR", Mode::kStrict), "RUB 1500");
  EXPECT_EQ(kind("10.20", Mode::kLenient), "price_no_currency");
  EXPECT_EQ(kind("10.20 XXQ", Mode::kLenient), "unknown_currency");
  EXPECT_EQ(kind("USD 15.00", Mode::kStrict), "bad_price");
  EXPECT_EQ(kind("USD 15,550.00", Mode::kLenient), "USD 1555000");
  EXPECT_EQ(kind("12 990,5 RUB", Mode::kLenient), "RUB 1299050");
  for (const char* bad : {"", "USD", "$15.00", "15.00USD", "15.00 US", "USD15.00", "1,234 USD", "15.00 USD USD"}) {
    EXPECT_EQ(kind(bad, Mode::kLenient), "bad_price") << bad;
  }
}

TEST(Money, KnowsTheCurrenciesOfIso4217) {
  for (const char* code : {"AED", "RUB", "USD", "BYN", "BYR", "KZT", "ZWL", "UAH"}) {
    EXPECT_TRUE(is_iso_currency(code)) << code;
  }
  for (const char* code : {"", "XXQ", "rub", "RUR", "US", "USDT", "D A", "AAA", "ZZZ"}) {
    EXPECT_FALSE(is_iso_currency(code)) << code;
  }
}

TEST(Currency, IsOneOfTheFeedsOrTheMainOne) {
  const auto read = [](const std::string& currency, Mode mode) {
    const One one = read_one(with(offer_text("1"), "<currencyId>RUB</currencyId>", currency), mode);
    return one.offer ? one.offer->currency : one.fault();
  };
  EXPECT_EQ(read("<currencyId>rur</currencyId>", Mode::kStrict), "RUB");
  EXPECT_EQ(read("<currencyId>EUR</currencyId>", Mode::kStrict), "unknown_currency");
  EXPECT_EQ(read("<currencyId>EUR</currencyId>", Mode::kLenient), "EUR");
  EXPECT_EQ(read("<currencyId>XXQ</currencyId>", Mode::kLenient), "unknown_currency");
  EXPECT_EQ(read("", Mode::kStrict), "missing_currency");
  EXPECT_EQ(read("<currencyId> </currencyId>", Mode::kLenient), "RUB");
}

RC_GTEST_PROP(Available, OnlyTrueAndFalseAreStrict, ()) {
  const std::string text = *rc::gen::oneOf(
      rc::gen::element<std::string>("true", "false", "TRUE", "yes", "No", "1", "0", "00", "", "да", "нет", "+", "x"),
      rc::gen::map(rc::gen::inRange(0, 100'000), [](int count) { return std::to_string(count); }));
  const std::string offer = offer_text("1", "", "available='" + text + "'");
  const One strict = read_one(offer, Mode::kStrict);
  const One lenient = read_one(offer, Mode::kLenient);
  RC_ASSERT(strict.offer.has_value());
  RC_ASSERT(lenient.offer.has_value());
  const bool documented = text == "true" || text == "false";
  RC_ASSERT(strict.offer->available == (text == "true"));
  const bool number = !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  const bool yes = number ? text.find_first_not_of('0') != std::string::npos
                          : text == "true" || text == "TRUE" || text == "yes" || text == "да";
  RC_ASSERT(lenient.offer->available == yes);
  for (const One* one : {&strict, &lenient}) {
    RC_ASSERT(one->report.warning_kinds.contains("bad_available") != documented);
    RC_ASSERT(one->offer->available == (one->offer->availability == Availability::kInStock));
  }
}

RC_GTEST_PROP(Barcodes, DashesAreTakenOutLeniently, ()) {
  std::string digits = std::to_string(*rc::gen::inRange<int64_t>(100'000'000'000, 1'000'000'000'000));
  int sum = 0;
  for (size_t i = 0; i < 12; ++i) sum += (digits[i] - '0') * (i % 2 == 1 ? 3 : 1);
  digits += static_cast<char>('0' + (10 - sum % 10) % 10);
  std::string dashed = digits;
  const size_t at = *rc::gen::inRange<size_t>(1, 12);
  dashed.insert(at, *rc::gen::element<std::string>("-", " ", " - "));
  const std::string offer = offer_text("1", "<barcode>" + dashed + "</barcode>");
  const One lenient = read_one(offer, Mode::kLenient);
  RC_ASSERT(lenient.offer->barcodes == std::vector<std::string>{digits});
  RC_ASSERT(lenient.report.repairs.at("barcode_repaired") == 1U);
  const One strict = read_one(offer, Mode::kStrict);
  RC_ASSERT(strict.offer->barcodes.empty());
  RC_ASSERT(strict.report.warning_kinds.at("bad_barcode") == 1U);
  // One other digit makes the check digit wrong.
  std::string wrong = digits;
  const size_t place = *rc::gen::inRange<size_t>(0, 13);
  wrong[place] = static_cast<char>('0' + (wrong[place] - '0' + *rc::gen::inRange(1, 10)) % 10);
  RC_ASSERT(!is_barcode(wrong));
}

TEST(Barcodes, OfFourteenDigitsAreKept) {
  const One one = read_one(offer_text("1",
                                      "<barcode>04006381333931</barcode><barcode>14006381333938</barcode>"
                                      "<barcode>4006381333931</barcode>"),
                           Mode::kStrict);
  EXPECT_THAT(one.offer->barcodes, ElementsAre("4006381333931", "14006381333938"));
  EXPECT_EQ(one.report.warning_count, 0U);
}

RC_GTEST_PROP(Pictures, AtMostTenGoodOnesInOrder, ()) {
  const auto picture =
      rc::gen::element<std::string>("https://a.example/1", "http://a.example/2", "None", "", "//x", "ftp://a");
  const auto all = *rc::gen::container<std::vector<std::string>>(picture);
  std::string elements;
  std::vector<std::string> good;
  bool bad = false;
  for (const std::string& one : all) {
    elements += "<picture> " + one + "\n</picture>";
    if (!one.starts_with("http")) {
      bad = bad || good.size() <= OfferLimits::kPictures;
    } else {
      good.push_back(one);
    }
  }
  const bool many = good.size() > OfferLimits::kPictures;
  if (many) good.resize(OfferLimits::kPictures);
  const One one = read_one(offer_text("1", elements), Mode::kStrict);
  RC_ASSERT(one.offer->pictures == good);
  RC_ASSERT(one.report.warning_kinds.contains("too_many_pictures") == many);
  RC_ASSERT(one.report.warning_kinds.contains("bad_picture") == bad);
  // Joined by a bar they are the same to a lenient reader.
  std::string joined;
  for (const std::string& url : good) joined += url + " | ";
  const One lenient = read_one(offer_text("1", "<picture>" + joined + "</picture>"), Mode::kLenient);
  RC_ASSERT(lenient.offer->pictures == good);
}

RC_GTEST_PROP(Params, ManyValuesOfOneNameStay, ()) {
  const auto name = rc::gen::element<std::string>("a", "b", "");
  const auto value = rc::gen::element<std::string>("1", "2", " ");
  const auto all = *rc::gen::container<std::vector<std::pair<std::string, std::string>>>(rc::gen::pair(name, value));
  std::string elements;
  std::vector<Param> expected;
  std::map<std::string, uint64_t> warnings;
  for (const auto& [param, text] : all) {
    elements += "<param name='" + param + "' unit='u'>" + text + "</param>";
    const Param one{param, text, "u"};
    if (param.empty()) {
      ++warnings["param_no_name"];
    } else if (text == " ") {
      ++warnings["param_empty"];
    } else if (std::ranges::find(expected, one) != expected.end()) {
      ++warnings["duplicate_param"];
    } else {
      expected.push_back(one);
    }
  }
  const One one = read_one(offer_text("1", elements), Mode::kStrict);
  RC_ASSERT(one.offer->params == expected);
  RC_ASSERT(one.report.warning_kinds == warnings);
}

RC_GTEST_PROP(Ids, TheFirstOfEachStays, ()) {
  const auto id = rc::gen::element<std::string>("a", " a", "a ", "b", "Ж", " ", "1018");
  const auto ids = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(id));
  std::string offers;
  std::vector<std::string> kept, faults;
  for (std::string one : ids) {
    offers += offer_text(one);
    std::erase(one, ' ');
    if (one.empty()) {
      faults.emplace_back("missing_id");
    } else if (std::ranges::find(kept, one) != kept.end()) {
      faults.emplace_back("duplicate_id");
    } else {
      kept.push_back(one);
    }
  }
  const Reading reading = read_text(feed_with(offers));
  std::vector<std::string> read;
  for (const Offer& offer : reading.offers) read.push_back(offer.id);
  RC_ASSERT(read == kept);
  RC_ASSERT(kinds(reading.report.errors) == faults);
  RC_ASSERT(reading.report.ok() == !kept.empty());
}

RC_GTEST_PROP(OldPrices, AreAboveThePriceOrGone, ()) {
  const int64_t old_price = *rc::gen::inRange<int64_t>(0, 30'000);
  const bool comma = *rc::gen::arbitrary<bool>();
  const std::string offer =
      offer_text("1", "<oldprice>" + grouped(old_price, "", comma ? "," : ".", 2) + "</oldprice>");
  const One strict = read_one(offer, Mode::kStrict);
  const One lenient = read_one(offer, Mode::kLenient);
  const int64_t expected = old_price > 10'000 ? old_price : 0;
  RC_ASSERT(lenient.offer->old_price == expected);
  RC_ASSERT(strict.offer->old_price == (comma ? 0 : expected));
  RC_ASSERT(lenient.report.warning_kinds.contains("bad_oldprice") == (expected == 0));
}

RC_GTEST_PROP(Dates, AnyTextIsReadOrWarnedOf, ()) {
  const std::string text = *rc::gen::oneOf(rc::gen::resize(20, texts_of("0123456789-:T +Z.")),
                                           rc::gen::map(rc::gen::inRange(1, 32), [](int day) {
                                             return "2026-01-" + std::to_string(100 + day).substr(1) + " 9:50";
                                           }));
  std::string feed = feed_with(offer_text("1"));
  feed.replace(feed.find("2026-01-10 12:00"), 16, text);
  const Reading reading = read_text(feed);
  RC_ASSERT(reading.good);
  const auto& warnings = reading.report.warning_kinds;
  const size_t warned =
      warnings.count("bad_date") + warnings.count("nonstandard_date") + warnings.count("missing_date");
  RC_ASSERT((reading.header.date.empty() ? warned == 1U : warned <= 1U));
  if (reading.header.date.empty()) return;
  RC_ASSERT(reading.header.date.size() == 16U);
  RC_ASSERT(parse_date(reading.header.date).text == reading.header.date);
}

RC_GTEST_PROP(Descriptions, AreCutAtThreeThousandCharacters, ()) {
  const std::string letter = *rc::gen::element<std::string>("a", "я", "€", "𝄞");
  const size_t count = *rc::gen::inRange<size_t>(2'990, 3'010);
  std::string text;
  for (size_t i = 0; i < count; ++i) text += letter;
  const One one =
      read_one(offer_text("1", "<description><![CDATA[<p>" + text + "</p>]]></description>"), Mode::kStrict);
  const size_t kept = std::min<size_t>(count, 3'000);
  RC_ASSERT(one.offer->description == text.substr(0, kept * letter.size()));
  RC_ASSERT(one.report.warning_kinds.contains("description_truncated") == (count > 3'000));
}

RC_GTEST_PROP(Currencies, OnlyListedOnesAreStrict, ()) {
  const std::string code =
      *rc::gen::element<std::string>("RUB", "rur", "USD", "usd", "EUR", "KZT", "BYR", "BYN", "XXQ", "RU", "рубли", "$");
  const One strict = read_one(with(offer_text("1"), ">RUB<", ">" + code + "<"), Mode::kStrict);
  const One lenient = read_one(with(offer_text("1"), ">RUB<", ">" + code + "<"), Mode::kLenient);
  const std::string iso = currency_code(code);
  const bool listed = iso == "RUB" || iso == "USD";
  RC_ASSERT(strict.offer.has_value() == listed);
  RC_ASSERT(lenient.offer.has_value() == is_iso_currency(iso));
  if (lenient.offer) {
    RC_ASSERT(lenient.offer->currency == iso);
    RC_ASSERT(lenient.report.warning_kinds.contains("unknown_currency") == !listed);
  }
  for (const One* one : {&strict, &lenient}) RC_ASSERT((one->offer || one->fault() == "unknown_currency"));
}

TEST(Instants, AreOfIso8601) {
  EXPECT_EQ(parse_instant("1970-01-02"), 86'400);
  EXPECT_EQ(parse_instant("2026-02-24T11:07+0100"), 1'771'927'620);
  EXPECT_EQ(parse_instant("2026-02-24T11:07:00+01:00"), 1'771'927'620);
  EXPECT_EQ(parse_instant("2026-02-24T10:07Z"), 1'771'927'620);
  for (const char* bad : {"", "2026", "2026-02-30", "2026-02-24T", "2026-02-24T25:00", "2026-02-24T11:07+0",
                          "24.02.2026", "2026-02-24T11:07 +0100", "2026-02-24T11:07Zx"}) {
    EXPECT_FALSE(parse_instant(bad)) << bad;
  }
  const auto interval = parse_interval("2026-02-24 / 2026-02-25");
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->to - interval->from, 2 * 86'400);
  EXPECT_FALSE(parse_interval("2026-02-24"));
  EXPECT_FALSE(parse_interval("2026-02-25/2026-02-23"));
}

TEST(Delivery, OptionsAreChecked) {
  const auto read = [](const std::string& cost, const std::string& days, const std::string& before,
                       Mode mode = Mode::kStrict) { return parse_delivery_option({cost, days, before}, mode); };
  EXPECT_EQ(read("300", " 2-4 ", "13"), (DeliveryOption{30'000, 2, 4, 13}));
  EXPECT_EQ(read("0", "0", ""), (DeliveryOption{0, 0, 0, 24}));
  EXPECT_EQ(read("1", "31", "24"), (DeliveryOption{100, 31, 31, 24}));
  EXPECT_FALSE(read("1", "32", ""));
  EXPECT_EQ(read("1", "60", "", Mode::kLenient), (DeliveryOption{100, 60, 60, 24}));
  EXPECT_FALSE(read("1", "256", "", Mode::kLenient));
  for (const auto& [cost, days] : {std::pair{"", "1"}, {"x", "1"}, {"1", ""}, {"1", "4-2"}, {"1", "-2"}, {"1", "2-"}}) {
    EXPECT_FALSE(read(cost, days, "")) << cost << " " << days;
  }
  for (const char* before : {"25", "x", "13:00", "-1"}) EXPECT_FALSE(read("1", "1", before)) << before;
}

TEST(YmlElements, EveryCommonOneIsRead) {
  const One one = read_one(
      offer_text("1",
                 "<delivery>true</delivery><pickup>false</pickup><store>true</store><adult>true</adult>"
                 "<delivery-options><option cost='300' days='2-4' order-before='13'/><other/></delivery-options>"
                 "<pickup-options><option cost='0' days='1'/></pickup-options>"
                 "<condition type='likenew'><quality>perfect</quality><reason>box  open</reason></condition>"
                 "<sales_notes>prepaid</sales_notes><country_of_origin>Россия</country_of_origin>"
                 "<weight>1.5</weight><dimensions>1/2/3</dimensions><age unit='year'>18</age>"
                 "<warranty-days>P1Y</warranty-days><min-quantity>2</min-quantity><purchase_price>1</purchase_price>"
                 "<market-sku>7</market-sku>"),
      Mode::kStrict);
  ASSERT_TRUE(one.offer);
  EXPECT_EQ(one.report.warning_count, 0U);
  const Offer& offer = *one.offer;
  EXPECT_TRUE(offer.adult);
  EXPECT_EQ(offer.delivery.delivery, true);
  EXPECT_EQ(offer.delivery.pickup, false);
  EXPECT_EQ(offer.delivery.store, true);
  EXPECT_THAT(offer.delivery.delivery_options, ElementsAre(DeliveryOption{30'000, 2, 4, 13}));
  EXPECT_THAT(offer.delivery.pickup_options, ElementsAre(DeliveryOption{0, 1, 1, 24}));
  EXPECT_EQ(offer.condition, "likenew");
  EXPECT_THAT(offer.extras,
              ElementsAre(Param{"condition-quality", "perfect", ""}, Param{"condition-reason", "box open", ""},
                          Param{"sales_notes", "prepaid", ""}, Param{"country_of_origin", "Россия", ""},
                          Param{"weight", "1.5", ""}, Param{"dimensions", "1/2/3", ""}, Param{"age", "18", "year"},
                          Param{"warranty-days", "P1Y", ""}, Param{"min-quantity", "2", ""}));
  EXPECT_THAT(offer.params, IsEmpty());
}

TEST(YmlElements, BadOnesAreLeftOutWithAWarning) {
  std::string options;
  for (int i = 0; i < 9; ++i) options += "<option cost='1' days='1'/>";
  const std::vector<std::pair<const char*, std::string>> cases{
      {"bad_flag", "<delivery>maybe</delivery>"},
      {"bad_flag", "<adult>1</adult>"},
      {"bad_condition", "<condition type='shiny'/>"},
      {"bad_delivery_option", "<delivery-options><option cost='x' days='1'/></delivery-options>"},
      {"too_many_delivery_options", "<pickup-options>" + options + "</pickup-options>"},
  };
  for (const auto& [kind, elements] : cases) {
    const One one = read_one(offer_text("1", elements), Mode::kStrict);
    ASSERT_TRUE(one.offer) << elements;
    EXPECT_EQ(kinds(one.report.warnings), std::vector<std::string>{kind}) << elements;
  }
  EXPECT_EQ(read_one(offer_text("1", "<adult>1</adult><pickup>no</pickup>"), Mode::kLenient).report.warning_count, 0U);
}

TEST(LenientNames, AreMadeOfWhatIsThere) {
  const auto read = [](const std::string& elements, const std::string& type = "") {
    const std::string offer = with(offer_text("1", "", type), "<name>Лампа</name>", elements);
    const One one = read_one(offer, Mode::kLenient);
    std::string out = one.offer ? one.offer->name : one.fault();
    for (const auto& [kind, count] : one.report.warning_kinds) out += " !" + kind;
    return out;
  };
  EXPECT_EQ(read("<name_ua>а</name_ua><name_ru>б</name_ru>"), "б !localised_name");
  EXPECT_EQ(read("<typePrefix>Насос</typePrefix><vendor>В</vendor><model>М</model>"), "Насос В М !missing_name");
  EXPECT_EQ(read("<vendor>В</vendor>"), "missing_name");
  const std::string vendor_model = "type='vendor.model'";
  EXPECT_EQ(read("<model>М</model>", vendor_model), "М !missing_vendor");
  EXPECT_EQ(read("<vendor>В</vendor><name>Н</name>", vendor_model), "Н !missing_model");
  EXPECT_EQ(read("<vendor>В</vendor>", vendor_model), "missing_model");
}

}  // namespace
}  // namespace souk::feed
