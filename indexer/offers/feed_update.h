// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "indexer/feed/feed.pb.h"
#include "indexer/offers/category_keys.h"
#include "indexer/offers/commit_log.h"
#include "indexer/offers/known_offers.h"
#include "indexer/offers/offer_store.h"
#include "indexer/offers/storage.h"

namespace souk::offers {

// Compares one feed with what the store knows of the shop and writes what differs.
class FeedUpdate final : public OfferStore::Update {
 public:
  // lease is held as long as the update lives. The transaction begins before anything is read, so that what is
  // compared with cannot be changed by another writer.
  static Result<std::unique_ptr<FeedUpdate>> begin(Storage& storage, Shop shop, const Clock& clock,
                                                   std::shared_ptr<void> lease);

  Status put(feed::Offer&& offer) override;
  Result<Difference> difference() override;
  Status commit(const feed::FeedHeader& header, const std::string& feed_hash) override;

 private:
  enum class Stage { kPutting, kCompared, kEnded };

  FeedUpdate(std::shared_ptr<void> lease, Storage& storage, Shop shop, std::unique_ptr<Transaction> transaction,
             const Totals& totals)
      : lease_(std::move(lease)),
        storage_(storage),
        shop_(std::move(shop)),
        transaction_(std::move(transaction)),
        log_(storage, totals),
        categories_(storage, *transaction_, log_) {}

  Status do_put(feed::Offer&& offer);
  Status do_commit(const feed::FeedHeader& header, const std::string& feed_hash);
  Status compare_known(KnownOffers::Entry& entry, const feed::Offer& offer);
  Status write_offer(DocKey key, int64_t first_seen, feed::Offer&& offer);
  Status write_tombstones();
  bool changes_offers() const { return difference_.added + difference_.changed + difference_.removed > 0; }

  std::shared_ptr<void> lease_;
  Storage& storage_;
  Shop shop_;
  int64_t now_ = 0;
  Stage stage_ = Stage::kPutting;
  std::unique_ptr<Transaction> transaction_;
  CommitLog log_;
  KnownOffers known_;
  Difference difference_;
  CategoryKeys categories_;
  feed::FeedOfferRecord record_;
  OfferRow row_;
};

}  // namespace souk::offers
