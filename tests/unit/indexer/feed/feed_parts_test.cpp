// SPDX-License-Identifier: Apache-2.0
// The small parts: values, texts, categories.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "indexer/feed/categories.h"
#include "indexer/feed/money.h"
#include "indexer/feed/plain_text.h"
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

}  // namespace
}  // namespace souk::feed
