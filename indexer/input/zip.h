// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "indexer/input/fault.h"

namespace souk::input {

// Whether the file begins like a zip archive. Reads from its start, whatever its position.
bool is_zip(int fd);

// Unpacks the archive's only file to the sink, in blocks of at most 64 KiB; folders do not count. progress(bytes read,
// bytes in all) is of the archive, about. false = refused: bad_zip, zip_entries (not exactly one file), size_limit
// (check_unpacked), or by the sink. The fd stays open, its position is not kept.
bool read_zip(int fd, uint64_t max_bytes, const Sink& sink, const std::function<void(uint64_t, uint64_t)>& progress,
              Fault& fault);

}  // namespace souk::input
