// SPDX-License-Identifier: Apache-2.0
#include "control/cli/text_table.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>

#include "core/base/error.h"

namespace souk::control {

namespace {

size_t width_of(UChar32 character) {
  switch (u_charType(character)) {
    case U_NON_SPACING_MARK:
    case U_ENCLOSING_MARK:
    case U_FORMAT_CHAR:
      return 0;
    default:
      break;
  }
  const int width = u_getIntPropertyValue(character, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

// The next character of text at position, which moves on; bad bytes and control characters give '?'.
UChar32 next(std::string_view text, int32_t& position) {
  UChar32 character = 0;
  U8_NEXT(text.data(), position, static_cast<int32_t>(text.size()), character);
  const bool printable = character >= 0x20 && (character < 0x7f || character >= 0xa0);
  // Marks that turn the direction of writing would mix up the rest of the line.
  const bool turns = (character >= 0x202a && character <= 0x202e) || (character >= 0x2066 && character <= 0x2069);
  return printable && !turns ? character : '?';
}

void append(std::string& out, UChar32 character) {
  char bytes[U8_MAX_LENGTH];
  int32_t size = 0;
  U8_APPEND_UNSAFE(bytes, size, character);
  out.append(bytes, static_cast<size_t>(size));
}

}  // namespace

std::string terminal_text(std::string_view text, size_t width) {
  std::string out;
  std::string before_last;  // what stays when an ellipsis must follow
  size_t used = 0;
  for (int32_t position = 0; position < static_cast<int32_t>(text.size());) {
    const UChar32 character = next(text, position);
    const size_t wide = width_of(character);
    if (width != 0 && used + wide > width) return before_last + "…";
    append(out, character);
    used += wide;
    if (used + 1 <= width) before_last = out;
  }
  return out;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (int32_t position = 0; position < static_cast<int32_t>(text.size());) width += width_of(next(text, position));
  return width;
}

std::string format_table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::vector<std::string>> lines(1);
  for (const Column& column : columns) lines[0].push_back(column.title);
  for (const auto& row : rows) {
    SOUK_CHECK(row.size() == columns.size());
    auto& line = lines.emplace_back();
    for (size_t i = 0; i < row.size(); ++i) line.push_back(terminal_text(row[i], columns[i].max_width));
  }
  std::string out;
  std::vector<size_t> widths(columns.size(), 0);
  for (const auto& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], display_width(line[i]));
  }
  for (const auto& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) {
      const std::string padding(widths[i] - display_width(line[i]), ' ');
      const bool last = i + 1 == line.size();
      out += columns[i].right ? padding + line[i] : line[i] + (last ? "" : padding);
      out += last ? "\n" : "  ";
    }
  }
  return out;
}

}  // namespace souk::control
