// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace souk::match {

// text::fold, quick where all is ASCII, as most codes are; there white space stays as it is.
std::string folded(std::string_view text);

// The folded words of a text: runs of letters, digits and their marks.
std::vector<std::string> words_of(std::string_view text);

// The words without what stands between them: "LX-10 / B" is "lx10b".
std::string compact(const std::vector<std::string>& words);

}  // namespace souk::match
