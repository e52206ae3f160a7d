// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/snippet_doc.h"

#include "core/base/hash.h"
#include "core/wire/snippet.pb.h"

namespace souk::build {

Snippet make_snippet(const offers::StoredOffer& stored, const offers::Shop& shop) {
  const feed::Offer& offer = stored.offer;
  wire::SnippetDoc doc;
  doc.set_key(stored.key.value());
  doc.set_offer_id(offer.id);
  doc.set_shop(shop.key.value());
  doc.set_shop_name(shop.display_name);
  doc.set_title(offer.name);
  doc.set_url(offer.url);
  for (const std::string& picture : offer.pictures) doc.add_pictures(picture);
  doc.set_vendor(offer.vendor);
  doc.set_vendor_code(offer.vendor_code);
  doc.set_category(stored.category.value());
  for (const std::string& name : offer.category_path) doc.add_category_path(name);
  doc.set_description(offer.description);
  for (const feed::Param& param : offer.params) {
    wire::SnippetParam& out = *doc.add_params();
    out.set_name(param.name);
    out.set_value(param.value);
    out.set_unit(param.unit);
  }
  for (const std::string& barcode : offer.barcodes) doc.add_barcodes(barcode);
  doc.set_model(stored.model.value());
  doc.set_currency(offer.currency);

  Snippet snippet;
  snippet.bytes = doc.SerializeAsString();  // no maps: the same fields give the same bytes
  snippet.version = xxh3(std::string_view(snippet.bytes));
  return snippet;
}

}  // namespace souk::build
