// SPDX-License-Identifier: Apache-2.0
#include "indexer/ingest/brakes.h"

#include <fmt/core.h>

namespace souk::ingest {
namespace {

constexpr uint64_t kShopPercent = 30;
constexpr uint64_t kCataloguePercent = 5;
constexpr uint64_t kPricePercent = 50;

bool exceeds(uint64_t part, uint64_t whole, uint64_t percent) {
  return part * 100 > whole * percent;
}

}  // namespace

std::optional<offers::Hold> find_reason_to_hold(const offers::Difference& difference, const RunTally& tally) {
  offers::Hold hold;
  if (exceeds(difference.removed, difference.live_before, kShopPercent)) {
    hold.reason = "shop_shrinks";
    hold.message = fmt::format("it would remove {} of the shop's {} offers, more than {} %", difference.removed,
                               difference.live_before, kShopPercent);
  } else if (difference.removed > 0 &&
             exceeds(tally.removed + difference.removed, tally.catalogue, kCataloguePercent)) {
    hold.reason = "catalogue_shrinks";
    hold.message = fmt::format(
        "it would remove {} offers; with the {} that went before in this run that is more than "
        "{} % of the catalogue's {}",
        difference.removed, tally.removed, kCataloguePercent, tally.catalogue);
  } else if (exceeds(difference.price_jumps, difference.priced, kPricePercent)) {
    hold.reason = "prices_jump";
    hold.message =
        fmt::format("{} of {} prices change by more than a factor of 10", difference.price_jumps, difference.priced);
  } else {
    return std::nullopt;
  }
  return hold;
}

}  // namespace souk::ingest
