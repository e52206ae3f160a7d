// SPDX-License-Identifier: Apache-2.0
// Around the kinds of faults of single feeds: whatever has the fault in any place is read as that kind is.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "tests/unit/indexer/feed/feed_text.h"

namespace souk::feed {
namespace {

const std::string kXml = R"(<?xml version="1.0" encoding="UTF-8"?>)";

// Texts of one offer, in all places that texts stand in, as they are written.
struct Texts {
  std::string model, param_name, param, description;
};

std::string feed_of(const Texts& texts, const std::string& prolog = kXml) {
  return feed_with(
      offer_text("1") +
          offer_text("2", "<model>" + texts.model + "</model><param name=\"" + texts.param_name + "\">" + texts.param +
                              "</param>\n<description><![CDATA[" + texts.description + "]]></description>") +
          offer_text("3"),
      prolog);
}

// How a feed of plain texts reads: what the repaired ones must read like.
void require_reads_like(const Reading& reading, const Texts& plain) {
  RC_ASSERT(reading.good);
  const Reading expected = read_text(feed_of(plain));
  RC_ASSERT(expected.good);
  RC_ASSERT(reading.offers.size() == 3U);
  for (size_t i = 0; i < 3; ++i) {
    RC_ASSERT(reading.offers[i].id == expected.offers[i].id);
    RC_ASSERT(reading.offers[i].model == expected.offers[i].model);
    RC_ASSERT(reading.offers[i].params == expected.offers[i].params);
    RC_ASSERT(reading.offers[i].description == expected.offers[i].description);
  }
}

// Text of the pieces; each has a faulty and a right spelling.
using Spelling = std::pair<std::string, std::string>;
struct Pair {
  std::string faulty, right;
  size_t faults = 0;
};

Pair any_text(const std::vector<Spelling>& faults) {
  static const std::vector<std::string> kPlain{"a", "Лампа", " ", "7", "&amp;", "&#65;", "–", ";", "x"};
  Pair text{"t", "t"};
  const auto pieces = *rc::gen::resize(
      8, rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(0, kPlain.size() + faults.size())));
  for (const size_t piece : pieces) {
    const bool plain = piece < kPlain.size();
    text.faulty += plain ? kPlain[piece] : faults[piece - kPlain.size()].first;
    text.right += plain ? kPlain[piece] : faults[piece - kPlain.size()].second;
    text.faults += plain ? 0 : 1;
  }
  text.faulty += 't';
  text.right += 't';
  return text;
}

// The three places in which references are read.
struct Case {
  Texts faulty, right;
  size_t faults = 0;
};

Case any_case(const std::vector<Spelling>& faults) {
  const Pair model = any_text(faults);
  const Pair name = any_text(faults);
  const Pair param = any_text(faults);
  return {{model.faulty, name.faulty, param.faulty, "d"},
          {model.right, name.right, param.right, "d"},
          model.faults + name.faults + param.faults};
}

void require_repaired(const Case& each, const std::string& kind, const std::string& strict_kind) {
  const size_t block = *rc::gen::inRange<size_t>(1, 400);
  const Reading lenient = read_leniently(feed_of(each.faulty), block);
  require_reads_like(lenient, each.right);
  RC_ASSERT(lenient.report.warning_count == each.faults);
  if (each.faults > 0)
    RC_ASSERT(lenient.report.warning_kinds == (std::map<std::string, uint64_t>{{kind, each.faults}}));
  const Reading strict = read_text(feed_of(each.faulty), block);
  RC_ASSERT(strict.good == (each.faults == 0));
  if (each.faults > 0) RC_ASSERT(strict.report.feed_error.kind == strict_kind);
}

RC_GTEST_PROP(FaultProperty, BareAmpersandsAreLiteral, ()) {
  require_repaired(any_case({{"& ", "&amp; "},
                             {"&x=1", "&amp;x=1"},
                             {"&quo ", "&amp;quo "},
                             {"&&amp;", "&amp;&amp;"},
                             {"&#; ", "&amp;#; "}}),
                   "ampersand_repaired", "xml_malformed");
}

RC_GTEST_PROP(FaultProperty, ForbiddenCharactersAreRemoved, ()) {
  Case each =
      any_case({{"\x01", ""}, {"\x1f", ""}, {"\x0b", ""}, {"&#3;", ""}, {"&#xFFFF;", ""}, {"\xef\xbf\xbe", ""}});
  const Pair description = any_text({{"\x1a", ""}, {"\xef\xbf\xbf", ""}});
  each.faulty.description = description.faulty;
  each.right.description = description.right;
  each.faults += description.faults;
  require_repaired(each, "bad_char_removed", "xml_malformed");
}

RC_GTEST_PROP(FaultProperty, HtmlEntitiesAreTheirCharacters, ()) {
  const Case each =
      any_case({{"&ndash;", "–"}, {"&laquo;", "«"}, {"&euro;", "€"}, {"&Aacute;", "Á"}, {"&thetasym;", "ϑ"}});
  require_repaired(each, "html_entity", "undefined_entity");
  // With the customary document type they are read in both modes.
  const std::string dtd = kXml + "<!DOCTYPE yml_catalog SYSTEM \"shops.dtd\">";
  for (const Mode mode : {Mode::kStrict, Mode::kLenient}) {
    const Reading reading =
        read_text(feed_of(each.faulty, dtd), *rc::gen::inRange<size_t>(1, 400), {.mode = mode, .limits = {}});
    require_reads_like(reading, each.right);
    RC_ASSERT(reading.report.warning_count == each.faults);
  }
}

RC_GTEST_PROP(FaultProperty, JunkBeforeTheXmlIsCut, ()) {
  static const std::vector<std::string> kJunk{"Warning: ", "<br />\n", "<b>x</b>", "Лампа",  " in /var/www/a.php",
                                              "\n",        "\t",       "123",      "</div>", "\ufeff"};
  std::string junk;
  for (const std::string& piece :
       *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kJunk))))
    junk += piece;
  // A byte order mark alone is none.
  if (junk.starts_with("\ufeff")) junk.insert(0, " ");
  const std::string feed = junk + feed_with(offer_text("1"));
  const size_t block = *rc::gen::inRange<size_t>(1, 400);
  const Reading lenient = read_leniently(feed, block);
  RC_ASSERT(lenient.good);
  RC_ASSERT(kinds(lenient.report.warnings) == std::vector<std::string>{"junk_before_xml"});
  RC_ASSERT(lenient.offers.at(0).line == 9U + static_cast<uint64_t>(std::ranges::count(junk, '\n')));
  const Reading strict = read_text(feed, block);
  RC_ASSERT(strict.report.feed_error.kind == "junk_before_xml");
}

RC_GTEST_PROP(FaultProperty, DeclaredEntitiesAreNeverRead, ()) {
  static const std::vector<std::string> kParts{
      "<!ELEMENT a ANY>", "<!-- x -->", "<?p ?>", "\n", " ", "<!ATTLIST a b CDATA #IMPLIED>"};
  static const std::vector<std::string> kEntities{
      "<!ENTITY a \"b\">", "<!ENTITY a SYSTEM \"file:///etc/passwd\">", "<!ENTITY % a \"<!ENTITY b 'c'>\">",
      "<!ENTITY a PUBLIC \"x\" \"http://127.0.0.1/\">", "<!ENTITY a \"&a;&a;\">"};
  std::string subset;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kParts)))
    subset += part;
  subset += *rc::gen::elementOf(kEntities);
  const std::string feed =
      feed_with(offer_text("1", "<model>&a;</model>"), kXml + "<!DOCTYPE yml_catalog [" + subset + "]>");
  for (const Mode mode : {Mode::kStrict, Mode::kLenient}) {
    const Reading reading = read_text(feed, *rc::gen::inRange<size_t>(1, 400), {.mode = mode, .limits = {}});
    RC_ASSERT(reading.report.feed_error.kind == "dtd_entity_forbidden");
    RC_ASSERT(reading.offers.empty());
  }
}

RC_GTEST_PROP(FaultProperty, HugeDescriptionsAreCut, ()) {
  const size_t words = *rc::gen::inRange<size_t>(1, 20'000);
  std::string text;
  for (size_t i = 0; i < words; ++i) text += "тихий ";
  const Reading reading = read_text(feed_with(offer_text("1", "<description>" + text + "</description>")), 65536);
  RC_ASSERT(reading.good);
  const std::string& description = reading.offers.at(0).description;
  RC_ASSERT(description.size() <= 2U * OfferLimits::kDescription);
  RC_ASSERT(std::string_view(text).starts_with(description));
  RC_ASSERT(kinds(reading.report.warnings) ==
            (words > 500 ? std::vector<std::string>{"description_truncated"} : std::vector<std::string>()));
}

// Any graph of parents: cycles become roots each, too deep chains hang higher; the work never recurses.
RC_GTEST_PROP(FaultProperty, AnyParentsMakeATree, ()) {
  const auto parents = *rc::gen::nonEmpty(rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(0, 20)));
  std::string list;
  for (size_t i = 0; i < parents.size(); ++i) {
    list += "<category id=\"" + std::to_string(i + 1) + "\" parentId=\"" + std::to_string(parents[i]) + "\">c" +
            std::to_string(i + 1) + "</category>";
  }
  std::string offers;
  for (size_t i = 0; i < parents.size(); ++i) {
    std::string offer = offer_text(std::to_string(i + 1));
    offer.replace(offer.find("<categoryId>2"), 13, "<categoryId>" + std::to_string(i + 1));
    offers += offer;
  }
  std::string feed = feed_with(offers);
  const size_t at = feed.find("<category id");
  feed.replace(at, feed.find("</categories>") - at, list);
  const Reading reading = read_text(feed);
  RC_ASSERT(reading.offers.size() == parents.size());
  // Slowly: from each category up, until a root or a category of a cycle, which is one.
  const auto parent_of = [&](size_t id) { return parents[id - 1] <= parents.size() ? parents[id - 1] : 0; };
  const auto in_cycle = [&](size_t id) {
    size_t next = parent_of(id);
    for (size_t steps = 0; next != 0 && next != id && steps < parents.size(); ++steps) next = parent_of(next);
    return next == id;
  };
  for (size_t i = 0; i < parents.size(); ++i) {
    std::vector<std::string> path{"c" + std::to_string(i + 1)};
    for (size_t id = i + 1; !in_cycle(id) && parent_of(id) != 0;) {
      id = parent_of(id);
      path.insert(path.begin(), "c" + std::to_string(id));
    }
    RC_ASSERT(reading.offers[i].category_path == path);
  }
}

}  // namespace
}  // namespace souk::feed
