// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/feed/read_options.h"
#include "indexer/feed/xml_handler.h"

namespace souk::feed {

// Reads the items that nearly all items of feeds are like, several times faster than expat: elements with ASCII names,
// text, CDATA, XML's own entities and numbered characters. It takes nothing that expat would refuse or read otherwise;
// whatever else an item has is left to expat, broken items above all.
class ItemScanner {
 public:
  enum class Found : uint8_t { kItem, kIncomplete, kUnusual };
  enum class Event : uint8_t { kStart, kEnd, kText };

  struct Token {
    Event event;
    size_t at = 0;                               // where it begins in the text
    std::string_view text;                       // name or text
    size_t first_attribute = 0, attributes = 0;  // of kStart
  };

  explicit ItemScanner(size_t max_attributes) : max_attributes_(max_attributes) {}

  // Whether the text, well-formed UTF-8, begins with an element `name` in which elements are nested no deeper than
  // max_depth, itself counted. It must outlive the use of the tokens.
  Found scan(std::string_view text, std::string_view name, size_t max_depth);

  // These of the item found.
  size_t size() const { return at_; }
  std::span<const Token> tokens() const { return tokens_; }
  void give(const Token& token, XmlHandler& handler) const;

 private:
  std::span<const XmlAttribute> attributes(const Token& token) const {
    return std::span(attributes_).subspan(token.first_attribute, token.attributes);
  }
  Found scan_markup();
  Found scan_text();
  Found scan_cdata();
  Found scan_start();
  Found scan_end();
  Found scan_attribute();
  Found scan_reference(std::string& out);
  bool scan_name(std::string_view& name);
  void skip_blanks();
  void add_text(std::string_view text, size_t at);
  bool ended() const { return at_ == text_.size(); }

  const size_t max_attributes_;
  size_t max_depth_ = 0;
  std::string_view text_;
  std::string_view item_name_;
  size_t at_ = 0;
  std::vector<Token> tokens_;
  std::vector<XmlAttribute> attributes_;
  std::vector<std::string_view> open_;
  std::string decoded_;  // what references stand for; never grows beyond what is reserved, so views of it last
};

}  // namespace souk::feed
