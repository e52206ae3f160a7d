// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace souk::feed {

struct XmlAttribute {
  std::string_view name;
  std::string_view value;
};

// Empty when there is none of that name.
inline std::string_view find_attribute(std::span<const XmlAttribute> attributes, std::string_view name) {
  for (const XmlAttribute& attribute : attributes) {
    if (attribute.name == name) return attribute.value;
  }
  return {};
}

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

}  // namespace souk::feed
