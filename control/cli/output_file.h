// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"

namespace souk::control {

// Replaces the file as a whole: a reader, also after a crash, sees the old text or the new one.
Status write_whole_file(const std::string& path, std::string_view text);

}  // namespace souk::control
