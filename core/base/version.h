// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace souk {

// Of the engine: nodes of one cluster run the same.
inline constexpr std::string_view kEngineVersion = "0.1.0";

}  // namespace souk
