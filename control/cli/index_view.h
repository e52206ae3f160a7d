// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "core/base/error.h"
#include "core/index/index_stats.h"

namespace souk::control {

inline constexpr size_t kMaxIndexFile = size_t{1} << 40;  // bytes of a file that is read whole

std::string part_title(index::Part part);  // "main postings"

// Opens a shard file or a dictionary as a node would, and counts what its bytes are for. Errors name the file.
Result<index::FileStats> measure_index_file(const std::string& path);

// For a terminal: bytes by section, by purpose, and by the form of posting lists.
std::string index_table(const index::FileStats& stats);
// The same for programs. What would be divided by nothing is null.
boost::json::object index_json(const index::FileStats& stats);

}  // namespace souk::control
