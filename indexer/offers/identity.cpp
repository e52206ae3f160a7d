// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/identity.h"

#include "core/text/normalize.h"

namespace souk::offers {
namespace {
constexpr char kSeparator = '\x1f';
constexpr size_t kUpcDigits = 12;
}  // namespace

std::string model_identity(uint32_t shop_number, const feed::Offer& offer) {
  if (!offer.barcodes.empty()) {
    const std::string& barcode = offer.barcodes.front();
    return (barcode.size() == kUpcDigits ? "b:0" : "b:") + barcode;
  }
  const std::string vendor = text::fold(offer.vendor);
  const std::string code = text::fold(offer.vendor_code);
  if (!vendor.empty() && !code.empty()) return "v:" + vendor + kSeparator + code;
  if (!offer.group_id.empty()) return "g:" + std::to_string(shop_number) + kSeparator + offer.group_id;
  return {};
}

std::string category_identity(std::span<const std::string> path) {
  std::string identity;
  for (const std::string& name : path) {
    if (!identity.empty()) identity += kSeparator;
    identity += text::fold(name);
  }
  return identity;
}

}  // namespace souk::offers
