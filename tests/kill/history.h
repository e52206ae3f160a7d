// SPDX-License-Identifier: Apache-2.0
// A made-up history of a catalogue: what its n-th commit is follows from the seed alone, so that whoever knows a
// store's revision knows what must be in it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "indexer/feed/offer.h"
#include "indexer/offers/offer_store.h"

namespace souk::offers {

inline constexpr uint32_t kHistoryShops = 3;

class History {
 public:
  struct Entry {
    uint64_t version = 0;  // the commit that wrote it as it is; 0 = gone
    uint64_t model = 0;    // the commit whose model it is of; 0 = none
  };
  using Id = std::pair<uint32_t, std::string>;  // shop, offer id

  explicit History(uint64_t seed) : seed_(seed) {}

  uint64_t revision() const { return revision_; }
  const std::map<Id, Entry>& entries() const { return entries_; }  // of all that ever were
  void advance();                                                  // by one commit
  // The commit after this revision, on a store that is at it. It always changes something.
  Status apply_next(OfferStore& store) const;
  // The offer as that commit's feed has it.
  feed::Offer offer(const std::string& id, uint64_t version) const;

 private:
  struct Step {
    uint32_t shop = 0;                       // whose feed it is; 0 = links of models
    std::map<std::string, uint64_t> offers;  // of the feed: id -> version
    std::vector<Id> linked;
  };
  Step next_step() const;

  uint64_t seed_;
  uint64_t revision_ = 0;
  std::map<Id, Entry> entries_;
};

}  // namespace souk::offers
