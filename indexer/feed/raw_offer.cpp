// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/raw_offer.h"

#include <utility>

namespace souk::feed {

void RawOffer::clear() {
  line = 0;
  id.clear();
  has_available = false;
  type.clear();
  for (std::string& field : fields) field.clear();
  category_path.clear();
  pictures.clear();
  barcodes.clear();
  params.clear();
  extras.clear();
  delivery_options.clear();
  pickup_options.clear();
  dropped_params = 0;
  description_cut = false;
}

bool RawOffer::set(Field field, std::string& text) {
  std::string& place = (*this)[field];
  if (place.find_first_not_of(" \t\r\n") != std::string::npos) return false;
  std::swap(place, text);
  return true;
}

void RawOffer::add_param(RawParam&& param, size_t most) {
  if (params.size() < most) {
    params.push_back(std::move(param));
  } else {
    ++dropped_params;
  }
}

}  // namespace souk::feed
