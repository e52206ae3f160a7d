// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "indexer/feed/raw_offer.h"

namespace souk::feed {

// An attribute of the Google Merchant specification that is read; the others are ignored.
struct GoogleAttribute {
  enum class Use : uint8_t { kId, kField, kImage, kMoreImages, kBarcode, kParam, kExtra };
  std::string_view name;
  Use use = Use::kField;
  Field field = Field::kCount;
  std::string_view extra_name;  // of kExtra
};

// By its name, "image_link". nullptr = not read.
const GoogleAttribute* find_google_attribute(std::string_view name);

// As the head of a column writes it ("image link", "ID [id]", "g:price", in quotes or not) -> the attribute's name.
std::string google_column_name(std::string_view head);

// Puts the value where the attribute belongs; text is left with anything.
void take_google_value(RawOffer& raw, const GoogleAttribute& attribute, std::string& text);

}  // namespace souk::feed
