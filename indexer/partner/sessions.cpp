// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/sessions.h"

#include <openssl/rand.h>

#include <array>

#include "core/base/error.h"
#include "core/base/hash.h"

namespace souk::partner {

namespace {

std::string hash_of(std::string_view id) {
  Sha256 hash;
  hash.update(id);
  return hash.hex();
}

std::string random_id() {
  std::array<unsigned char, 32> bytes{};
  SOUK_CHECK(::RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1);
  std::string id;
  for (const unsigned char byte : bytes) {
    id += "0123456789abcdef"[byte >> 4];
    id += "0123456789abcdef"[byte & 15];
  }
  return id;
}

}  // namespace

std::string Sessions::begin(const std::string& shop) {
  const std::string id = random_id();
  const std::lock_guard lock(mutex_);
  make_room(shop);
  sessions_[hash_of(id)] = {shop, clock_.now() + kAge, ++begun_};
  return id;
}

std::optional<std::string> Sessions::shop_of(std::string_view id) const {
  const std::string hash = hash_of(id);
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(hash);
  if (found == sessions_.end() || found->second.until <= clock_.now()) return std::nullopt;
  return found->second.shop;
}

void Sessions::end(std::string_view id) {
  const std::string hash = hash_of(id);
  const std::lock_guard lock(mutex_);
  sessions_.erase(hash);
}

void Sessions::end_all(std::string_view shop) {
  const std::lock_guard lock(mutex_);
  std::erase_if(sessions_, [shop](const auto& each) { return each.second.shop == shop; });
}

size_t Sessions::size() const {
  const std::lock_guard lock(mutex_);
  return sessions_.size();
}

void Sessions::make_room(std::string_view shop) {
  std::erase_if(sessions_, [now = clock_.now()](const auto& each) { return each.second.until <= now; });
  end_oldest(shop, kPerShop - 1);
  end_oldest({}, kMax - 1);
}

void Sessions::end_oldest(std::string_view shop, size_t most) {
  size_t count = 0;
  auto oldest = sessions_.end();
  for (auto each = sessions_.begin(); each != sessions_.end(); ++each) {
    if (!shop.empty() && each->second.shop != shop) continue;
    ++count;
    if (oldest == sessions_.end() || each->second.order < oldest->second.order) oldest = each;
  }
  if (count > most) sessions_.erase(oldest);
}

}  // namespace souk::partner
