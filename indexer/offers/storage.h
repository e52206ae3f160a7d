// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/placement/slots.h"
#include "indexer/offers/offer_store.h"

// What the catalogue asks of a database. What an update or a relink means is written once above it (feed_update.h,
// relink.h, catalogue.cpp).
namespace souk::offers {

// The stored form that all databases share; another one is refused at open.
inline constexpr uint64_t kStoreFormat = 2;

struct Link {
  DocKey model;  // empty = none
  LinkReason reason;
  bool operator==(const Link&) const = default;
};

// What decides whether an offer of a feed is new, changed or as it was.
struct KnownOffer {
  DocKey key;
  uint64_t digest = 0;  // of what the shop says of it; 0 = gone
  int64_t first_seen = 0;
  int64_t price = 0;
  std::string currency;
};

// An offer as written; its link is another record, so that a feed does not touch links nor a relink offers.
struct OfferRow {
  KnownOffer known;
  uint32_t shop = 0;
  std::string id;
  bool gone = false;   // a tombstone: only key, shop, id and first_seen are set
  DocKey category;     // empty = none
  std::string record;  // a feed.FeedOfferRecord without line and category path
  // Some of the record for people who look at the tables.
  std::string name, vendor;
  bool available = false;
};

// An offer as read, whose bytes live only as long as the call.
struct OfferView {
  DocKey key;
  uint32_t shop = 0;
  bool gone = false;
  int64_t first_seen = 0;
  DocKey category;
  std::string_view record;
  Link link;
};

// What a slot has given out.
struct SlotCounters {
  static constexpr size_t kTypes = 4;         // of DocKey, from 1
  std::array<uint64_t, kTypes> last_local{};  // local id of the last key of each type
  uint64_t last_position = 0;                 // of its change log
  uint64_t trimmed = 0;                       // up to this position it is forgotten
  bool operator==(const SlotCounters&) const = default;
};
using AllCounters = std::vector<SlotCounters>;  // by slot, placement::kOpenSlots of them

struct Totals {
  uint64_t revision = 0;
  uint64_t offers = 0;  // not gone
  uint64_t models = 0;  // ever allotted
  bool operator==(const Totals&) const = default;
};

// Writes that become visible together or not at all. Nothing is read back before commit, and memory does not grow with
// what is written.
class Transaction {
 public:
  virtual ~Transaction() = default;  // without commit: as if it never was
  virtual Status put_offer(const OfferRow& row) = 0;
  virtual Status put_link(DocKey offer, const Link& link) = 0;  // of an offer that is there
  virtual Status put_category(DocKey key, const std::string& identity, std::span<const std::string> path) = 0;
  virtual Status put_model(const StoredModel& model) = 0;
  virtual Status put_change(uint16_t slot, const Change& change) = 0;
  virtual Status put_counters(uint16_t slot, const SlotCounters& counters) = 0;
  virtual Status put_totals(const Totals& totals) = 0;
  virtual Status put_shop(const Shop& shop) = 0;
  virtual Status commit() = 0;  // on the disk when it returns
};

// Reads see what was committed. A transaction is one at a time; reads may go on beside it.
class Storage {
 public:
  virtual ~Storage() = default;

  virtual Result<Totals> totals() = 0;
  virtual Result<std::vector<Shop>> shops() = 0;  // by number
  virtual Result<std::optional<Shop>> shop(uint32_t number) = 0;
  virtual Result<std::optional<Shop>> shop(std::string_view name) = 0;

  using EachOffer = std::function<Status(const OfferView&)>;
  virtual Status scan(const EachOffer& each) = 0;                          // not gone, by key
  virtual Result<bool> read_offer(DocKey key, const EachOffer& take) = 0;  // also when gone; false = never there
  virtual Result<std::optional<DocKey>> key_of(uint32_t shop, std::string_view id) = 0;
  // Every offer that the shop ever had. each() reads nothing else of the storage.
  using EachKnown = std::function<Status(std::string_view id, const KnownOffer&)>;
  virtual Status scan_known(uint32_t shop, const EachKnown& each) = 0;
  // Of each offer; nothing = no such offer.
  virtual Result<std::vector<std::optional<Link>>> links(std::span<const DocKey> offers) = 0;

  virtual Result<std::optional<DocKey>> category(const std::string& identity) = 0;
  virtual Result<std::optional<StoredCategory>> category(DocKey key) = 0;
  virtual Result<std::vector<StoredCategory>> categories() = 0;  // by key
  virtual Result<std::vector<StoredModel>> models() = 0;         // by key
  virtual Result<AllCounters> counters() = 0;
  virtual Result<SlotCounters> counters(uint16_t slot) = 0;
  virtual Result<std::vector<Change>> changes(uint16_t slot, uint64_t after, size_t limit) = 0;

  virtual Result<std::unique_ptr<Transaction>> begin() = 0;
  virtual Status trim_changes(uint64_t revision) = 0;  // atomic, too
};

std::unique_ptr<OfferStore> make_catalogue(std::unique_ptr<Storage> storage, const Clock& clock);

}  // namespace souk::offers
