// SPDX-License-Identifier: Apache-2.0
// What a lenient reading makes of broken XML: one broken offer is lost, not the feed; truncation is never repaired.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/unit/indexer/feed/feed_text.h"

namespace souk::feed {
namespace {

using testing::ElementsAre;

// "id:kind:line" of each lost offer.
std::vector<std::string> lost(const Reading& reading) {
  std::vector<std::string> out;
  for (const OfferError& error : reading.report.errors) {
    out.push_back(error.id + ":" + error.kind + ":" + std::to_string(error.line));
  }
  return out;
}

// Offers 1 and 3 around what is broken, which begins in line 10.
std::string around(const std::string& broken) {
  return feed_with(offer_text("1") + broken + offer_text("3"));
}

struct Broken {
  const char* name;
  std::string text;
  std::vector<std::string> lost;
};

void PrintTo(const Broken& broken, std::ostream* out) {
  *out << broken.name;
}

std::vector<Broken> broken_offers() {
  const std::string malformed = ":offer_malformed:10";
  return {
      {"mismatched_tag", offer_text("2", "\n<model>a</b>"), {"2" + malformed}},
      {"tag_in_text", offer_text("2", "\n<model>a <сбор №1> b</model>"), {"2" + malformed}},
      {"less_than", offer_text("2", "<model>a < b</model>"), {"2" + malformed}},
      {"cdata_end", offer_text("2", "<model><![CDATA[a ]]> b</c> ]]></model>"), {"2" + malformed}},
      {"cdata_end_in_text", offer_text("2", "<model>a ]]> b</model>"), {"2" + malformed}},
      {"unclosed_element", offer_text("2", "<model>a"), {"2" + malformed}},
      {"unclosed_offer", "<offer id=\"2\"><name>a</name>\n", {"2" + malformed}},
      {"unquoted_id", "<offer id=2><name>a</name></offer>\n", {malformed}},
      {"two_ids", "<offer id=\"2\" id=\"3\"/>\n", {malformed}},
      {"less_than_in_attribute", "<offer id=\"<2\"/>\n", {malformed}},
      {"bad_element_name", offer_text("2", "<1>a</1>"), {"2" + malformed}},
      {"closed_twice", "</offer>\n", {malformed}},
      {"text_between", "a < b\n", {malformed}},
      {"wrong_case", "<offer id=\"2\"><name>a</name></Offer>\n", {"2" + malformed}},
      {"three_in_a_row",
       "<offer id=\"2\"><a>\n<offer id=\"4\"></b>\n<offer id=\"5\"\n",
       {"2" + malformed, "4:offer_malformed:11", ":offer_malformed:13"}},
      {"looks_like_an_offer", offer_text("2", "<model>a < b</model><offers-x/><offerx id='9'/>"), {"2" + malformed}},
      {"bad_comment", offer_text("2", "<!-- a -- b -->"), {"2" + malformed}},
      {"declaration_inside", offer_text("2", "<?xml version='1.0'?>"), {"2" + malformed}},
      {"doctype_inside", offer_text("2", "<!DOCTYPE a [<!ENTITY b 'c'>]>"), {"2" + malformed}},
  };
}

class BrokenOffers : public testing::TestWithParam<Broken> {};

TEST_P(BrokenOffers, AreLostAlone) {
  const std::string feed = around(GetParam().text);
  EXPECT_THAT(read_text(feed).report.feed_error.kind, testing::AnyOf("xml_malformed", "undefined_entity"));
  for (const size_t block : {std::string::npos, size_t{1}, size_t{50}}) {
    const Reading reading = read_leniently(feed, block);
    EXPECT_TRUE(reading.good) << reading.report.feed_error.message;
    EXPECT_THAT(ids(reading), ElementsAre("1", "3"));
    EXPECT_EQ(lost(reading), GetParam().lost);
    EXPECT_EQ(reading.report.warning_count, 0U);
    EXPECT_EQ(reading.offers[1].line, 10U + static_cast<uint64_t>(std::ranges::count(GetParam().text, '\n')));
    for (const OfferError& error : reading.report.errors) {
      EXPECT_EQ(error.message.find('\n'), std::string::npos);
      EXPECT_NE(error.message.find("line "), std::string::npos);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BrokenOffers, testing::ValuesIn(broken_offers()),
                         [](const auto& info) { return info.param.name; });

TEST(LenientXml, LosesTheLastOfferToo) {
  const std::string broken = offer_text("2", "<model>a</b>");
  const Reading reading = read_leniently(feed_with(offer_text("1") + broken));
  EXPECT_TRUE(reading.good);
  EXPECT_THAT(ids(reading), ElementsAre("1"));
  EXPECT_THAT(lost(reading), ElementsAre("2:offer_malformed:10"));
  EXPECT_EQ(read_leniently(feed_with(broken)).report.feed_error.kind, "no_valid_offers");
}

TEST(LenientXml, IsNotForgivingOutsideTheOffers) {
  std::string feed = feed_with(offer_text("1"));
  feed.replace(feed.find("<categories>"), 12, "<categories></x>");
  EXPECT_EQ(read_leniently(feed).report.feed_error.kind, "xml_malformed");
  feed = feed_with(offer_text("1"));
  feed.replace(feed.find("</shop>"), 7, "<promos></x></shop>");
  EXPECT_EQ(read_leniently(feed).report.feed_error.kind, "xml_malformed");
  EXPECT_EQ(read_leniently(feed).report.accepted, 0U);
}

TEST(LenientXml, RefusesWhatMustNotBeRepaired) {
  const std::string dtd = "<?xml version=\"1.0\"?><!DOCTYPE yml_catalog [<!ENTITY a \"b\">]>";
  EXPECT_EQ(read_leniently(feed_with(offer_text("1"), dtd)).report.feed_error.kind, "dtd_entity_forbidden");
  EXPECT_EQ(read_leniently("<!DOCTYPE html><html>" + feed_with(offer_text("1"))).report.feed_error.kind, "not_a_feed");
  std::string nested;
  for (int i = 0; i < 100; ++i) nested += "<x>";
  EXPECT_EQ(read_leniently(feed_with(offer_text("1", nested))).report.feed_error.kind, "size_limit");
}

TEST(LenientXml, CutsJunkAroundTheDocument) {
  const std::string good = feed_with(offer_text("1"));
  const std::string bare = good.substr(good.find("<yml_catalog"));
  for (const std::string before : {"Warning: x in /a.php\n", "<br />\n<b>Warning</b>: x\n", "\n",
                                   "<!-- made by a script -->\n", "\xef\xbb\xbf\xef\xbb\xbf"}) {
    for (const size_t block : {std::string::npos, size_t{1}}) {
      const Reading reading = read_leniently(before + good, block);
      EXPECT_TRUE(reading.good) << before << reading.report.feed_error.message;
      EXPECT_EQ(kinds(reading.report.warnings), std::vector<std::string>{"junk_before_xml"}) << before;
      EXPECT_EQ(reading.offers.at(0).line, 9U + static_cast<uint64_t>(std::ranges::count(before, '\n')));
    }
  }
  EXPECT_EQ(kinds(read_leniently("Notice: y\n" + bare).report.warnings), std::vector<std::string>{"junk_before_xml"});
  for (const std::string before : {"", "\n", "<!-- a -->\n"}) {
    const Reading reading = read_leniently(before + bare);
    EXPECT_TRUE(reading.good);
    EXPECT_EQ(reading.report.warning_count, 0U) << before;
  }
  for (const std::string& after : {std::string("bye"), std::string("<more/>"), good, std::string("<!-- open")}) {
    for (const size_t block : {std::string::npos, size_t{1}}) {
      const Reading reading = read_leniently(good + after, block);
      EXPECT_TRUE(reading.good);
      EXPECT_EQ(kinds(reading.report.warnings), std::vector<std::string>{"trailing_junk"});
      EXPECT_EQ(reading.offers.size(), 1U);
    }
  }
}

TEST(LenientXml, RepairsCharactersAndSaysWhere) {
  const Reading reading = read_leniently(
      feed_with(offer_text("1", "\n<model>a & b</model>") + offer_text("2", "<vendor>x\x03&ndash;y</vendor>")));
  EXPECT_TRUE(reading.good);
  ASSERT_EQ(reading.offers.size(), 2U);
  EXPECT_EQ(reading.offers[0].model, "a & b");
  EXPECT_EQ(reading.offers[1].vendor, "x–y");
  ASSERT_EQ(reading.report.warnings.size(), 3U);
  EXPECT_EQ(reading.report.warnings[0].line, 10U);
  EXPECT_EQ(reading.report.warnings[0].id, "1");
  EXPECT_EQ(reading.report.warnings[2].id, "2");
  EXPECT_EQ(reading.report.warning_kinds,
            (std::map<std::string, uint64_t>{{"ampersand_repaired", 1}, {"bad_char_removed", 1}, {"html_entity", 1}}));
}

TEST(LenientXml, NamesNoOfferWhenTwoMayBeMeant) {
  const auto repaired_ids = [](const std::string& offers, size_t block) {
    std::string out;
    for (const OfferError& warning : read_leniently(feed_with(offers), block).report.warnings)
      out += "[" + warning.id + "]";
    return out;
  };
  const std::string bare = "<model>a & b</model>";
  std::string one = offer_text("1", bare);
  one.pop_back();  // its line end
  for (const size_t block : {std::string::npos, size_t{1}, size_t{100}}) {
    EXPECT_EQ(repaired_ids(offer_text("1", bare) + offer_text("2", bare), block), "[1][2]");
    EXPECT_EQ(repaired_ids(offer_text("1") + "<x>&</x>\n" + offer_text("2") + offer_text("3", bare), block), "[][3]");
    EXPECT_EQ(
        repaired_ids(offer_text("1", bare) + offer_text("2", bare + "<price>") + offer_text("3", "\n" + bare), block),
        "[1][][3]");
    EXPECT_EQ(repaired_ids(one + offer_text("2", bare), block), "[][]");
    EXPECT_EQ(repaired_ids(one + offer_text("2", "\n" + bare), block), "[][2]");
  }
}

TEST(LenientXml, GoogleItemsAreLostAlone) {
  const auto item = [](const std::string& id, const std::string& more) {
    return "<item><g:id>" + id + "</g:id><title>Lamp</title><link>https://shop.example/" + id +
           "</link><description>d</description><g:image_link>https://shop.example/i.jpg</g:image_link>"
           "<g:price>10.00 USD</g:price><g:availability>in_stock</g:availability>" +
           more + "</item>\n";
  };
  const std::string head =
      "<rss version=\"2.0\" xmlns:g=\"http://base.google.com/ns/1.0\"><channel><title>Shop</title>\n";
  const std::string feed =
      head + item("1", "") + item("2", "<x></y>") + item("3", "") + "<item><g:id>4</g:id>" + "</channel></rss>";
  EXPECT_EQ(read_text(feed).report.feed_error.kind, "xml_malformed");
  const Reading reading = read_leniently(feed);
  EXPECT_TRUE(reading.good) << reading.report.feed_error.message;
  EXPECT_THAT(ids(reading), ElementsAre("1", "3"));
  EXPECT_THAT(lost(reading), ElementsAre("2:offer_malformed:3", "4:offer_malformed:5"));
}

// Many broken offers cost time in proportion to the feed, however they are broken.
TEST(LenientXml, WorkIsLinear) {
  for (const std::string broken : {"<offer<", "<offer a='<'>", "<offer></x>", "<offer>"}) {
    std::string offers;
    while (offers.size() < (1 << 20)) offers += broken;
    const Reading reading = read_leniently(feed_with(offers + offer_text("1")), 65536);
    EXPECT_TRUE(reading.good) << broken << reading.report.feed_error.message;
    EXPECT_THAT(ids(reading), ElementsAre("1"));
  }
}

// Ways to break an offer beyond repair, somewhere between its tags.
std::string break_offer(std::string text) {
  const std::string fault = *rc::gen::element<std::string>("</x>", "<", "<x>", "]]>", "<a b=c/>", "<a b='1' b='2'/>",
                                                           "<!-- -- -->", "<?xml version='1.0'?>", "<<");
  const std::vector<std::string> places{"<name>", "<url>", "</price>", "</name>"};
  const std::string& place = *rc::gen::elementOf(places);
  return text.insert(text.find(place) + place.size(), fault);
}

RC_GTEST_PROP(LenientXmlProperty, ExactlyTheBrokenOffersAreLost, ()) {
  const std::vector<bool> broken = *rc::gen::container<std::vector<bool>>(rc::gen::arbitrary<bool>());
  std::string offers;
  std::vector<std::string> good_ids{"first"};
  size_t others = 0;
  for (size_t i = 0; i < broken.size(); ++i) {
    const std::string id = std::to_string(i);
    const std::string text =
        offer_text(id, "<description><![CDATA[<p>" + std::string(i * 20, 'x') + "</p>]]></description>");
    offers += broken[i] ? break_offer(text) : text;
    if (!broken[i]) good_ids.push_back(id);
    others += broken[i] ? 1 : 0;
  }
  const std::string feed = feed_with(offer_text("first") + offers);
  const Reading reading = read_leniently(feed, *rc::gen::inRange<size_t>(1, 300));
  RC_ASSERT(reading.good);
  // What is behind a broken offer's end belongs to nobody: it may be lost in pieces.
  std::set<std::string> lost_ids;
  for (const OfferError& error : reading.report.errors) {
    RC_ASSERT(error.kind == "offer_malformed");
    if (!error.id.empty()) lost_ids.insert(error.id);
  }
  std::vector<std::string> read_ids = ids(reading);
  // An offer that is broken behind its end was whole before.
  std::erase_if(read_ids, [&](const std::string& id) { return id != "first" && broken[std::stoul(id)]; });
  RC_ASSERT(read_ids == good_ids);
  RC_ASSERT(reading.report.rejected >= others);
  RC_ASSERT(reading.report.warning_count == 0U);
  for (const std::string& id : lost_ids) RC_ASSERT(broken[std::stoul(id)]);
}

RC_GTEST_PROP(LenientXmlProperty, CutFeedsAreTruncatedInBothModes, ()) {
  std::string offers;
  const size_t count = *rc::gen::inRange<size_t>(1, 5);
  for (size_t i = 0; i < count; ++i) {
    const std::string text =
        offer_text(std::to_string(i), "<model>a &amp; b &#38; <![CDATA[c & d]]></model><!-- e -->");
    offers += text;
  }
  const std::string broken = break_offer(offer_text("broken"));
  const std::string feed = feed_with(offers);
  const size_t end = feed.find("</yml_catalog>") + 13;
  const size_t keep = *rc::gen::inRange<size_t>(1, end + 1);
  for (const Mode mode : {Mode::kStrict, Mode::kLenient}) {
    const Reading reading =
        read_text(feed.substr(0, keep), *rc::gen::inRange<size_t>(1, 300), {.mode = mode, .limits = {}});
    RC_ASSERT(!reading.good);
    RC_ASSERT(reading.report.feed_error.kind == "truncated");
    RC_ASSERT(reading.report.accepted == 0U);
  }
  // Behind lost offers as well.
  const std::string with_broken = feed_with(broken + offers);
  const size_t from = with_broken.find(broken);
  const size_t to = with_broken.find("</yml_catalog>") + 13;
  const Reading reading = read_leniently(with_broken.substr(0, *rc::gen::inRange<size_t>(from, to + 1)));
  RC_ASSERT(reading.report.feed_error.kind == "truncated");
}

// Whatever is put into a feed, pieces of any size give the same, and a lenient reading accepts what a strict one does.
RC_GTEST_PROP(LenientXmlProperty, BlocksDoNotMatter, ()) {
  std::string feed =
      feed_with(offer_text("1") + offer_text("2", "<model>&amp; <![CDATA[ x ]]></model>") + offer_text("3"));
  const size_t faults = *rc::gen::inRange<size_t>(0, 4);
  for (size_t i = 0; i < faults; ++i) {
    const std::string fault =
        *rc::gen::element<std::string>("<", ">", "&", "</offer>", "<offer id='9'>", "<offer ", "</offers>", "]]>",
                                       "<![CDATA[", "<!--", "-->", "\"", "\x01", "&nbsp;", "<offer", "\n");
    feed.insert(*rc::gen::inRange<size_t>(feed.find("<offers>"), feed.size()), fault);
  }
  const Reading strict = read_text(feed);
  const Reading whole = read_leniently(feed);
  const Reading cut = read_leniently(feed, *rc::gen::inRange<size_t>(1, 300));
  RC_ASSERT(cut.report.feed_error.kind == whole.report.feed_error.kind);
  RC_ASSERT(cut.report.feed_error.line == whole.report.feed_error.line);
  RC_ASSERT(ids(cut) == ids(whole));
  RC_ASSERT(lost(cut) == lost(whole));
  RC_ASSERT(kinds(cut.report.warnings) == kinds(whole.report.warnings));
  // Lenient rules for values accept more.
  std::vector<std::string> all = ids(whole);
  for (const std::string& id : ids(strict)) RC_ASSERT(!strict.good || std::ranges::find(all, id) != all.end());
  RC_ASSERT(!strict.good || whole.good);
}

}  // namespace
}  // namespace souk::feed
