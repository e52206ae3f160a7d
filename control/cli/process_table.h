// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/error.h"

namespace souk::control {

// What the kernel knows of a process that wrote its pid into a file.
struct ProcessInfo {
  pid_t pid = 0;
  bool alive = false;  // runs this program; a pid that now belongs to another one is not alive
  uint64_t resident_bytes = 0;
};

// nullopt when there is no pid file. proc is "/proc" but in tests.
std::optional<ProcessInfo> look_up_process(const std::string& pid_file, const std::string& program,
                                           const std::string& proc = "/proc");

}  // namespace souk::control
