// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/snippet_doc.h"

#include "core/base/hash.h"
#include "core/wire/snippet.pb.h"
#include "indexer/build/offer_terms.h"

namespace souk::build {

namespace {

// The cheapest first, the others as the shop wrote them.
void add_options(const OfferTerms::Options& from, google::protobuf::RepeatedPtrField<wire::SnippetDeliveryOption>& to) {
  const auto add = [&](const feed::DeliveryOption& option) {
    wire::SnippetDeliveryOption& out = *to.Add();
    out.set_cost(option.cost);
    out.set_currency(from.currency);
    out.set_days_from(option.days_from);
    out.set_days_to(option.days_to);
    out.set_order_before(option.order_before);
  };
  const feed::DeliveryOption* first = cheapest(from.options);
  if (first != nullptr) add(*first);
  for (const feed::DeliveryOption& option : from.options) {
    if (&option != first) add(option);
  }
}

void add_param(const feed::Param& param, wire::SnippetParam& out) {
  out.set_name(param.name);
  out.set_value(param.value);
  out.set_unit(param.unit);
}

const char* reason_of(offers::LinkReason::Kind kind) {
  using Kind = offers::LinkReason::Kind;
  switch (kind) {
    case Kind::kBarcode:
      return "barcode";
    case Kind::kVendorCode:
      return "vendor_code";
    case Kind::kGroup:
      return "group";
    case Kind::kRule:
      return "rule";
    case Kind::kNone:
      break;
  }
  return "";
}

const char* availability_of(const feed::Offer& offer) {
  if (offer.availability == feed::Availability::kPreorder) return "preorder";
  if (offer.availability == feed::Availability::kBackorder) return "backorder";
  return "";
}

}  // namespace

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
  for (const feed::Param& param : offer.params) add_param(param, *doc.add_params());
  for (const feed::Param& extra : offer.extras) add_param(extra, *doc.add_extras());
  for (const std::string& barcode : offer.barcodes) doc.add_barcodes(barcode);
  doc.set_model(stored.model.value());
  doc.set_currency(offer.currency);
  doc.set_condition(offer.condition);
  doc.set_availability(availability_of(offer));
  doc.set_model_reason(reason_of(stored.link.kind));
  doc.set_model_evidence(stored.link.evidence);
  const OfferTerms terms = terms_of(offer, shop);
  add_options(terms.delivery_options, *doc.mutable_delivery_options());
  add_options(terms.pickup_options, *doc.mutable_pickup_options());

  Snippet snippet;
  snippet.bytes = doc.SerializeAsString();  // no maps: the same fields give the same bytes
  snippet.version = xxh3(std::string_view(snippet.bytes));
  return snippet;
}

}  // namespace souk::build
