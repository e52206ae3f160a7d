// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/commit_log.h"

#include <utility>

#include "core/placement/slots.h"

namespace souk::offers {

Status CommitLog::read_counters() {
  if (!counters_.empty()) return {};
  auto all = storage_.counters();
  if (!all) return std::unexpected(all.error());
  counters_ = std::move(*all);
  moved_.resize(counters_.size());
  return {};
}

Result<SlotCounters*> CommitLog::counters_of(uint16_t slot) {
  const Status read = read_counters();
  if (!read) return std::unexpected(read.error());
  if (slot >= counters_.size()) return fail(ErrorCode::kInternal, "no such slot", std::to_string(slot));
  moved_[slot] = true;
  return &counters_[slot];
}

Result<DocKey> CommitLog::allot(uint16_t slot, KeyType type) {
  const auto counters = counters_of(slot);
  if (!counters) return std::unexpected(counters.error());
  uint64_t& last = (*counters)->last_local[static_cast<size_t>(type) - 1];
  if (last >= DocKey::kMaxLocal) return fail(ErrorCode::kUnavailable, "a slot has no key left", std::to_string(slot));
  return DocKey::make(slot, type, ++last);
}

Result<StoredModel> CommitLog::allot_model(uint16_t slot) {
  const auto key = allot(slot, KeyType::kModel);
  if (!key) return std::unexpected(key.error());
  return StoredModel{*key, ++totals_.models};
}

Status CommitLog::log(Transaction& transaction, DocKey offer, Change::Kind kind) {
  const auto counters = counters_of(offer.slot());
  if (!counters) return std::unexpected(counters.error());
  return transaction.put_change(offer.slot(), {++(*counters)->last_position, offer, kind, totals_.revision + 1});
}

Status CommitLog::write(Transaction& transaction, int64_t offers_gained, bool is_revision) {
  for (uint32_t slot = 0; slot < counters_.size(); ++slot) {
    if (!moved_[slot]) continue;
    const Status put = transaction.put_counters(static_cast<uint16_t>(slot), counters_[slot]);
    if (!put) return put;
  }
  if (!is_revision) return {};
  ++totals_.revision;
  totals_.offers += static_cast<uint64_t>(offers_gained);
  return transaction.put_totals(totals_);
}

}  // namespace souk::offers
