// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "indexer/feed/read_options.h"
#include "indexer/feed/report.h"
#include "indexer/feed/xml_handler.h"

namespace souk::feed {

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
