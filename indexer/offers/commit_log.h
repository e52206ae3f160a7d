// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/base/ids.h"
#include "indexer/offers/storage.h"

namespace souk::offers {

// What every commit shares: it gives out keys that no one has had and positions of the change log without gaps. Nothing
// is used up until write() puts the counters into the transaction that the keys and changes are in.
class CommitLog {
 public:
  CommitLog(Storage& storage, const Totals& before) : storage_(storage), totals_(before) {}

  // What else is done when first needed, by a read of the storage.
  Status read_counters();
  Result<DocKey> allot(uint16_t slot, KeyType type);
  Result<StoredModel> allot_model(uint16_t slot);
  // Logs the change under the revision that the commit makes.
  Status log(Transaction& transaction, DocKey offer, Change::Kind kind);
  // The last call: the counters that moved, and the totals with the next revision when is_revision.
  Status write(Transaction& transaction, int64_t offers_gained, bool is_revision);

 private:
  Result<SlotCounters*> counters_of(uint16_t slot);

  Storage& storage_;
  Totals totals_;
  AllCounters counters_;  // read when first needed: an unchanged feed needs none
  std::vector<bool> moved_;
};

}  // namespace souk::offers
