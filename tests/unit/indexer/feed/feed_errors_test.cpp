// SPDX-License-Identifier: Apache-2.0
// What refuses a feed as a whole: kind and line.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/unit/indexer/feed/feed_text.h"

namespace souk::feed {
namespace {

struct Fault {
  const char* name;
  std::string feed;
  std::string kind;
  uint64_t line;
};

void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.name;
}

std::string doctype(const std::string& inner) {
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE yml_catalog " + inner + ">";
}

std::vector<Fault> faults() {
  const std::string good = feed_with(offer_text("1"));
  const std::string dtd = doctype("SYSTEM \"shops.dtd\"");
  return {
      {"empty", "", "empty_body", 1},
      {"blanks", " \n\n ", "empty_body", 3},
      {"html", "<!DOCTYPE html>\n<html><body>503</body></html>", "not_a_feed", 1},
      {"html_without_doctype", "\n<html><br></html>", "not_a_feed", 2},
      {"rss_without_items", "<?xml version=\"1.0\"?><rss><channel/></rss>", "no_valid_offers", 1},
      {"other_xml", "<?xml version=\"1.0\"?><sitemap><url/></sitemap>", "not_a_feed", 1},
      {"json", "{\"offers\":[]}", "no_valid_offers", 1},
      {"csv", "id;name\n1;x\n", "not_a_feed", 1},
      {"zip", std::string("PK\x03\x04", 4) + std::string(30, 'x'), "not_a_feed", 1},
      {"warning_before", "\nWarning: x\n" + good, "junk_before_xml", 2},
      {"html_warning_before", "<br />\n<b>Warning</b>: x\n" + good, "junk_before_xml", 1},
      {"line_before", "\n" + good, "junk_before_xml", 2},
      {"bare_ampersand", feed_with(offer_text("1", "\n<model>a & b</model>")), "xml_malformed", 10},
      {"control_character", feed_with(offer_text("1", "\n<model>\x1a</model>")), "xml_malformed", 10},
      {"control_reference", feed_with(offer_text("1", "\n<model>&#3;</model>")), "xml_malformed", 10},
      {"wrong_closing_tag", feed_with("<offer id=\"1\">\n\n</ofer>"), "xml_malformed", 11},
      {"two_equal_attributes", feed_with("<offer id=\"1\" id=\"2\"/>"), "xml_malformed", 9},
      {"html_entity", feed_with(offer_text("1", "\n<model>&nbsp;</model>")), "undefined_entity", 10},
      {"no_such_entity", feed_with(offer_text("1", "\n<model>&no;</model>"), dtd), "undefined_entity", 11},
      {"no_such_entity_in_attribute", feed_with(offer_text("1", "\n<param name='&no;'>x</param>"), dtd),
       "undefined_entity", 11},
      {"trailing_text", good + "bye", "trailing_junk", 11},
      {"trailing_element", good + "<more/>", "trailing_junk", 11},
      {"second_document", good + good, "trailing_junk", 11},
      {"cut_in_tag", good.substr(0, good.find("<price>") + 3), "truncated", 9},
      {"cut_in_text", good.substr(0, good.find("</price>")), "truncated", 9},
      {"cut_in_character", good.substr(0, good.find("Дом") + 1), "truncated", 6},
      {"cut_before_the_end", good.substr(0, good.find("</yml_catalog>")), "truncated", 10},
      {"not_utf8", feed_with(offer_text("1", "\n<model>\xcb\xe0\xec\xef\xe0</model>")), "bad_encoding", 10},
      {"surrogate_in_utf8", feed_with(offer_text("1", "<model>\xed\xa0\x80</model>")), "bad_encoding", 9},
      {"free_byte_of_1251",
       feed_with(offer_text("1", "\n<model>\x98</model>"), "<?xml version='1.0' encoding='windows-1251'?>"),
       "bad_encoding", 10},
      {"called_utf16", "<?xml version='1.0' encoding='UTF-16'?><a/>", "bad_encoding", 1},
      {"unknown_encoding", "<?xml version='1.0' encoding='x-\x01mac'?><a/>", "unsupported_encoding", 1},
      {"utf32", std::string("\xff\xfe\0\0<\0\0\0", 8), "unsupported_encoding", 1},
      {"internal_entity", feed_with(offer_text("1"), doctype("[\n<!ENTITY a \"b\">]")), "dtd_entity_forbidden", 3},
      {"external_entity", feed_with(offer_text("1"), doctype("[<!ENTITY a SYSTEM \"file:///etc/passwd\">]")),
       "dtd_entity_forbidden", 2},
      {"parameter_entity", feed_with(offer_text("1"), doctype("[<!ENTITY % a \"b\">]")), "dtd_entity_forbidden", 2},
      {"entity_behind_an_unread_part",
       feed_with(offer_text("1", "<model>&b;</model>"), doctype("[%a;<!ENTITY b \"c\">]")), "undefined_entity", 10},
      {"no_shop", "<yml_catalog>\n<offers/>\n</yml_catalog>", "missing_shop", 3},
      {"no_offers", feed_with(""), "no_valid_offers", 3},
      {"no_good_offer", feed_with("<offer id=\"1\"/>"), "no_valid_offers", 3},
      {"damaged_gzip", std::string("\x1f\x8b\x08\x00xxxxxxxxxxxxxxxxxxxx", 24), "bad_gzip", 1},
      {"bad_gzip_check", gzip(good).replace(gzip(good).size() - 8, 4, "abcd"), "bad_gzip", 1},
      {"junk_after_gzip", gzip(good) + "junk", "bad_gzip", 1},
      {"cut_gzip", gzip(good).substr(0, gzip(good).size() / 2), "truncated_gzip", 1},
      {"gzip_head_only", "\x1f\x8b", "truncated_gzip", 1},
  };
}

class FeedFaults : public testing::TestWithParam<Fault> {};

void expect_refused(const Fault& fault) {
  for (const size_t block : {std::string::npos, size_t{1}}) {
    const Reading reading = read_text(fault.feed, block);
    EXPECT_FALSE(reading.good);
    EXPECT_EQ(reading.report.feed_error.kind, fault.kind) << reading.report.feed_error.message;
    // What gzip had not given yet when it broke off can have no line.
    if (!fault.kind.ends_with("gzip")) EXPECT_EQ(reading.report.feed_error.line, fault.line) << "block " << block;
    EXPECT_GT(reading.report.feed_error.line, 0U);
    EXPECT_FALSE(reading.report.feed_error.message.empty());
    EXPECT_EQ(reading.report.feed_error.message.find('\n'), std::string::npos);
  }
}

TEST_P(FeedFaults, RefuseTheFeed) {
  expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, FeedFaults, testing::ValuesIn(faults()),
                         [](const auto& info) { return info.param.name; });

TEST(FeedLimits, HoldForBombs) {
  for (const char content : {'\0', ' '}) expect_refused({"bomb", gzip(std::string(8 << 20, content)), "size_limit", 1});
}

TEST(FeedLimits, AreKept) {
  const auto kind_with = [](const std::string& feed, auto set) {
    ReaderLimits limits;
    set(limits);
    return read_text(feed, std::string::npos, {.mode = Mode::kStrict, .limits = limits}).report.feed_error.kind;
  };
  const std::string two = feed_with(offer_text("1") + offer_text("2"));
  EXPECT_EQ(kind_with(two, [&](ReaderLimits& limits) { limits.unpacked_bytes = two.size(); }), "");
  EXPECT_EQ(kind_with(two, [&](ReaderLimits& limits) { limits.unpacked_bytes = two.size() - 1; }), "size_limit");
  EXPECT_EQ(kind_with(gzip(two), [&](ReaderLimits& limits) { limits.unpacked_bytes = two.size() - 1; }), "size_limit");
  EXPECT_EQ(kind_with(two, [](ReaderLimits& limits) { limits.offers = 2; }), "");
  EXPECT_EQ(kind_with(two, [](ReaderLimits& limits) { limits.offers = 1; }), "size_limit");
  EXPECT_EQ(kind_with(two, [](ReaderLimits& limits) { limits.categories = 2; }), "");
  EXPECT_EQ(kind_with(two, [](ReaderLimits& limits) { limits.categories = 1; }), "size_limit");
  EXPECT_EQ(kind_with(two, [](ReaderLimits& limits) { limits.depth = 4; }), "size_limit");
  EXPECT_EQ(
      kind_with(feed_with(offer_text("1", "", "a='' b='' c=''")), [](ReaderLimits& limits) { limits.attributes = 3; }),
      "size_limit");
  const std::string deep = std::string(100'000, '<');
  std::string nested;
  for (int i = 0; i < 100; ++i) nested += "<x>";
  EXPECT_EQ(kind_with(feed_with(offer_text("1", nested)), [](ReaderLimits&) {}), "size_limit");
}

TEST(FeedLimits, HoldForOneTagAndForPacking) {
  ReaderLimits limits;
  limits.token_bytes = 1 << 20;
  const std::string comment = "<!--" + std::string(3 << 20, 'x') + "-->";
  EXPECT_EQ(read_text(feed_with(comment + offer_text("1")), 65536, {.mode = Mode::kStrict, .limits = limits})
                .report.feed_error.kind,
            "size_limit");
  const std::string attribute = offer_text("1", "", "a=\"" + std::string(3 << 20, 'x') + "\"");
  EXPECT_EQ(read_text(feed_with(attribute), 65536, {.mode = Mode::kStrict, .limits = limits}).report.feed_error.kind,
            "size_limit");
  // 8 MiB of blanks pack about 1000:1.
  const std::string bomb = gzip(feed_with(std::string(8 << 20, ' ') + offer_text("1")));
  EXPECT_EQ(read_text(bomb).report.feed_error.kind, "size_limit");
}

TEST(FeedLimits, HoldForTheDocumentType) {
  ReaderLimits limits;
  limits.token_bytes = 1 << 20;
  std::string subset;
  while (subset.size() < (3 << 20)) subset += "<!ELEMENT e" + std::to_string(subset.size()) + " ANY><!-- x -->\n";
  const std::string feed = feed_with(offer_text("1"), "<?xml version=\"1.0\"?><!DOCTYPE yml_catalog [" + subset + "]>");
  EXPECT_EQ(read_text(feed, 65536, {.mode = Mode::kStrict, .limits = limits}).report.feed_error.kind, "size_limit");
}

TEST(FeedLimits, HoldForTextsOfCategories) {
  const auto kind_with = [](int count) {
    const std::string parent(300, 'x');
    std::string name;
    for (int i = 0; i < 200; ++i) name += "😀";
    std::string categories = "<categories>";
    for (int i = 0; i < count; ++i) {
      categories +=
          "<category id=\"" + std::to_string(i + 10) + "\" parentId=\"" + parent + "\">" + name + "</category>\n";
    }
    std::string feed = feed_with(offer_text("1"));
    return read_text(feed.replace(feed.find("<categories>"), 12, categories)).report.feed_error.kind;
  };
  EXPECT_EQ(kind_with(1000), "");
  EXPECT_EQ(kind_with(64'000), "size_limit");
}

TEST(FeedLimits, HoldForNames) {
  std::string names;
  for (int i = 0; i < 11'000; ++i) names += "<n" + std::to_string(i) + "/>";
  EXPECT_EQ(read_text(feed_with(names + offer_text("1"))).report.feed_error.kind, "size_limit");
  names.resize(names.find("<n9000/>"));
  EXPECT_EQ(read_text(feed_with(names + offer_text("1"))).report.feed_error.kind, "");
}

TEST(FeedLimits, ParamsBeyondTheLimitAreLeftOut) {
  ReaderLimits limits;
  limits.params = 2;
  std::string params;
  for (int i = 0; i < 5; ++i) params += "<param name=\"p" + std::to_string(i) + "\">v</param>";
  const Reading reading =
      read_text(feed_with(offer_text("1", params)), std::string::npos, {.mode = Mode::kStrict, .limits = limits});
  ASSERT_EQ(reading.offers.size(), 1U);
  EXPECT_EQ(reading.offers[0].params.size(), 2U);
  EXPECT_EQ(kinds(reading.report.warnings), std::vector<std::string>{"too_many_params"});
}

TEST(ReadFeedFile, SaysWhyAFileCannotBeRead) {
  for (const char* path : {"/nonexistent/feed.xml", "/", "/dev/null"}) {
    Report report;
    read_feed_file(path, {}, [](Offer&&) { FAIL(); }, report, {});
    EXPECT_EQ(report.feed_error.kind, "unreadable") << path;
    EXPECT_FALSE(report.feed_error.message.empty());
    EXPECT_EQ(report.file, path);
  }
}

TEST(FeedReader, PassesTheCallersExceptionsOn) {
  Report report;
  FeedReader reader({}, [](Offer&&) { throw std::runtime_error("full"); }, report);
  EXPECT_THROW(
      {
        if (reader.push(feed_with(offer_text("1")))) reader.finish();
      },
      std::runtime_error);
}

TEST(FeedReader, StaysRefused) {
  Report report;
  FeedReader reader({}, [](Offer&&) {}, report);
  const std::string junk(32768, 'x');
  EXPECT_FALSE(reader.push(junk));
  EXPECT_FALSE(reader.push(feed_with(offer_text("1"))));
  EXPECT_FALSE(reader.finish());
  EXPECT_EQ(report.feed_error.kind, "not_a_feed");
}

// Defaults of attributes are the document's own: read whole or byte by byte, each offer has them.
TEST(FeedErrors, AttributesHaveTheirDefaults) {
  const std::string feed = feed_with(offer_text("1") + offer_text("2", "", "available=\"true\"") + offer_text("3"),
                                     "<!DOCTYPE yml_catalog [<!ATTLIST offer available CDATA \"false\">]>");
  for (const size_t block : {std::string_view::npos, size_t{1}, size_t{64}}) {
    const Reading reading = read_text(feed, block);
    ASSERT_EQ(reading.offers.size(), 3U) << reading.report.feed_error.message;
    EXPECT_FALSE(reading.offers[0].available);
    EXPECT_TRUE(reading.offers[1].available);
    EXPECT_FALSE(reading.offers[2].available);
  }
}

}  // namespace
}  // namespace souk::feed
