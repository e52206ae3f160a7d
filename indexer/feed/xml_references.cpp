// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/xml_references.h"

#include <algorithm>
#include <utility>

#include "indexer/input/html_entities.h"
#include "indexer/input/utf8.h"

namespace souk::feed {
namespace {

// The characters of &name; in an attribute; nothing when XML and HTML know no such entity.
bool append_reference(std::string& out, std::string_view name) {
  static constexpr std::pair<std::string_view, char> kXml[]{
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [known, c] : kXml) {
    if (name == known) {
      out += c;
      return true;
    }
  }
  if (name.starts_with('#')) {  // expat has checked it
    const bool hex = name.starts_with("#x");
    input::append_utf8(
        out, static_cast<uint32_t>(std::stoul(std::string(name.substr(hex ? 2 : 1)), nullptr, hex ? 16 : 10)));
    return true;
  }
  const auto code = input::html_entity(name);
  if (code) input::append_utf8(out, *code);
  return code.has_value();
}

}  // namespace

std::string_view decode_attribute(std::string_view raw, std::string& out, XmlHandler& handler) {
  for (size_t at = 0; at < raw.size();) {
    if (raw[at] != '&') {
      if (raw[at] == '\r' && raw.substr(at + 1).starts_with('\n')) ++at;  // a line end is one character
      out += kXmlBlanks.contains(raw[at]) ? ' ' : raw[at];
      ++at;
      continue;
    }
    const size_t end = std::min(raw.find(';', at), raw.size());
    const std::string_view name = raw.substr(at + 1, end - at - 1);
    if (!append_reference(out, name)) return name;
    if (input::html_entity(name) && name != "amp" && name != "lt" && name != "gt" && name != "quot") {
      handler.on_html_entity(name);
    }
    at = end + 1;
  }
  return {};
}

}  // namespace souk::feed
