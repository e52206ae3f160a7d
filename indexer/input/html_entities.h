// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace souk::input {

// The character that HTML 4 names so ("nbsp"); case-sensitive, without & and ;.
std::optional<uint32_t> html_entity(std::string_view name);

}  // namespace souk::input
