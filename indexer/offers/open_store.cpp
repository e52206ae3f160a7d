// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/open_store.h"

#include "core/base/clock.h"

namespace souk::offers {

Result<std::unique_ptr<OfferStore>> open_store(const config::Topology& topology, const std::string& data) {
  const std::string& postgres = topology.indexer.postgres;
  return postgres.empty() ? open_rocksdb_store(data + "/offers", real_clock())
                          : open_postgres_store(postgres, real_clock());
}

Result<std::unique_ptr<OfferStore>> open_store_to_read(const config::Topology& topology, const std::string& data) {
  const std::string& postgres = topology.indexer.postgres;
  return postgres.empty() ? open_rocksdb_store_to_read(data + "/offers", real_clock())
                          : open_postgres_store_to_read(postgres, real_clock());
}

}  // namespace souk::offers
