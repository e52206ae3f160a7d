// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/ids.h"
#include "indexer/feed/offer.h"

namespace souk::offers {

struct Shop {
  uint32_t number = 0;  // allotted by control when the name is registered, from 1
  DocKey key;
  std::string name;          // by which it is registered
  std::string display_name;  // <name> of its last good feed
  std::string url;
  std::string feed_hash;  // SHA-256 of the last good feed's bytes; empty before the first
};

// An offer as it stands in the catalogue.
struct StoredOffer {
  DocKey key;
  DocKey model;     // empty when nothing identifies its model
  DocKey category;  // empty only when the feed gave none
  uint32_t shop = 0;
  int64_t first_seen = 0;  // unix seconds, when the market saw the offer for the first time
  feed::Offer offer;
};

struct StoredCategory {
  DocKey key;
  std::vector<std::string> path;  // names from the root, in the spelling seen first
};

struct Difference {
  uint64_t added = 0, changed = 0, removed = 0;
};

// The catalogue: every offer of every shop, and the only place where keys are allotted (DESIGN 4). Keys are permanent:
// an offer that comes back gets its old key; a gone one leaves a tombstone.
// Used by one process and one thread at a time. Errors: kUnavailable (locked, disk full, unreadable), kCorruption.
class OfferStore {
 public:
  virtual ~OfferStore() = default;

  // Finds the shop or adds it under the number that control's registry allotted. Names are 1..100 bytes of UTF-8
  // without control characters. kVersionMismatch when the number belongs to another name or the name to another number
  // (a registry that was lost must not give one shop's keys to another).
  virtual Result<Shop> put_shop(uint32_t number, std::string_view name) = 0;
  virtual Result<std::vector<Shop>> shops() = 0;  // by number

  // One feed as one atomic difference: begin, put every accepted offer, then commit. Offers of the shop that were not
  // put become gone. Dropping it without commit changes nothing. A repeated id within one update is the caller's error.
  class Update {
   public:
    virtual ~Update() = default;
    virtual Status put(feed::Offer&& offer) = 0;
    virtual Result<Difference> commit(const feed::FeedHeader& header, const std::string& feed_hash) = 0;
  };
  virtual Result<std::unique_ptr<Update>> begin(const Shop& shop) = 0;

  // Grows by one with every commit that changed something.
  virtual Result<uint64_t> revision() = 0;

  // Every offer that is not gone, by ascending key. Stops early with each()'s error.
  virtual Status scan(const std::function<Status(const StoredOffer&)>& each) = 0;
  virtual Result<std::optional<StoredOffer>> find(DocKey key) = 0;
  virtual Result<std::optional<StoredOffer>> find(uint32_t shop, std::string_view offer_id) = 0;
  // The offer's key for ever, also when it is gone; nothing when it was never there.
  virtual Result<std::optional<DocKey>> key_of(uint32_t shop, std::string_view offer_id) = 0;
  virtual Result<std::vector<StoredCategory>> categories() = 0;  // by key
};

// The embedded store in a folder, made when it is not there.
Result<std::unique_ptr<OfferStore>> open_rocksdb_store(const std::string& folder, const Clock& clock);

// The store as it is now, also while another process writes it; every write is kUnavailable. kNotFound when there is
// none.
Result<std::unique_ptr<OfferStore>> open_rocksdb_store_to_read(const std::string& folder, const Clock& clock);

}  // namespace souk::offers
