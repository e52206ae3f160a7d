// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace souk::net {

// Well-formed UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);

// text itself when it is UTF-8, else with every byte outside ASCII replaced by '?': for messages that quote input.
std::string to_valid_utf8(std::string_view text);

}  // namespace souk::net
