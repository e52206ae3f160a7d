// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/base/error.h"

namespace souk::config {

// What the TOML parser must never see: toml11 3.7 aborts on malformed UTF-8 and overflows the stack on deep nesting.
// Refuses text over 1 MiB, with NUL or malformed UTF-8, with lines over 8 KiB, with brackets nested deeper than 16, or
// with more than 64 dots outside strings on a line (dotted keys nest too); the message begins "file:line: ". Internal
// to runtime/config.
Status check_toml_text(std::string_view text, std::string_view file_name);

// "file:line: reason" as kInvalidArgument.
Error config_error(std::string_view file_name, int line, std::string_view reason);

// The bytes of a configuration file, at most 1 MiB; kNotFound or kInvalidArgument otherwise.
Result<std::string> read_config_file(const std::string& path);

}  // namespace souk::config
