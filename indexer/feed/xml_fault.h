// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace souk::feed {

// The kind of an error of expat's (XML_Error). last: at the document's end; root_seen, root_closed: where it stands.
std::string xml_fault_kind(int code, bool last, bool root_seen, bool root_closed);

// " (column 7)" of what follows the text; empty when no line begins in it.
std::string column_behind(std::string_view text);

}  // namespace souk::feed
