// SPDX-License-Identifier: Apache-2.0
#include "indexer/ingest/token.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <array>

#include "core/base/error.h"
#include "core/base/hash.h"

namespace souk::ingest {

std::string make_token() {
  std::array<unsigned char, 32> bytes{};
  SOUK_CHECK(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1);
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

std::string hash_of_token(std::string_view token) {
  Sha256 sha;
  sha.update(token);
  return sha.hex();
}

bool equal_hashes(std::string_view left, std::string_view right) {
  return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

}  // namespace souk::ingest
