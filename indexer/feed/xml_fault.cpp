// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/xml_fault.h"

// Without it expat.h hides what guards against entity expansion.
#define XML_DTD 1
#include <expat.h>
#include <fmt/core.h>

#include <algorithm>

namespace souk::feed {

std::string xml_fault_kind(int code, bool last, bool root_seen, bool root_closed) {
  if (root_seen && root_closed) return "trailing_junk";
  switch (code) {
    case XML_ERROR_UNDEFINED_ENTITY:
      return "undefined_entity";
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
      return "trailing_junk";
    case XML_ERROR_NO_ELEMENTS:
    case XML_ERROR_UNCLOSED_TOKEN:
    case XML_ERROR_UNCLOSED_CDATA_SECTION:
    case XML_ERROR_PARTIAL_CHAR:
      return last ? "truncated" : "xml_malformed";
    case XML_ERROR_MISPLACED_XML_PI:
      return root_seen ? "xml_malformed" : "junk_before_xml";
    case XML_ERROR_AMPLIFICATION_LIMIT_BREACH:
      return "dtd_entity_forbidden";
    default:
      return "xml_malformed";
  }
}

std::string column_behind(std::string_view text) {
  const size_t begin = text.rfind('\n');
  if (begin == std::string_view::npos) return {};
  const auto characters = std::ranges::count_if(text.substr(begin + 1), [](char c) { return (c & 0xC0) != 0x80; });
  return fmt::format(" (column {})", characters + 1);
}

}  // namespace souk::feed
