// SPDX-License-Identifier: Apache-2.0
// Events of XML; items that are scanned give what expat gives.
#include "indexer/feed/xml_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "indexer/feed/item_scanner.h"

namespace souk::feed {
namespace {

// Writes the events down, text in one piece; the root holds items "i".
class Recorder final : public XmlHandler {
 public:
  void bind(XmlParser& parser) { parser_ = &parser; }
  const std::vector<std::string>& events() const { return events_; }

  void on_start(std::string_view name, std::span<const XmlAttribute> attributes) override {
    std::string event = "<" + std::string(name);
    for (const XmlAttribute& one : attributes)
      event += " " + std::string(one.name) + "=[" + std::string(one.value) + "]";
    if (depth_ == 1) item_at_ = events_.size();
    events_.push_back(event + ":" + std::to_string(parser_->line()));
    if (name == "l" && depth_ == 0) parser_->items("i");
    ++depth_;
  }
  void on_end() override {
    events_.emplace_back(">");
    --depth_;
  }
  void on_text(std::string_view text) override {
    if (depth_ <= 1) return;  // between items nobody asks for it
    if (events_.empty() || !events_.back().starts_with('"')) events_.emplace_back("\"");
    events_.back() += text;
  }
  void on_html_entity(std::string_view name) override { events_.push_back("&" + std::string(name)); }
  void on_item_lost(uint64_t line, std::string) override {
    // How much of a lost item has come is nobody's business.
    if (depth_ > 1) events_.resize(item_at_);
    events_.push_back("lost:" + std::to_string(line));
    depth_ = 1;
  }

 private:
  XmlParser* parser_ = nullptr;
  std::vector<std::string> events_;
  size_t depth_ = 0;
  size_t item_at_ = 0;  // of the item in work
};

struct Parsed {
  std::vector<std::string> events;
  Report report;
  bool good = false;
};

Parsed parse(std::string_view head, std::string_view rest, Mode mode, size_t block = std::string_view::npos) {
  Parsed parsed;
  Recorder recorder;
  ReadOptions options;
  options.mode = mode;
  options.limits.depth = 6;
  options.limits.attributes = 3;
  XmlParser parser(options, recorder, parsed.report);
  recorder.bind(parser);
  bool more = head.empty() || parser.push(head);
  for (; more && !rest.empty(); rest.remove_prefix(std::min(block, rest.size())))
    more = parser.push(rest.substr(0, block));
  parsed.good = more && parser.finish();
  parsed.events = recorder.events();
  return parsed;
}

constexpr std::string_view kListHead = "<l>\n<i/>";

TEST(XmlParser, GivesItemsInAnyPieces) {
  const std::string rest =
      "<i id='1' a=\"&amp;&#65;\">x &lt; y&#x42;<b>\r\n ]] ></b><![CDATA[<&]]]>\r\n<c/></i>\n<i>é€😀</i >\n"
      "<i><!-- expat --></i><i>z</i></l>";
  const std::vector<std::string> events{"<l:1",     "<i:2",   ">",         "<i id=[1] a=[&A]:2",
                                        "\"x < yB", "<b:2",   "\"\n ]] >", ">",
                                        "\"<&]\n",  "<c:4",   ">",         ">",
                                        "<i:5",     "\"é€😀", ">",         "<i:6",
                                        ">",        "<i:6",   "\"z",       ">",
                                        ">"};
  for (const Mode mode : {Mode::kStrict, Mode::kLenient}) {
    for (const size_t block : {std::string::npos, size_t{1}, size_t{2}, size_t{30}}) {
      const Parsed parsed = parse(kListHead, rest, mode, block);
      EXPECT_TRUE(parsed.good) << parsed.report.feed_error.message;
      EXPECT_EQ(parsed.events, events) << block;
    }
  }
}

TEST(ItemScanner, TakesWhatIsPlain) {
  ItemScanner scanner(8);
  const auto scan = [&](std::string_view text) { return scanner.scan(text, "i", 4); };
  using enum ItemScanner::Found;
  for (const std::string_view text :
       {"<i/>", "<i></i>", "<i  a = 'x>' b=\"'\" />", "<i><a>x</a>&amp;<![CDATA[ ]] ]]></i>", "<i>\t\r\n</i >"}) {
    EXPECT_EQ(scan(text), kItem) << text;
    EXPECT_EQ(scanner.size(), text.size());
    for (size_t size = 0; size < text.size(); ++size)
      EXPECT_EQ(scan(text.substr(0, size)), kIncomplete) << text.substr(0, size);
  }
}

TEST(ItemScanner, LeavesTheRestToExpat) {
  ItemScanner scanner(2);
  for (const std::string_view text : {"x",
                                      "<j/>",
                                      "<i><i/></i>",
                                      "<i></j>",
                                      "<i><a></i>",
                                      "<i>&nbsp;</i>",
                                      "<i>&#3;</i>",
                                      "<i>&#x110000;</i>",
                                      "<i>& </i>           ",
                                      "<i>]]></i>",
                                      "<i>\x01</i>",
                                      "<i>\r</i>",
                                      "<i>\uffff</i>",
                                      "<i><!-- --></i>",
                                      "<i><?p ?></i>",
                                      "<i a='<'/>",
                                      "<i a='&no;'/>",
                                      "<i a='\n'/>",
                                      "<i a=1/>",
                                      "<i a='1'b='2'/>",
                                      "<i a='1' a='2'/>",
                                      "<i a='1' b='2' c='3'/>",
                                      "<i><ы/></i>",
                                      "<i><1/></i>",
                                      "<i / >",
                                      "<i><a><b><c/></b></a></i>",
                                      "<i><![CDATA[\x02]]></i>",
                                      "<!DOCTYPE i>",
                                      "</i>",
                                      "< i/>"}) {
    EXPECT_EQ(scanner.scan(text, "i", 3), ItemScanner::Found::kUnusual) << text;
  }
}

// Whatever the items hold, the scanner (which reads from the second push on) gives what expat gives.
RC_GTEST_PROP(XmlParserProperty, ScannedItemsAreWhatExpatReads, ()) {
  static const std::vector<std::string> kPieces{"<i>",
                                                "</i>",
                                                "<i a='1'>",
                                                "<a>",
                                                "</a>",
                                                "<b c=\"&lt;\" d='x y'/>",
                                                "text",
                                                "я€",
                                                "\n",
                                                "\r\n",
                                                "&amp;",
                                                "&#65;",
                                                "&#x1F600;",
                                                "<![CDATA[",
                                                "]]>",
                                                "]",
                                                "<i/>",
                                                "</i><i>",
                                                "&",
                                                "&nbsp;",
                                                "<!-- -->",
                                                "<!--",
                                                "<?x ?>",
                                                "\x01",
                                                "\r",
                                                "\t",
                                                "<",
                                                ">",
                                                "\"",
                                                "'",
                                                "=",
                                                "</l>",
                                                "\uffff",
                                                "&#3;",
                                                "<i id=\"2\" x='a\tb'>",
                                                "</i ><i >",
                                                "<a b='1' b='2'>",
                                                "<c d='1' e='2' f='3' g='4'/>"};
  std::string rest;
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces));
  std::vector<size_t> ends;
  for (const std::string& piece : pieces) {
    rest += piece;
    ends.push_back(rest.size());
  }
  if (*rc::gen::arbitrary<bool>()) rest += "</i></l>";
  const size_t cut = ends.empty() ? 0 : *rc::gen::elementOf(ends);
  for (const Mode mode : {Mode::kStrict, Mode::kLenient}) {
    const Parsed by_expat = parse("", std::string(kListHead) + rest, mode);
    const Parsed scanned = parse(kListHead, rest, mode);
    const Parsed in_two = parse(std::string(kListHead) + rest.substr(0, cut), rest.substr(cut), mode);
    for (const Parsed* other : {&scanned, &in_two}) {
      RC_ASSERT(other->good == by_expat.good);
      RC_ASSERT(other->report.feed_error.kind == by_expat.report.feed_error.kind);
      RC_ASSERT(other->report.feed_error.line == by_expat.report.feed_error.line);
      // Refused feeds may have been given less.
      if (by_expat.good) RC_ASSERT(other->events == by_expat.events);
    }
  }
}

}  // namespace
}  // namespace souk::feed
