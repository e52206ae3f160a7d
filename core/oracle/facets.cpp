// SPDX-License-Identifier: Apache-2.0
#include "core/oracle/facets.h"

#include <algorithm>

namespace souk::oracle {

FacetCounter::FacetCounter(const ShardView& view, const wire::Facet& facet)
    : view_(view), facet_(facet), own_bit_(Filters::own_bit(facet)) {}

void FacetCounter::count(uint32_t doc, uint64_t failed) {
  if ((failed & ~own_bit_) != 0) return;
  const index::ShardIndex& shard = view_.shard;
  const auto group = shard.group_of(doc);
  switch (facet_.kind()) {
    case wire::FACET_CATEGORY:
      for (uint32_t c = shard.categories()[doc]; c != index::kNoOrdinal; c = view_.dictionary.category_parent(c))
        add(c, group);
      break;
    case wire::FACET_VENDOR:
      if (shard.vendors()[doc] != index::kNoOrdinal) add(shard.vendors()[doc], group);
      break;
    case wire::FACET_SHOP:
      add(shard.shops()[doc], group);
      break;
    case wire::FACET_PRICE: {
      const auto price = static_cast<int64_t>(shard.prices()[doc]);
      if (!counts_.has_price_min() || price < counts_.price_min()) counts_.set_price_min(price);
      if (!counts_.has_price_max() || price > counts_.price_max()) counts_.set_price_max(price);
      break;
    }
    default:
      for (uint64_t at = shard.params_begin(doc); at < shard.params_end(doc); ++at) {
        const uint32_t value = shard.param_values()[at];
        if (value >= facet_.param().begin() && value < facet_.param().end()) add(value, group);
      }
  }
}

wire::FacetCounts FacetCounter::finish() {
  std::ranges::sort(pairs_);
  for (size_t i = 0; i < pairs_.size();) {
    const auto ordinal = static_cast<uint32_t>(pairs_[i] >> 32);
    uint32_t offers = 0;
    uint32_t models = 0;
    for (const size_t first = i; i < pairs_.size() && pairs_[i] >> 32 == ordinal; ++i) {
      ++offers;
      if (i == first || pairs_[i] != pairs_[i - 1]) ++models;
    }
    counts_.add_ordinals(ordinal);
    counts_.add_offers(offers);
    counts_.add_models(models);
  }
  return std::move(counts_);
}

}  // namespace souk::oracle
