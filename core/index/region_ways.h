// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/index/dictionary.h"

namespace souk::index {

// How a buyer who is in one of some regions can get what shops sell, as flags (fields.h): all ways where the shop names
// such a region or one that it lies in; by delivery only where it names none at all, since nobody knows where it is.
class RegionWays {
 public:
  RegionWays(const Dictionary& dictionary, std::span<const uint32_t> regions);
  uint8_t of(uint32_t shop) const;

 private:
  const Dictionary& dictionary_;
  std::vector<bool> serving_;  // by region: whether a shop that names it serves the buyer
  bool any_;
};

}  // namespace souk::index
