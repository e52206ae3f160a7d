// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "indexer/offers/commit_log.h"
#include "indexer/offers/offer_store.h"
#include "indexer/offers/storage.h"

namespace souk::offers {

// Compares links with the stored ones, many at a time, and writes those that differ.
class ModelRelink final : public OfferStore::Relink {
 public:
  // lease is held as long as it lives; see FeedUpdate::begin.
  static Result<std::unique_ptr<ModelRelink>> begin(Storage& storage, std::shared_ptr<void> lease);

  Result<DocKey> new_model(const std::string& slot_name) override;
  Status link(DocKey offer, DocKey model, LinkReason reason) override;
  Result<uint64_t> commit() override;

 private:
  ModelRelink(std::shared_ptr<void> lease, Storage& storage, std::unique_ptr<Transaction> transaction,
              const Totals& totals)
      : lease_(std::move(lease)), storage_(storage), transaction_(std::move(transaction)), log_(storage, totals) {}

  Result<uint64_t> do_commit();
  Status flush();
  Status flush_waiting();

  std::shared_ptr<void> lease_;
  Storage& storage_;
  bool ended_ = false;
  std::unique_ptr<Transaction> transaction_;
  CommitLog log_;
  std::vector<DocKey> offers_;  // to be compared
  std::vector<Link> links_;     // of each
  uint64_t changed_ = 0;
};

}  // namespace souk::offers
