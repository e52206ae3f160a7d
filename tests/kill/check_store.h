// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tests/kill/history.h"

namespace souk::offers {

// Holds a store against a history again and again, and follows its change log meanwhile.
class StoreChecker {
 public:
  explicit StoreChecker(uint64_t seed) : history_(seed) {}

  // The store is exactly as after one of the history's commits from `least` to `most`: offers, keys, tombstones, links,
  // counts; and a copy that follows the log equals it. What is wrong, or nothing.
  std::string problem_of(OfferStore& store, uint64_t least, uint64_t most);
  const History& history() const { return history_; }

 private:
  std::string offers_problem(OfferStore& store, std::map<DocKey, StoredOffer>& offers);
  std::string keys_problem(OfferStore& store);
  std::string log_problem(OfferStore& store, const std::map<DocKey, StoredOffer>& offers);

  History history_;
  std::map<History::Id, DocKey> keys_;  // once seen, for ever
  std::map<uint64_t, DocKey> models_;   // by the commit that made it
  std::map<uint16_t, uint64_t> positions_;
  std::map<DocKey, std::string> copy_;  // of the offers, as their names
};

}  // namespace souk::offers
