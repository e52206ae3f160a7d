// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace souk::feed {

// Takes a block of a file, how much has been read with it and the file's size; false = stop reading (no error).
using TakeBlock = std::function<bool(std::string_view block, uint64_t done, uint64_t total)>;

// Reads a regular file in blocks. kUnavailable with the system's reason when it cannot be read.
Status read_file_blocks(const std::string& path, const TakeBlock& take);

}  // namespace souk::feed
