// SPDX-License-Identifier: Apache-2.0
// Random offers are written as YML and read back.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <set>

#include "tests/unit/indexer/feed/feed_text.h"

namespace souk::feed {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '"':
        out += "&#34;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// CDATA, split where the text itself would end it.
std::string cdata(std::string text) {
  for (size_t at = text.find("]]>"); at != std::string::npos; at = text.find("]]>", at + 15)) {
    text.replace(at, 3, "]]]]><![CDATA[>");
  }
  return "<![CDATA[" + text + "]]>";
}

// Words of letters that windows-1251 has too, and of what markup is made of.
rc::Gen<std::string> words(size_t least, size_t most) {
  static const std::vector<std::string> kLetters{"a", "Z", "7", "я", "Ё",  "№", "«", "-",
                                                 "&", "<", ">", "]", "\"", "'", ";"};
  const auto word = rc::gen::map(
      rc::gen::resize(8, rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kLetters)))),
      [](const std::vector<std::string>& letters) {
        std::string out;
        for (const std::string& letter : letters) out += letter;
        return out;
      });
  return rc::gen::mapcat(rc::gen::inRange(least, most + 1), [word](size_t count) {
    return rc::gen::map(rc::gen::container<std::vector<std::string>>(count, word),
                        [](const std::vector<std::string>& all) {
                          std::string out;
                          for (const std::string& one : all) out += (out.empty() ? "" : " ") + one;
                          return out;
                        });
  });
}

std::string barcode(uint64_t number) {
  std::string digits = std::to_string(100'000'000'000 + number % 900'000'000'000);
  int sum = 0;
  for (size_t i = 0; i < 12; ++i) sum += (digits[i] - '0') * (i % 2 == 1 ? 3 : 1);
  return digits + std::to_string((10 - sum % 10) % 10);
}

rc::Gen<Offer> any_offer() {
  return rc::gen::exec([] {
    Offer offer;
    offer.type = "simplified";
    offer.name = *words(1, 4);
    offer.url = "https://shop.example/" + std::to_string(*rc::gen::inRange(0, 1000)) + "?a=1&b=2";
    offer.vendor = *words(0, 2);
    offer.vendor_code = *words(0, 1);
    offer.model = *words(0, 2);
    offer.group_id = *words(0, 1);
    offer.currency = *rc::gen::element(std::string("RUB"), std::string("USD"));
    offer.category_id = *rc::gen::element(std::string("1"), std::string("2"));
    offer.category_path = {"Дом"};
    if (offer.category_id == "2") offer.category_path.emplace_back("Лампы");
    const int pictures = *rc::gen::inRange(0, 4);
    for (int i = 0; i < pictures; ++i) offer.pictures.push_back("http://img.example/" + std::to_string(i) + "?x&y");
    if (*rc::gen::arbitrary<bool>()) offer.barcodes.push_back(barcode(*rc::gen::arbitrary<uint64_t>()));
    const int params = *rc::gen::inRange(0, 5);
    for (int i = 0; i < params; ++i) {
      offer.params.push_back({std::to_string(i) + *words(1, 2), *words(1, 2), *words(0, 1)});
    }
    offer.price = *rc::gen::inRange<int64_t>(1, 1'000'000'000'001);
    if (*rc::gen::arbitrary<bool>()) offer.old_price = offer.price + *rc::gen::inRange<int64_t>(1, 1'000'000);
    offer.available = *rc::gen::arbitrary<bool>();
    return offer;
  });
}

std::string money(int64_t hundredths) {
  std::string cents = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + "." + (cents.size() < 2 ? "0" : "") + cents;
}

std::string element(const std::string& name, const std::string& text) {
  return text.empty() ? "" : "<" + name + ">" + text + "</" + name + ">";
}

std::string as_yml(const Offer& offer) {
  std::string out = "<offer id=\"" + escaped(offer.id) + "\" group_id=\"" + escaped(offer.group_id) +
                    "\" available=\"" + (offer.available ? "true" : "false") + "\">\n";
  out += element("url", escaped(offer.url)) + element("price", money(offer.price));
  if (offer.old_price != 0) out += element("oldprice", money(offer.old_price));
  out += element("currencyId", offer.currency) + element("categoryId", offer.category_id);
  for (const std::string& picture : offer.pictures) out += element("picture", "\n " + escaped(picture) + " ");
  out += element("name", cdata(offer.name)) + element("vendor", escaped(offer.vendor));
  out += element("vendorCode", escaped(offer.vendor_code)) + element("model", escaped(offer.model));
  out += "<!-- a comment --><market_something x=\"1\"><name>not this</name></market_something>";
  for (const std::string& code : offer.barcodes) out += element("barcode", code);
  for (const Param& param : offer.params) {
    out += "<param name=\"" + escaped(param.name) + "\" unit=\"" + escaped(param.unit) + "\">" + escaped(param.value) +
           "</param>\n";
  }
  return out + "</offer>\n";
}

struct Feed {
  std::vector<Offer> offers;  // with the lines at which they are written
  std::string text;
};

Feed make_feed(std::vector<Offer> offers) {
  Feed feed;
  std::string body;
  for (size_t i = 0; i < offers.size(); ++i) {
    offers[i].id = "id-" + std::to_string(i);
    offers[i].line = 9 + static_cast<uint64_t>(std::ranges::count(body, '\n'));
    body += as_yml(offers[i]);
  }
  feed.offers = std::move(offers);
  feed.text = feed_with(body);
  return feed;
}

bool same(const Offer& a, const Offer& b) {
  const auto all = [](const Offer& o) {
    return std::tie(o.line, o.id, o.type, o.name, o.url, o.vendor, o.vendor_code, o.model, o.description, o.currency,
                    o.group_id, o.category_id, o.category_path, o.pictures, o.barcodes, o.params, o.price, o.old_price,
                    o.available);
  };
  return all(a) == all(b);
}

void require_same(const std::vector<Offer>& read, const std::vector<Offer>& written) {
  RC_ASSERT(read.size() == written.size());
  for (size_t i = 0; i < read.size(); ++i) {
    RC_ASSERT(read[i].name == written[i].name);
    RC_ASSERT(read[i].line == written[i].line);
    RC_ASSERT(same(read[i], written[i]));
  }
}

Feed any_feed() {
  return make_feed(*rc::gen::resize(6, rc::gen::nonEmpty(rc::gen::container<std::vector<Offer>>(any_offer()))));
}

RC_GTEST_PROP(YmlProperty, WhatIsWrittenIsRead, ()) {
  const Feed feed = any_feed();
  const Reading reading = read_text(feed.text);
  RC_ASSERT(reading.good);
  RC_ASSERT(reading.report.rejected == 0U);
  RC_ASSERT(reading.report.warning_count == 0U);
  require_same(reading.offers, feed.offers);
  const Reading lenient = read_leniently(feed.text);
  RC_ASSERT(lenient.good);
  RC_ASSERT(lenient.report.warning_count == 0U);
  require_same(lenient.offers, feed.offers);
}

RC_GTEST_PROP(YmlProperty, BlocksDoNotMatter, ()) {
  const Feed feed = any_feed();
  const size_t block = *rc::gen::inRange<size_t>(1, 200);
  require_same(read_text(feed.text, block).offers, feed.offers);
  require_same(read_text(gzip(feed.text), block).offers, feed.offers);
}

std::string to_windows_1251(const std::string& utf8) {
  const icu::UnicodeString text = icu::UnicodeString::fromUTF8(utf8);
  std::string out(static_cast<size_t>(text.length()) * 2, '\0');
  out.resize(static_cast<size_t>(
      text.extract(0, text.length(), out.data(), static_cast<uint32_t>(out.size()), "windows-1251")));
  return out;
}

std::string to_utf16(const std::string& utf8, bool little) {
  const icu::UnicodeString text = icu::UnicodeString::fromUTF8(utf8);
  std::string out = little ? "\xff\xfe" : "\xfe\xff";
  for (int32_t i = 0; i < text.length(); ++i) {
    const char16_t unit = text[i];
    const char low = static_cast<char>(unit & 0xFF);
    const char high = static_cast<char>(unit >> 8);
    out += little ? low : high;
    out += little ? high : low;
  }
  return out;
}

RC_GTEST_PROP(YmlProperty, EncodingsDoNotMatter, ()) {
  const Feed feed = any_feed();
  const size_t block = *rc::gen::inRange<size_t>(1, 5000);
  std::string declared = feed.text;
  declared.replace(declared.find("UTF-8"), 5, "windows-1251");
  require_same(read_text(to_windows_1251(declared), block).offers, feed.offers);
  require_same(read_text(to_utf16(feed.text, true), block).offers, feed.offers);
  require_same(read_text(to_utf16(feed.text, false), block).offers, feed.offers);
  require_same(read_text(to_utf16(feed.text, true).substr(2), block).offers, feed.offers);
  require_same(read_text(to_utf16(feed.text, false).substr(2), block).offers, feed.offers);
  require_same(read_text("\xef\xbb\xbf" + feed.text, block).offers, feed.offers);
  // Said to be windows-1251, but UTF-8.
  require_same(read_leniently(declared, block).offers, feed.offers);
}

// No damage makes the reader accept offers it was not given, hang or crash.
RC_GTEST_PROP(YmlProperty, DamageIsNoticedOrHarmless, ()) {
  const Feed feed = any_feed();
  std::string text = feed.text;
  const size_t at = *rc::gen::inRange<size_t>(0, text.size());
  text[at] = static_cast<char>(*rc::gen::inRange(0, 256));
  const Reading reading = read_text(text);
  RC_ASSERT(reading.good == reading.report.feed_error.kind.empty());
  RC_ASSERT(reading.report.accepted == (reading.good ? reading.offers.size() : 0));
  RC_ASSERT(reading.offers.size() <= feed.offers.size());
  RC_ASSERT(reading.good || reading.report.feed_error.line > 0);
}

RC_GTEST_PROP(YmlProperty, CutFeedsAreRefused, ()) {
  const Feed feed = any_feed();
  const size_t keep = *rc::gen::inRange<size_t>(0, feed.text.size() - 2);
  RC_ASSERT(!read_text(feed.text.substr(0, keep)).good);
  const std::string packed = gzip(feed.text);
  RC_ASSERT(!read_text(packed.substr(0, *rc::gen::inRange<size_t>(0, packed.size()))).good);
}

}  // namespace
}  // namespace souk::feed
