// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace souk::feed {

// All functions take well-formed UTF-8 and give it.

// Trims and folds white space (blanks of Unicode and control characters) to single blanks; zero-width blanks go.
void fold_space(std::string& text);
std::string space_folded(std::string_view text);

// Cuts to so many characters and trims the end. true = something was cut.
bool cut_characters(std::string& text, size_t characters);

// HTML as people put it into descriptions -> text: tags, comments, scripts and styles out (a block's end is a blank),
// entities decoded, white space folded. What was escaped twice is decoded twice. Linear in its input.
std::string html_to_text(std::string_view html);

// For messages: printable, in quotes, at most 60 characters.
std::string in_quotes(std::string_view text);

}  // namespace souk::feed
