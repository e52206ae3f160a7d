// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace souk::control {

// Text for a terminal: control characters (a feed may hold escape sequences) and bad UTF-8 become '?', then at most
// width columns are kept, the last one an ellipsis where something was cut. width 0 = all of it.
std::string terminal_text(std::string_view text, size_t width = 0);

// Columns that a text takes: none for combining marks, two for wide characters.
size_t display_width(std::string_view text);

struct Column {
  std::string title;
  size_t max_width = 0;  // 0 = as wide as its texts
  bool right = false;    // numbers
};

// A row of titles and the rows below it; columns are two blanks apart and the last one is not padded. Every row has as
// many texts as there are columns.
std::string format_table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows);

}  // namespace souk::control
