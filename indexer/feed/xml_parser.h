// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "indexer/feed/report.h"
#include "indexer/feed/yml_reader.h"

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
  virtual void on_doctype(std::string_view root_name) = 0;
  virtual void on_start(std::string_view name, std::span<const XmlAttribute> attributes) = 0;
  virtual void on_end() = 0;
  virtual void on_text(std::string_view text) = 0;  // in pieces
  // The document uses an HTML entity that only an (unread) external DTD could declare. Its character is in the text.
  virtual void on_html_entity(std::string_view name) = 0;
};

// Third stage: well-formed UTF-8 -> elements, by expat. Nothing outside the document is ever opened; any entity
// declaration refuses it (dtd_entity_forbidden), as do an unknown entity (undefined_entity), anything that is not
// well-formed XML 1.0 (xml_malformed, trailing_junk, truncated) and going over the limits (size_limit).
// Exceptions of the handler come out of push() and finish().
class XmlParser {
 public:
  XmlParser(const ReaderLimits& limits, XmlHandler& handler, FeedError& error);
  ~XmlParser();
  XmlParser(const XmlParser&) = delete;
  XmlParser& operator=(const XmlParser&) = delete;

  bool push(std::string_view utf8);
  bool finish();

  // Both from within a handler call only.
  uint64_t line() const;
  void refuse(std::string kind, std::string message);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace souk::feed
