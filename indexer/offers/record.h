// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "indexer/offers/offer_store.h"
#include "indexer/offers/storage.h"

namespace souk::offers {

// Values <-> stored bytes, whatever the database. Equal values have equal bytes. Bytes that are no record are
// kCorruption.

std::string to_bytes(const Shop& shop);
Result<Shop> read_shop(uint32_t number, std::string_view bytes);
std::string path_to_bytes(std::span<const std::string> path);
Result<StoredCategory> read_category(DocKey key, std::string_view bytes);

std::string to_bytes(const Link& link);
Result<Link> read_link(std::string_view bytes);
// nullopt when a database has another number than a LinkReason::Kind.
std::optional<LinkReason::Kind> link_kind(uint64_t number);
std::optional<Change::Kind> change_kind(uint64_t number);

std::string to_bytes(const KnownOffer& known);
Result<KnownOffer> read_known(std::string_view bytes);
std::string to_bytes(const Change& change);
Result<Change> read_change(uint64_t position, std::string_view bytes);
std::string to_bytes(const SlotCounters& counters);
Result<SlotCounters> read_counters(std::string_view bytes);
std::string to_bytes(const Totals& totals);
Result<Totals> read_totals(std::string_view bytes);

}  // namespace souk::offers
