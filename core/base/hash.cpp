// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash.h"

#include <openssl/evp.h>
#include <xxhash.h>

#include "core/base/error.h"

namespace souk {

uint64_t xxh3(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}
uint64_t xxh3(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

Xxh3::Xxh3() : state_(XXH3_createState()) {
  SOUK_CHECK(state_ != nullptr);
  reset();
}
Xxh3::~Xxh3() {
  XXH3_freeState(static_cast<XXH3_state_t*>(state_));
}
void Xxh3::reset() {
  SOUK_CHECK(XXH3_64bits_reset(static_cast<XXH3_state_t*>(state_)) == XXH_OK);
}
void Xxh3::update(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  SOUK_CHECK(XXH3_64bits_update(static_cast<XXH3_state_t*>(state_), bytes.data(), bytes.size()) == XXH_OK);
}
uint64_t Xxh3::digest() const {
  return XXH3_64bits_digest(static_cast<const XXH3_state_t*>(state_));
}

std::array<uint8_t, 16> md5(std::string_view bytes) {
  std::array<uint8_t, 16> digest{};
  unsigned size = 0;
  SOUK_CHECK(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_md5(), nullptr) == 1 && size == 16);
  return digest;
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  SOUK_CHECK(context_ != nullptr && EVP_DigestInit_ex(static_cast<EVP_MD_CTX*>(context_), EVP_sha256(), nullptr) == 1);
}
Sha256::~Sha256() {
  EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context_));
}
void Sha256::update(std::string_view bytes) {
  SOUK_CHECK(EVP_DigestUpdate(static_cast<EVP_MD_CTX*>(context_), bytes.data(), bytes.size()) == 1);
}
std::string Sha256::hex() {
  std::array<uint8_t, 32> digest{};
  SOUK_CHECK(EVP_DigestFinal_ex(static_cast<EVP_MD_CTX*>(context_), digest.data(), nullptr) == 1);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace souk
