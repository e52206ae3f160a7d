// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "indexer/offers/storage.h"

namespace souk::offers {

// What the store knows of a shop's offers, by id, in 64 bytes each: so that a feed is compared without asking the
// database for each of its offers. Ids are held as 128-bit hashes under a seed of this table alone, so nobody can make
// two that are taken for one.
class KnownOffers {
 public:
  struct Entry {
    uint64_t hash_high = 0, hash_low = 0;
    DocKey key;
    uint64_t digest = 0;  // 0 = gone
    int64_t first_seen = 0;
    int64_t price = 0;
    std::array<char, 3> currency{};
    bool seen = false;  // in the feed under way
  };

  KnownOffers();
  Status load(Storage& storage, uint32_t shop);
  // Null when the shop never had it.
  Entry* find(std::string_view id);
  void remember_new(std::string_view id);
  bool new_ids_repeat();  // one of them came twice

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  struct Hash {
    uint64_t high = 0, low = 0;
    auto operator<=>(const Hash&) const = default;
  };
  Hash hash(std::string_view id) const;

  uint64_t seed_;
  std::vector<Entry> entries_;  // by hash
  std::vector<Hash> new_ids_;
};

}  // namespace souk::offers
