// SPDX-License-Identifier: Apache-2.0
#include "core/index/region_ways.h"

#include "core/index/fields.h"

namespace souk::index {

RegionWays::RegionWays(const Dictionary& dictionary, std::span<const uint32_t> regions)
    : dictionary_(dictionary), serving_(dictionary.regions()), any_(!regions.empty()) {
  for (uint32_t region : regions) {
    for (; region != kNoOrdinal && !serving_[region]; region = dictionary.region_parent(region))
      serving_[region] = true;
  }
}

uint8_t RegionWays::of(uint32_t shop) const {
  if (!any_) return 0;  // in no region; so there may be none at all
  for (const uint32_t region : dictionary_.shop_regions(shop)) {
    if (region == kNoOrdinal) return kDelivered | kFreeDelivery;
    if (serving_[region]) return kWays;
  }
  return 0;
}

}  // namespace souk::index
