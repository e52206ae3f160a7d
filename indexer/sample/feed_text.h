// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "indexer/sample/shops.h"

namespace souk::sample {

// The shop's YML document in UTF-8 (the declaration already names shop.encoding).
std::string feed_text(const ShopSpec& shop, const std::vector<ShopOffer>& offers);

// Characters that windows-1251 lacks become character references.
std::string to_windows_1251(std::string_view utf8);

// The same bytes for the same input: no time and no name in the header.
std::string to_gzip(std::string_view bytes);

}  // namespace souk::sample
