// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "indexer/feed/read_options.h"
#include "indexer/feed/report.h"

namespace souk::feed {

struct XmlAttribute {
  std::string_view name;
  std::string_view value;
};

// Takes the document as it is read. Views live for the length of the call. A handler that wants no more calls
// XmlParser::refuse().
class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  virtual void on_doctype(std::string_view /*root_name*/) {}
  virtual void on_start(std::string_view name, std::span<const XmlAttribute> attributes) = 0;
  virtual void on_end() = 0;
  virtual void on_text(std::string_view text) = 0;  // in pieces
  // The document uses an HTML entity that only an (unread) external DTD could declare. Its character is in the text.
  virtual void on_html_entity(std::string_view name) = 0;
  // Lenient: the item in work (XmlParser::items) is not well-formed and is lost; reading goes on behind it, among the
  // items. The handler forgets the item, and reports offer_malformed: with the item's id and line if it had begun,
  // else with this line.
  virtual void on_item_lost(uint64_t line, std::string message) = 0;
};

// Third stage: well-formed UTF-8 -> elements, by expat. Names are as written, with their prefixes. Nothing outside the
// document is ever opened; any entity declaration refuses it (dtd_entity_forbidden), as do an unknown entity
// (undefined_entity), anything that is not well-formed XML 1.0 (xml_malformed, trailing_junk, truncated) and going over
// the limits (size_limit).
// Lenient: an item that is not well-formed is lost alone, and what follows the root is cut (warning trailing_junk).
// Exceptions of the handler come out of push() and finish().
class XmlParser {
 public:
  // first_line: where the text begins in the feed.
  XmlParser(const ReadOptions& options, XmlHandler& handler, Report& report, uint64_t first_line = 1);
  ~XmlParser();
  XmlParser(const XmlParser&) = delete;
  XmlParser& operator=(const XmlParser&) = delete;

  bool push(std::string_view utf8);
  bool finish();
  uint64_t last_line() const;  // after finish()

  // These from within a handler call only.
  uint64_t line() const;
  void refuse(std::string kind, std::string message);
  // Who takes the events from the next one on.
  void set_handler(XmlHandler& handler);
  // In on_start() of the element that holds the items: its children of this name are items, offers of the feed.
  void items(std::string_view name);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace souk::feed
