// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace souk::ingest {

// 32 random bytes as 64 hex digits. Random enough that its hash needs no salt and no slowness.
std::string make_token();

// Hex SHA-256.
std::string hash_of_token(std::string_view token);

// Takes the same time wherever they differ.
bool equal_hashes(std::string_view left, std::string_view right);

}  // namespace souk::ingest
