// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/ids.h"
#include "indexer/feed/offer.h"
#include "indexer/feed/read_options.h"

namespace souk::offers {

// What the shop and the market's people decide about a shop's feed.
struct ShopSettings {
  std::string feed_url;  // http(s) address; empty = its feed comes as a file
  feed::Mode mode = feed::Mode::kStrict;
  uint32_t period_seconds = 3600;    // between two fetches, 60..604800
  std::string token_hash;            // hex SHA-256 of the partner's token; empty = no partner access
  std::vector<std::string> regions;  // names of regions it delivers to; empty = everywhere
  bool operator==(const ShopSettings&) const = default;
};

// Why a feed waits for a person.
struct Hold {
  std::string reason;     // "shop_shrinks", "catalogue_shrinks", "prices_jump"; empty = nothing is held
  std::string message;    // one line for a person
  std::string feed_hash;  // of the held feed's bytes
  int64_t since = 0;      // unix seconds
  bool released = false;  // a person has let this very feed pass
  bool operator==(const Hold&) const = default;
};

// Where the fetching of a shop's feed stands.
struct FeedState {
  std::string etag, last_modified;  // of the last good fetch
  int64_t fetched = 0;              // unix seconds: the last try
  int64_t next_fetch = 0;           // unix seconds
  uint32_t failures = 0;            // in a row
  uint64_t unmodified = 0;          // 304 in a row: after some days the validators are ignored
  Hold hold;
  bool operator==(const FeedState&) const = default;
};

struct Shop {
  uint32_t number = 0;  // allotted by control when the name is registered, from 1
  DocKey key;
  std::string name;          // by which it is registered
  std::string display_name;  // <name> of its last good feed
  std::string url;
  std::string feed_hash;         // SHA-256 of the last good feed's bytes; empty before the first
  feed::DeliveryTerms delivery;  // of its last good feed
  std::string currency;          // main one of its last good feed
  uint64_t live_offers = 0;      // that are not gone; kept with every commit
  ShopSettings settings;
  FeedState state;
};

// Why an offer is of its model.
struct LinkReason {
  enum class Kind : uint8_t { kNone, kBarcode, kVendorCode, kGroup, kRule };
  Kind kind = Kind::kNone;
  std::string evidence;  // "4006381333931", "норвик lx-10", the group's id, the rule's name
  bool operator==(const LinkReason&) const = default;
};

// An offer as it stands in the catalogue.
struct StoredOffer {
  DocKey key;
  DocKey model;     // empty when nothing identifies its model
  DocKey category;  // empty only when the feed gave none
  uint32_t shop = 0;
  int64_t first_seen = 0;  // unix seconds, when the market saw the offer for the first time
  LinkReason link;         // kNone exactly when model is empty
  feed::Offer offer;
};

struct StoredCategory {
  DocKey key;
  std::vector<std::string> path;  // names from the root, in the spelling seen first
};

struct StoredModel {
  DocKey key;
  uint64_t born = 0;  // order of allotment: of two models the lesser is the older
};

struct Difference {
  uint64_t added = 0, changed = 0, removed = 0;
  uint64_t live_before = 0;  // the shop's offers that were not gone
  uint64_t priced = 0;       // offers that were there before and are now, in one currency
  uint64_t price_jumps = 0;  // of them: price changed by more than a factor of 10
};

// One entry of the change log. The offer itself is found by its key.
struct Change {
  uint64_t position = 0;  // within its slot, from 1 without gaps
  DocKey key;             // of an offer; its slot is the log's
  enum class Kind : uint8_t { kPut = 1, kGone = 2, kLinked = 3 } kind = Kind::kPut;
  uint64_t revision = 0;  // of the store after the commit it belongs to
};

// The catalogue: every offer of every shop, and the only place where keys are allotted (DESIGN 4). Keys are permanent:
// an offer that comes back gets its old key; a gone one leaves a tombstone, which keeps its model.
// Used by one process and one thread at a time. While an Update or a Relink lives that is not committed, reads see what
// was committed before it, and any other write is kInternal. Errors: kUnavailable (locked, disk full, unreadable),
// kCorruption.
class OfferStore {
 public:
  virtual ~OfferStore() = default;

  // Finds the shop or adds it under the number that control's registry allotted. Names are 1..100 bytes of UTF-8
  // without control characters. kVersionMismatch when the number belongs to another name or the name to another number
  // (a registry that was lost must not give one shop's keys to another).
  virtual Result<Shop> put_shop(uint32_t number, std::string_view name) = 0;
  virtual Result<std::vector<Shop>> shops() = 0;  // by number
  virtual Result<std::optional<Shop>> find_shop(std::string_view name) = 0;
  virtual Status save_settings(uint32_t shop, const ShopSettings& settings) = 0;  // a change of regions is a revision
  virtual Status save_state(uint32_t shop, const FeedState& state) = 0;

  // One feed as one atomic difference: begin, put every accepted offer, then commit. Offers of the shop that were not
  // put become gone. Dropping it without commit changes nothing. A repeated id within one update is the caller's error.
  // Its memory does not grow with the sizes of offers, only with their number (some tens of bytes each).
  class Update {
   public:
    virtual ~Update() = default;
    virtual Status put(feed::Offer&& offer) = 0;
    // After the last put: what commit will do.
    virtual Result<Difference> difference() = 0;
    virtual Status commit(const feed::FeedHeader& header, const std::string& feed_hash) = 0;
  };
  virtual Result<std::unique_ptr<Update>> begin(const Shop& shop) = 0;

  // New links of offers to models, as one atomic difference. Offers that are not named keep theirs.
  class Relink {
   public:
    virtual ~Relink() = default;
    virtual Result<DocKey> new_model(const std::string& slot_name) = 0;  // allots; the slot is the name's
    virtual Status link(DocKey offer, DocKey model, LinkReason reason) = 0;
    virtual Result<uint64_t> commit() = 0;  // how many links changed; 0 writes nothing
  };
  virtual Result<std::unique_ptr<Relink>> begin_relink() = 0;

  // The key of each path (of one name or more); what has none yet gets it, with its ancestors. No revision: only offers
  // make a category seen.
  virtual Result<std::vector<DocKey>> put_categories(std::span<const std::vector<std::string>> paths) = 0;

  // Grows by one with every commit that changed something a build can see.
  virtual Result<uint64_t> revision() = 0;

  // Every offer that is not gone, by ascending key. Stops early with each()'s error.
  virtual Status scan(const std::function<Status(const StoredOffer&)>& each) = 0;
  virtual Result<std::optional<StoredOffer>> find(DocKey key) = 0;
  virtual Result<std::optional<StoredOffer>> find(uint32_t shop, std::string_view offer_id) = 0;
  // The offer's key for ever, also when it is gone; nothing when it was never there.
  virtual Result<std::optional<DocKey>> key_of(uint32_t shop, std::string_view offer_id) = 0;
  virtual Result<std::vector<StoredCategory>> categories() = 0;  // by key
  virtual Result<std::vector<StoredModel>> models() = 0;         // all ever allotted, by key
  virtual Result<uint64_t> offers() = 0;                         // how many are not gone

  // The log of a slot (0..4095) after a position, at most `limit` entries. kGone when entries after it were trimmed:
  // the reader must take the slot's offers anew. Positions of a slot start at 1 and have no gaps.
  virtual Result<std::vector<Change>> changes(uint16_t slot, uint64_t after, size_t limit) = 0;
  virtual Result<uint64_t> last_position(uint16_t slot) = 0;  // 0 = nothing was ever logged
  // Forgets what all readers have: entries of every slot whose revision is up to this one.
  virtual Status trim_changes(uint64_t revision) = 0;
};

// The embedded store in a folder, made when it is not there.
Result<std::unique_ptr<OfferStore>> open_rocksdb_store(const std::string& folder, const Clock& clock);

// The store as it is now, also while another process writes it; every write is kUnavailable. kNotFound when there is
// none.
Result<std::unique_ptr<OfferStore>> open_rocksdb_store_to_read(const std::string& folder, const Clock& clock);

// In a PostgreSQL database (libpq connection string or postgresql:// address), whose tables are made when they are not
// there. One writer at a time: a second one is kUnavailable.
Result<std::unique_ptr<OfferStore>> open_postgres_store(const std::string& connection, const Clock& clock);
Result<std::unique_ptr<OfferStore>> open_postgres_store_to_read(const std::string& connection, const Clock& clock);

}  // namespace souk::offers
