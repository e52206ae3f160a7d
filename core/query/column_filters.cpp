// SPDX-License-Identifier: Apache-2.0
#include "core/query/column_filters.h"

#include <limits>
#include <span>

#include "core/index/region_ways.h"

namespace souk::query {

OrdinalSet::OrdinalSet(const wire::OrdinalFilter& filter) {
  if (filter.values().empty()) return;
  const auto [least, greatest] = std::ranges::minmax(filter.values());
  least_ = least;
  size_ = uint64_t{greatest} - least + 1;
  bits_.resize((size_ + 63) / 64);
  for (const uint32_t value : filter.values()) bits_[(value - least) / 64] |= uint64_t{1} << ((value - least) % 64);
}

ColumnFilters::ColumnFilters(const ShardView& view, const wire::Filters& filters)
    : shard_(view.shard), vendors_(filters.vendors()), shops_(filters.shops()) {
  if (filters.has_categories()) {
    for (const wire::OrdinalRange& range : filters.categories().ranges())
      categories_.push_back({range.begin(), range.end()});
    fields_.push_back(Field::kCategory);
  }
  if (filters.has_vendors()) fields_.push_back(Field::kVendor);
  if (filters.has_shops()) fields_.push_back(Field::kShop);
  if (filters.has_price_from() || filters.has_price_to()) {
    const int64_t from = filters.has_price_from() ? std::max<int64_t>(filters.price_from(), 0) : 0;
    const int64_t to = filters.has_price_to() ? filters.price_to() : std::numeric_limits<int64_t>::max();
    no_price_ = to < from;
    price_from_ = static_cast<uint64_t>(from);
    price_to_ = static_cast<uint64_t>(to);
    fields_.push_back(Field::kPrice);
  }
  if (filters.in_stock()) fields_.push_back(Field::kInStock);
  if (filters.has_regions() || filters.ways() != 0 || filters.no_adult()) {
    set_flags(view.dictionary, filters);
    fields_.push_back(Field::kFlags);
  }
}

void ColumnFilters::set_flags(const index::Dictionary& dictionary, const wire::Filters& filters) {
  if (filters.no_adult()) unwanted_ = index::kAdult;
  if (filters.ways() != 0) wanted_ = filters.ways();
  if (!filters.has_regions()) return;
  const uint32_t asked = filters.ways() != 0 ? filters.ways() : index::kWays;
  const auto& regions = filters.regions().values();
  const index::RegionWays there(dictionary, std::span(regions.data(), static_cast<size_t>(regions.size())));
  shop_ways_.resize(dictionary.shops());
  for (uint32_t shop = 0; shop < dictionary.shops(); ++shop)
    shop_ways_[shop] = static_cast<uint8_t>(there.of(shop) & asked);
}

uint64_t ColumnFilters::bytes(Field field) const {
  switch (field) {
    case Field::kCategory:
      return shard_.categories().raw().bytes();
    case Field::kVendor:
      return shard_.vendors().raw().bytes();
    case Field::kShop:
      return shard_.shops().raw().bytes();
    case Field::kPrice:
      return shard_.prices().bytes();
    case Field::kInStock:
      return shard_.in_stock().bytes();
    case Field::kFlags:
      return shard_.flags_bytes() + (shop_ways_.empty() ? 0 : shard_.shops().raw().bytes());
  }
  return 0;
}

}  // namespace souk::query
