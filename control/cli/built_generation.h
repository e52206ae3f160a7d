// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "core/index/manifest.h"

namespace souk::control {

// The folder of a built generation within the world's.
std::string generation_folder(const std::string& data, uint64_t content_hash);

// The content hash of the last build; kNotFound before the first.
Result<uint64_t> last_built(const std::string& data);

Result<index::Manifest> read_manifest(const std::string& data, uint64_t content_hash);

}  // namespace souk::control
