// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "indexer/offers/database.h"
#include "indexer/offers/key_allotter.h"
#include "indexer/offers/offer_store.h"
#include "indexer/offers/record.h"

namespace souk::offers {

// One feed's difference, kept as encoded records (only of what changed) until commit writes it as one batch. So its
// memory is that of the changed records and of one key per offer.
class RocksdbUpdate final : public OfferStore::Update {
 public:
  // lease is held as long as the update lives.
  RocksdbUpdate(Database& database, Shop shop, const Clock& clock, std::shared_ptr<void> lease);

  Status put(feed::Offer&& offer) override;
  Result<Difference> commit(const feed::FeedHeader& header, const std::string& feed_hash) override;

 private:
  Result<DocKey> model_of(const feed::Offer& offer);
  Result<DocKey> category_of(const std::vector<std::string>& path);
  Result<DocKey> category_level(std::span<const std::string> path);
  Result<DocKey> find_or_allot(const std::string& index_key, const std::string& slot_name, KeyType type, bool& is_new);
  Status remove_unseen();
  void stage(DocKey key);

  Database& database_;
  Shop shop_;
  const Clock& clock_;
  std::shared_ptr<void> lease_;
  KeyAllotter allotter_;
  rocksdb::WriteBatch batch_;
  Difference difference_;
  bool finished_ = false;
  std::vector<DocKey> seen_;
  std::unordered_map<std::string, DocKey> new_keys_;       // by index key: allotted in this update
  std::unordered_map<std::string, DocKey> category_keys_;  // by path as the feed writes it
  OfferRecord record_;
  std::string bytes_;
};

}  // namespace souk::offers
