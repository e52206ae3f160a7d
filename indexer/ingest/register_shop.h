// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "runtime/net/http.h"

namespace souk::ingest {

// The number that control's registry gives the name; the same name gets the same number again. Blocking.
Result<uint32_t> register_shop(const net::Endpoint& control, const std::string& name);

}  // namespace souk::ingest
