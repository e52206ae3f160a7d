// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "indexer/offers/storage.h"

namespace souk::offers {

inline constexpr size_t kStagingBytes = 64 << 20;

// staging_bytes: how much of one difference is held in memory before it is staged in files.
Result<std::unique_ptr<Storage>> open_rocksdb_storage(const std::string& folder, size_t staging_bytes);

}  // namespace souk::offers
