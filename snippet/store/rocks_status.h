// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/status.h>

#include <string>

#include "core/base/error.h"

namespace souk::snippet {

// RocksDB's outcome in our terms; argument names the file or folder. For the .cpp files of this folder.
Status to_status(const rocksdb::Status& status, const std::string& argument);

}  // namespace souk::snippet
