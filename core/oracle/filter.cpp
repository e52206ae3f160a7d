// SPDX-License-Identifier: Apache-2.0
#include "core/oracle/filter.h"

#include <algorithm>

namespace souk::oracle {

namespace {

std::vector<uint32_t> sorted(const wire::OrdinalFilter& filter) {
  std::vector<uint32_t> values(filter.values().begin(), filter.values().end());
  std::ranges::sort(values);
  return values;
}

}  // namespace

Filters::Filters(const ShardView& view, const wire::Filters& filters)
    : view_(view),
      has_categories_(filters.has_categories()),
      has_vendors_(filters.has_vendors()),
      has_shops_(filters.has_shops()),
      in_stock_(filters.in_stock()),
      vendors_(sorted(filters.vendors())),
      shops_(sorted(filters.shops())),
      has_regions_(filters.has_regions()),
      no_adult_(filters.no_adult()),
      ways_(filters.ways()),
      regions_(sorted(filters.regions())) {
  for (const wire::OrdinalRange& range : filters.categories().ranges())
    categories_.push_back({range.begin(), range.end()});
  if (filters.has_price_from()) price_from_ = filters.price_from();
  if (filters.has_price_to()) price_to_ = filters.price_to();
  for (const wire::OrdinalFilter& param : filters.params()) params_.push_back(sorted(param));
}

uint32_t Filters::ways_there(uint32_t shop) const {
  const index::Dictionary& dictionary = view_.dictionary;
  if (regions_.empty()) return 0;
  const auto named = dictionary.shop_regions(shop);
  if (std::ranges::count(named, index::kNoOrdinal) > 0) return index::kDelivered | index::kFreeDelivery;
  for (uint32_t region : regions_) {
    for (; region != index::kNoOrdinal; region = dictionary.region_parent(region)) {
      if (std::ranges::count(named, region) > 0) return index::kWays;
    }
  }
  return 0;
}

bool Filters::passes_flags(uint32_t doc) const {
  uint32_t flags = view_.shard.flags(doc);
  if (no_adult_ && (flags & index::kAdult) != 0) return false;
  if (has_regions_) flags &= ways_there(view_.shard.shops()[doc]);
  return (ways_ == 0 && !has_regions_) || (flags & (ways_ == 0 ? index::kWays : ways_)) != 0;
}

uint64_t Filters::failed(uint32_t doc) const {
  const index::ShardIndex& shard = view_.shard;
  uint64_t bits = 0;
  const uint32_t category = shard.categories()[doc];
  if (has_categories_ &&
      std::ranges::none_of(categories_, [category](Range r) { return category >= r.begin && category < r.end; })) {
    bits |= kCategory;
  }
  if (has_vendors_ && !std::ranges::binary_search(vendors_, shard.vendors()[doc])) bits |= kVendor;
  if (has_shops_ && !std::ranges::binary_search(shops_, shard.shops()[doc])) bits |= kShop;
  const auto price = static_cast<int64_t>(shard.prices()[doc]);
  if (price < price_from_ || price > price_to_) bits |= kPrice;
  if (in_stock_ && shard.in_stock()[doc] == 0) bits |= kInStock;
  if (!passes_flags(doc)) bits |= kFlags;
  for (size_t i = 0; i < params_.size(); ++i) {
    bool has_one = false;
    for (uint64_t at = shard.params_begin(doc); at < shard.params_end(doc); ++at) {
      if (std::ranges::binary_search(params_[i], shard.param_values()[at])) has_one = true;
    }
    if (!has_one) bits |= uint64_t{1} << (kFirstParam + i);
  }
  return bits;
}

uint64_t Filters::own_bit(const wire::Facet& facet) {
  switch (facet.kind()) {
    case wire::FACET_CATEGORY:
      return kCategory;
    case wire::FACET_VENDOR:
      return kVendor;
    case wire::FACET_SHOP:
      return kShop;
    case wire::FACET_PRICE:
      return kPrice;
    case wire::FACET_PARAM:
      return facet.own_filter() < 0 ? 0 : uint64_t{1} << (kFirstParam + facet.own_filter());
    default:
      return 0;
  }
}

}  // namespace souk::oracle
