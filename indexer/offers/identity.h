// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "indexer/feed/offer.h"

namespace souk::offers {

// What makes offers offers of one model, by the best evidence that the offer has: its first barcode ("b:" + digits;
// UPC-A is EAN-13 with a leading 0), else vendor and vendor code ("v:…"), else the shop's own group ("g:…"); empty when
// there is none of these.
std::string model_identity(uint32_t shop_number, const feed::Offer& offer);

// What makes paths of names one category.
std::string category_identity(std::span<const std::string> path);

}  // namespace souk::offers
