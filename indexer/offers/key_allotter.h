// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>

#include "indexer/offers/database.h"

namespace souk::offers {

// Gives out keys that no one has had. Nothing is used up until the counters are written with the records that bear the
// keys, in one batch.
class KeyAllotter {
 public:
  explicit KeyAllotter(const Database& database) : database_(database) {}

  Result<DocKey> allot(uint16_t slot, KeyType type);
  void write_counters(rocksdb::WriteBatch& batch) const;

 private:
  const Database& database_;
  std::map<std::pair<uint16_t, KeyType>, uint64_t> next_;
};

}  // namespace souk::offers
