// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace souk::partner {

extern const std::string_view kStyle;  // /style.css of the pages

}  // namespace souk::partner
