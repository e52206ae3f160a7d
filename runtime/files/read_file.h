// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "core/base/error.h"

namespace souk::files {

// kNotFound when there is no such file, kUnavailable when it cannot be read, kCorruption when it is larger.
Result<std::string> read_file(const std::string& path, size_t max_bytes);

// The first max_bytes of a file, or all of it.
Result<std::string> read_head(const std::string& path, size_t max_bytes);

}  // namespace souk::files
