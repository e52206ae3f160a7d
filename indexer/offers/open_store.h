// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/base/error.h"
#include "indexer/offers/offer_store.h"
#include "runtime/config/topology.h"

namespace souk::offers {

// The catalogue that the topology names: PostgreSQL, or RocksDB in the world's folder.
Result<std::unique_ptr<OfferStore>> open_store(const config::Topology& topology, const std::string& data);
Result<std::unique_ptr<OfferStore>> open_store_to_read(const config::Topology& topology, const std::string& data);

}  // namespace souk::offers
