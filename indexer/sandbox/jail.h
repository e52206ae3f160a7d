// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "core/base/error.h"

namespace souk::sandbox {

struct JailLimits {
  std::chrono::seconds cpu{120};
  uint64_t memory_bytes = uint64_t{512} << 20;  // of address space, on top of what is mapped already
  uint64_t output_bytes = uint64_t{8} << 30;    // of any file
};

// What this process may do from here on, for good: compute within the limits, read and write the files it has open. A
// system call to open, connect, run or signal anything kills it, and so does the end of the thread that started it.
// Whatever needs a file must have been loaded before. kUnavailable when this system cannot lock it in; then nothing
// foreign may be read.
Status enter_jail(const JailLimits& limits);

}  // namespace souk::sandbox
