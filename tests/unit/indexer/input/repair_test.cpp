// SPDX-License-Identifier: Apache-2.0
#include "indexer/input/repair.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "indexer/input/utf8.h"
#include "tests/unit/indexer/input/stream.h"

namespace souk::input {
namespace {

Passed repair(std::string_view text, size_t block = std::string_view::npos) {
  Passed passed;
  CharacterRepair stage(passed.sink(), passed.warn(), 1);
  passed.good = push_all(stage, text, block);
  return passed;
}

struct Repair {
  std::string text, repaired;
  std::vector<std::string> warnings;
};

const std::vector<Repair>& repairs() {
  static const std::vector<Repair> kAll{
      {"", "", {}},
      {"a &amp; b &lt; &#38; &#x26; &quot;&apos;&gt;", "a &amp; b &lt; &#38; &#x26; &quot;&apos;&gt;", {}},
      {"Plug&Play", "Plug&amp;Play", {"ampersand_repaired:1"}},
      {"?a=1&b=2&amp;c=3", "?a=1&amp;b=2&amp;c=3", {"ampersand_repaired:1"}},
      {"\na && b", "\na &amp;&amp; b", {"ampersand_repaired:2", "ampersand_repaired:2"}},
      {"cut &quo<", "cut &amp;quo<", {"ampersand_repaired:1"}},
      {"at the end &", "at the end &amp;", {"ampersand_repaired:1"}},
      {"at the end &amp", "at the end &amp;amp", {"ampersand_repaired:1"}},
      {"&no; &; &#; &#x; &#xZ; &#12a;", "&amp;no; &amp;; &amp;#; &amp;#x; &amp;#xZ; &amp;#12a;",
       std::vector<std::string>(6, "ampersand_repaired:1")},
      {"&" + std::string(100, 'a') + ";", "&amp;" + std::string(100, 'a') + ";", {"ampersand_repaired:1"}},
      {"a&nbsp;b&ndash;&Nbsp;", "a\u00a0b–&amp;Nbsp;", {"html_entity:1", "html_entity:1", "ampersand_repaired:1"}},
      {"a\x01z\x1f", "az", {"bad_char_removed:1", "bad_char_removed:1"}},
      {std::string("a\0b", 3), "ab", {"bad_char_removed:1"}},
      {"a\t\r\n\x7f", "a\t\r\n\x7f", {}},
      {"\uffff я \ufffe \ufffd \ufeff", " я  \ufffd \ufeff", {"bad_char_removed:1", "bad_char_removed:1"}},
      {"&#3;&#xFFFF;&#x110000;&#99999999999;&#0;&#xD800;", "", std::vector<std::string>(6, "bad_char_removed:1")},
      {"<![CDATA[a & b &nbsp; \x1a]]>&",
       "<![CDATA[a & b &nbsp; ]]>&amp;",
       {"bad_char_removed:1", "ampersand_repaired:1"}},
      {"<![CDATA[]]]>&]]>", "<![CDATA[]]]>&amp;]]>", {"ampersand_repaired:1"}},
      {"<!-- a & b - -- \n-->&", "<!-- a & b - -- \n-->&amp;", {"ampersand_repaired:2"}},
      {"<?x a & b ?>&", "<?x a & b ?>&amp;", {"ampersand_repaired:1"}},
      {"<a href='?x&y'>1 < 2</a>", "<a href='?x&amp;y'>1 < 2</a>", {"ampersand_repaired:1"}},
      {"<![CDATA[ never closed & ", "<![CDATA[ never closed & ", {}},
      {"<![CDAT[&", "<![CDAT[&amp;", {"ampersand_repaired:1"}},
  };
  return kAll;
}

TEST(CharacterRepair, MakesXmlOfIt) {
  for (const Repair& each : repairs()) {
    for (const size_t block : {std::string::npos, size_t{1}, size_t{4}}) {
      // Blocks are of whole characters.
      if (block < each.text.size() && each.text.find_first_of("\xc2\xd1\xef") != std::string::npos) continue;
      const Passed passed = repair(each.text, block);
      EXPECT_TRUE(passed.good);
      EXPECT_EQ(passed.text, each.repaired) << each.text;
      EXPECT_EQ(passed.warnings, each.warnings) << each.text;
    }
  }
}

TEST(CharacterRepair, IsDoneOnce) {
  for (const Repair& each : repairs()) {
    const Passed again = repair(each.repaired);
    EXPECT_EQ(again.text, each.repaired);
    EXPECT_TRUE(again.warnings.empty()) << each.repaired;
  }
}

RC_GTEST_PROP(CharacterRepairProperty, BlocksDoNotMatter, ()) {
  static const std::vector<std::string> kPieces{"&",    "&amp;",   "&#3;",      "amp", ";",  "<",      "<!", "--",
                                                ">",    "[CDATA[", "<![CDATA[", "]]",  "]",  "&nbsp;", "a",  "я",
                                                "\x01", "\uffff",  "\n",        "?",   "<?", "#x2"};
  std::string text;
  std::vector<size_t> ends{0};
  for (const std::string& piece : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces))) {
    text += piece;
    ends.push_back(text.size());
  }
  const Passed whole = repair(text);
  Passed cut;
  CharacterRepair stage(cut.sink(), cut.warn(), 1);
  for (size_t i = 1; i < ends.size(); ++i)
    RC_ASSERT(stage.push(std::string_view(text).substr(ends[i - 1], ends[i] - ends[i - 1])));
  RC_ASSERT(stage.finish());
  RC_ASSERT(cut.text == whole.text);
  RC_ASSERT(cut.warnings == whole.warnings);
  RC_ASSERT(utf8_prefix(cut.text).valid == cut.text.size());
}

}  // namespace
}  // namespace souk::input
