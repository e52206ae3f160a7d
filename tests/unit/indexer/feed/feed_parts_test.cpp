// SPDX-License-Identifier: Apache-2.0
// The small parts: values, texts, categories, encodings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "indexer/feed/categories.h"
#include "indexer/feed/plain_text.h"
#include "indexer/feed/utf8.h"
#include "indexer/feed/values.h"
#include "tests/unit/indexer/feed/feed_text.h"

namespace souk::feed {
namespace {

TEST(Values, Prices) {
  EXPECT_EQ(parse_price("1490"), 149000);
  EXPECT_EQ(parse_price("0.5"), 50);
  EXPECT_EQ(parse_price("1.005"), 101);
  EXPECT_EQ(parse_price("1.0049999"), 100);
  EXPECT_EQ(parse_price("10000000000000"), 1'000'000'000'000'000);
  for (const char* bad : {"", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", "1 000", "0x10", "10000000000000.01",
                          "99999999999999999999999999", "1.2.3", "nan", "١"}) {
    EXPECT_FALSE(parse_price(bad)) << bad;
  }
}

TEST(Values, Urls) {
  for (const char* good : {"http://a", "HTTPS://пример.рф/путь?q=1#x", "https://a.example/a|b"}) {
    EXPECT_TRUE(is_web_url(good)) << good;
  }
  for (const char* bad : {"", "a", "http://", "http:///x", "//a.example", "ftp://a", "javascript:alert(1)",
                          "http://a b", "http://a\"", "http://<a", "http://a\x01", "None"}) {
    EXPECT_FALSE(is_web_url(bad)) << bad;
  }
  EXPECT_TRUE(is_web_url("http://" + std::string(505, 'a')));
  EXPECT_FALSE(is_web_url("http://" + std::string(506, 'a')));
}

TEST(Values, Barcodes) {
  for (const char* good : {"4600000000008", "96385074", "036000291452", "0036000291452"})
    EXPECT_TRUE(is_barcode(good)) << good;
  for (const char* bad : {"", "4600000000009", "460000000000", "4600-0000-0008", "00000000", "46000000000081"}) {
    EXPECT_FALSE(is_barcode(bad)) << bad;
  }
}

TEST(Values, Dates) {
  const auto read = [](const char* text) {
    const FeedDate date = parse_date(text);
    return date.text + (date.standard ? "" : "?");
  };
  EXPECT_EQ(read("2026-01-10 12:00"), "2026-01-10T12:00");
  EXPECT_EQ(read("2026-01-10T12:00:05+03:00"), "2026-01-10T12:00");
  EXPECT_EQ(read("2026-01-10T12:00Z"), "2026-01-10T12:00");
  EXPECT_EQ(read("2026-01-10 9:05"), "2026-01-10T09:05?");
  EXPECT_EQ(read("2026-01-10"), "2026-01-10T00:00?");
  for (const char* bad : {"", "20260110T120000", "2026-13-01", "2026-01-32", "2026-01-10 24:00", "2026-01-10 12:60",
                          "2026-01-10 12:00 x", "10.01.2026", "2026-01-10 "}) {
    EXPECT_EQ(read(bad), "?") << bad;
  }
}

TEST(PlainText, FoldsWhiteSpace) {
  const auto fold = [](std::string text) {
    fold_space(text);
    return text;
  };
  EXPECT_EQ(fold(""), "");
  EXPECT_EQ(fold(" \t\n"), "");
  EXPECT_EQ(fold("a b"), "a b");
  EXPECT_EQ(fold(" a \r\n b "), "a b");
  EXPECT_EQ(fold("a\u00a0\u2003b\u200bc\ufeff"), "a bc");
  EXPECT_EQ(fold("а\u3000б"), "а б");
  EXPECT_EQ(fold("№ © ㈱ ﬁ"), "№ © ㈱ ﬁ");
  EXPECT_EQ(fold(" \u200b "), "");
}

TEST(PlainText, TakesHtmlApart) {
  EXPECT_EQ(html_to_text("plain"), "plain");
  EXPECT_EQ(html_to_text("<p>a</p><p>b</p>"), "a b");
  EXPECT_EQ(html_to_text("сло<b>во</b><BR>два"), "слово два");
  EXPECT_EQ(html_to_text("a<!-- <b>x</b> -->b"), "ab");
  EXPECT_EQ(html_to_text("a<script>if (1<2) x()</script>b<style>p{}</style>"), "a b");
  EXPECT_EQ(html_to_text("1 < 2 & 3 > 2 &bogus; &#0; &#x41;&laquo;"), "1 < 2 & 3 > 2 &bogus; &#0; A«");
  EXPECT_EQ(html_to_text("&lt;p&gt;a&amp;nbsp;b&lt;/p&gt;"), "a b");
  EXPECT_EQ(html_to_text("&amp;amp;lt;"), "&lt;");
  EXPECT_EQ(html_to_text("cut <a href='x"), "cut <a href='x");
  EXPECT_EQ(html_to_text("a <"), "a <");
}

TEST(PlainText, WorkIsLinear) {
  const size_t size = 1 << 20;
  EXPECT_EQ(html_to_text(std::string(size, '<')).size(), size);
  EXPECT_EQ(html_to_text(std::string(size, '&')).size(), size);
  std::string tags;
  for (size_t i = 0; i < size / 4; ++i) tags += "<!--";
  EXPECT_EQ(html_to_text(tags).size(), size);
  std::string scripts;
  for (size_t i = 0; i < size / 8; ++i) scripts += "<script>";
  EXPECT_EQ(html_to_text(scripts), "");
  std::string open;
  for (size_t i = 0; i < size / 2; ++i) open += "<b";
  EXPECT_EQ(html_to_text(open).size(), size);
}

TEST(PlainText, CutsAtCharacters) {
  std::string text = "тёплый свет";
  EXPECT_FALSE(cut_characters(text, 11));
  EXPECT_TRUE(cut_characters(text, 7));
  EXPECT_EQ(text, "тёплый");
  EXPECT_EQ(in_quotes("a\nb"), "\"a?b\"");
  EXPECT_EQ(in_quotes(std::string(61, 'x')), "\"" + std::string(60, 'x') + "...\"");
}

TEST(Utf8, FindsTheValidPrefix) {
  const auto prefix = [](std::string_view bytes) {
    const Utf8Prefix found = utf8_prefix(bytes);
    return std::pair(found.valid, found.incomplete);
  };
  EXPECT_EQ(prefix("abcdefghijkл€😀"), std::pair(size_t{20}, false));
  EXPECT_EQ(prefix("ab\xd0"), std::pair(size_t{2}, true));
  EXPECT_EQ(prefix("ab\xf0\x9f\x98"), std::pair(size_t{2}, true));
  for (const char* bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
                          "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xd0z"}) {
    EXPECT_EQ(prefix(std::string("12345678") + bad), std::pair(size_t{8}, false));
  }
}

std::vector<std::string> path_of(const CategoryTree& tree, const std::string& id) {
  return tree.path(tree.find(id).value());
}

TEST(Categories, MakeATree) {
  Report report;
  CategoryTree tree(report);
  tree.add({1, "3", "2", "C"});
  tree.add({2, "2", "1", "B"});
  tree.add({3, "1", "", "A"});
  tree.add({4, "2", "", "other B"});
  tree.add({5, "4", "99", "D"});
  tree.link();
  EXPECT_EQ(path_of(tree, "3"), (std::vector<std::string>{"A", "B", "C"}));
  EXPECT_EQ(path_of(tree, "4"), std::vector<std::string>{"D"});
  EXPECT_FALSE(tree.find("99"));
  EXPECT_EQ(kinds(report.warnings), (std::vector<std::string>{"duplicate_category", "category_parent_missing"}));
}

TEST(Categories, CyclesBecomeRoots) {
  Report report;
  CategoryTree tree(report);
  tree.add({1, "below", "a", "Below"});
  tree.add({2, "a", "b", "A"});
  tree.add({3, "b", "c", "B"});
  tree.add({4, "c", "a", "C"});
  tree.add({5, "self", "self", "Self"});
  tree.link();
  EXPECT_EQ(path_of(tree, "a"), std::vector<std::string>{"A"});
  EXPECT_EQ(path_of(tree, "c"), std::vector<std::string>{"C"});
  EXPECT_EQ(path_of(tree, "below"), (std::vector<std::string>{"A", "Below"}));
  EXPECT_EQ(path_of(tree, "self"), std::vector<std::string>{"Self"});
  EXPECT_EQ(kinds(report.warnings), (std::vector<std::string>{"category_cycle", "category_cycle"}));
}

TEST(Categories, DepthIsBounded) {
  for (const bool forwards : {true, false}) {
    Report report;
    CategoryTree tree(report);
    const int count = 100'000;
    for (int i = 0; i < count; ++i) {
      const int id = forwards ? i : count - 1 - i;
      tree.add({1, std::to_string(id), id == 0 ? "" : std::to_string(id - 1), std::to_string(id)});
    }
    tree.link();
    const auto path = path_of(tree, std::to_string(count - 1));
    ASSERT_EQ(path.size(), CategoryTree::kMaxDepth);
    EXPECT_EQ(path[62], "62");
    EXPECT_EQ(path[63], "99999");
    EXPECT_EQ(path_of(tree, "63").size(), 64U);
  }
}

// Letters that the encoding has, as UTF-8, and their bytes in it.
struct Encoded {
  const char* name;
  std::string text;
  std::string bytes;
};

TEST(Encodings, AreRead) {
  const std::vector<Encoded> all{{"windows-1251", "Ёж №5 «x» €",
                                  "\xa8\xe6 \xb9"
                                  "5 \xabx\xbb \x88"},
                                 {"Windows-1251", "я", "\xff"},
                                 {"KOI8-R", "Ёж", "\xb3\xd6"},
                                 {"ISO-8859-1", "café", "caf\xe9"},
                                 {"US-ASCII", "abc", "abc"}};
  for (const Encoded& encoded : all) {
    std::string feed = "<?xml version=\"1.0\" encoding=\"" + std::string(encoded.name) +
                       "\"?><yml_catalog date=\"2026-01-10\"><shop><currencies><currency id='RUB'/></currencies>"
                       "<categories><category id='1'>c</category></categories><offers><offer id='1'><price>1</price>"
                       "<currencyId>RUB</currencyId><categoryId>1</categoryId><name>" +
                       encoded.bytes + "</name></offer></offers></shop></yml_catalog>";
    const Reading reading = read_text(feed);
    ASSERT_EQ(reading.offers.size(), 1U) << encoded.name << reading.report.feed_error.message;
    EXPECT_EQ(reading.offers[0].name, encoded.text) << encoded.name;
  }
}

TEST(Gzip, MembersAreOneStream) {
  const std::string feed = feed_with(offer_text("1") + offer_text("2"));
  const std::string packed = gzip(feed.substr(0, 300)) + gzip("") + gzip(feed.substr(300));
  for (const size_t block : {std::string::npos, size_t{1}}) EXPECT_EQ(read_text(packed, block).offers.size(), 2U);
}

}  // namespace
}  // namespace souk::feed
