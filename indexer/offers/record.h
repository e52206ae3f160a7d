// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "indexer/offers/offer.pb.h"
#include "indexer/offers/offer_store.h"

namespace souk::offers {

// Stored bytes <-> structs. The feed's line and the category path are not in an offer's record.
// Equal records have equal bytes.
void fill_record(OfferRecord& record, const StoredOffer& stored);
StoredOffer read_record(DocKey key, OfferRecord&& record);

void fill_record(ShopRecord& record, const Shop& shop);
Shop read_record(uint32_t number, const ShopRecord& record);

}  // namespace souk::offers
