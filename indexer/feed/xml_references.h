// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "indexer/feed/xml_handler.h"

namespace souk::feed {

inline constexpr std::string_view kXmlBlanks = " \t\r\n";

// An attribute's value as it is written in a well-formed tag -> what it means, HTML's entities too: each of them is
// told to the handler. Returns the first entity that neither XML nor HTML knows; empty = none.
std::string_view decode_attribute(std::string_view raw, std::string& out, XmlHandler& handler);

}  // namespace souk::feed
