// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/record.h"

#include <utility>

namespace souk::offers {

void fill_record(OfferRecord& record, const StoredOffer& stored) {
  const feed::Offer& offer = stored.offer;
  record.Clear();
  record.set_shop(stored.shop);
  record.set_id(offer.id);
  record.set_first_seen(stored.first_seen);
  record.set_model(stored.model.value());
  record.set_category(stored.category.value());
  record.set_type(offer.type);
  record.set_name(offer.name);
  record.set_url(offer.url);
  record.set_vendor(offer.vendor);
  record.set_vendor_code(offer.vendor_code);
  record.set_model_name(offer.model);
  record.set_description(offer.description);
  record.set_currency(offer.currency);
  record.set_group_id(offer.group_id);
  record.set_category_id(offer.category_id);
  for (const std::string& picture : offer.pictures) record.add_pictures(picture);
  for (const std::string& barcode : offer.barcodes) record.add_barcodes(barcode);
  for (const feed::Param& param : offer.params) {
    ParamRecord& out = *record.add_params();
    out.set_name(param.name);
    out.set_value(param.value);
    out.set_unit(param.unit);
  }
  record.set_price(offer.price);
  record.set_old_price(offer.old_price);
  record.set_available(offer.available);
}

StoredOffer read_record(DocKey key, OfferRecord&& record) {
  StoredOffer stored;
  stored.key = key;
  stored.model = DocKey(record.model());
  stored.category = DocKey(record.category());
  stored.shop = record.shop();
  stored.first_seen = record.first_seen();
  feed::Offer& offer = stored.offer;
  offer.id = std::move(*record.mutable_id());
  offer.type = std::move(*record.mutable_type());
  offer.name = std::move(*record.mutable_name());
  offer.url = std::move(*record.mutable_url());
  offer.vendor = std::move(*record.mutable_vendor());
  offer.vendor_code = std::move(*record.mutable_vendor_code());
  offer.model = std::move(*record.mutable_model_name());
  offer.description = std::move(*record.mutable_description());
  offer.currency = std::move(*record.mutable_currency());
  offer.group_id = std::move(*record.mutable_group_id());
  offer.category_id = std::move(*record.mutable_category_id());
  for (std::string& picture : *record.mutable_pictures()) offer.pictures.push_back(std::move(picture));
  for (std::string& barcode : *record.mutable_barcodes()) offer.barcodes.push_back(std::move(barcode));
  for (ParamRecord& param : *record.mutable_params()) {
    offer.params.push_back(
        {std::move(*param.mutable_name()), std::move(*param.mutable_value()), std::move(*param.mutable_unit())});
  }
  offer.price = record.price();
  offer.old_price = record.old_price();
  offer.available = record.available();
  return stored;
}

void fill_record(ShopRecord& record, const Shop& shop) {
  record.set_key(shop.key.value());
  record.set_name(shop.name);
  record.set_display_name(shop.display_name);
  record.set_url(shop.url);
  record.set_feed_hash(shop.feed_hash);
}

Shop read_record(uint32_t number, const ShopRecord& record) {
  return {number, DocKey(record.key()), record.name(), record.display_name(), record.url(), record.feed_hash()};
}

}  // namespace souk::offers
