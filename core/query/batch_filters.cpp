// SPDX-License-Identifier: Apache-2.0
#include "core/query/batch_filters.h"

#include <algorithm>
#include <limits>

namespace souk::query {

std::vector<uint32_t> distinct(const google::protobuf::RepeatedField<uint32_t>& values) {
  std::vector<uint32_t> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
  return sorted;
}

OrdinalSet::OrdinalSet(const wire::OrdinalFilter& filter) {
  if (filter.values().empty()) return;
  const auto [least, greatest] = std::ranges::minmax(filter.values());
  least_ = least;
  size_ = uint64_t{greatest} - least + 1;
  bits_.resize((size_ + 63) / 64);
  for (const uint32_t value : filter.values()) bits_[(value - least) / 64] |= uint64_t{1} << ((value - least) % 64);
}

uint64_t BatchFilters::own_bit(const wire::Facet& facet) {
  const auto bit = [](int number) { return uint64_t{1} << number; };
  switch (facet.kind()) {
    case wire::FACET_CATEGORY:
      return bit(static_cast<int>(Field::kCategory));
    case wire::FACET_VENDOR:
      return bit(static_cast<int>(Field::kVendor));
    case wire::FACET_SHOP:
      return bit(static_cast<int>(Field::kShop));
    case wire::FACET_PRICE:
      return bit(static_cast<int>(Field::kPrice));
    case wire::FACET_PARAM:
      return facet.own_filter() < 0 ? 0 : bit(kFirstParam + facet.own_filter());
    default:
      return 0;
  }
}

BatchFilters::BatchFilters(const ShardView& view, const wire::ShardRequest& request, Scratch& scratch)
    : shard_(view.shard), vendors_(request.filters().vendors()), shops_(request.filters().shops()) {
  for (const wire::Facet& facet : request.facets()) marking_ |= own_bit(facet);
  const wire::Filters& filters = request.filters();
  const auto add = [this](Field field) { (marks_field(field) ? mark_ : drop_).push_back(field); };
  // Those that let the least through first.
  if (filters.has_categories()) {
    for (const wire::OrdinalRange& range : filters.categories().ranges())
      categories_.push_back({range.begin(), range.end()});
    add(Field::kCategory);
  }
  if (filters.has_vendors()) add(Field::kVendor);
  if (filters.has_shops()) add(Field::kShop);
  if (filters.has_price_from() || filters.has_price_to()) {
    const int64_t from = filters.has_price_from() ? std::max<int64_t>(filters.price_from(), 0) : 0;
    const int64_t to = filters.has_price_to() ? filters.price_to() : std::numeric_limits<int64_t>::max();
    no_price_ = to < from;
    price_from_ = static_cast<uint64_t>(from);
    price_to_ = static_cast<uint64_t>(to);
    add(Field::kPrice);
  }
  if (filters.in_stock()) add(Field::kInStock);
  for (int i = 0; i < filters.params_size(); ++i) {
    if (!marks_param(i)) continue;
    ParamLists& lists = mark_lists_.emplace_back();
    lists.bit = uint64_t{1} << (kFirstParam + i);
    for (const uint32_t value : distinct(filters.params(i).values())) {
      if (const auto list = shard_.param_lists().find(value))
        lists.cursors.emplace_back(shard_.param_lists(), *list, 0, false, scratch);
    }
    marking_lists_ += lists.cursors.size();
  }
}

template <typename Visit>
void BatchFilters::with_test(Field field, Visit visit) const {
  switch (field) {
    case Field::kCategory:
      if (categories_.size() == 1) {
        const Range range = categories_[0];
        visit([&, range](uint32_t doc) { return shard_.categories()[doc] - range.begin < range.end - range.begin; });
      } else {
        visit([this](uint32_t doc) {
          const uint32_t category = shard_.categories()[doc];
          return std::ranges::any_of(categories_, [category](Range r) { return category - r.begin < r.end - r.begin; });
        });
      }
      break;
    case Field::kVendor:
      visit([this](uint32_t doc) { return vendors_.has(shard_.vendors()[doc]); });
      break;
    case Field::kShop:
      visit([this](uint32_t doc) { return shops_.has(shard_.shops()[doc]); });
      break;
    case Field::kPrice:
      visit(
          [this](uint32_t doc) { return shard_.prices()[doc] - price_from_ <= price_to_ - price_from_ && !no_price_; });
      break;
    case Field::kInStock:
      visit([this](uint32_t doc) { return shard_.in_stock()[doc] != 0; });
      break;
  }
}

void BatchFilters::keep(Batch& batch, bool with_masks) const {
  for (const Field field : drop_) {
    with_test(field, [&](auto test) { batch.keep_if(with_masks, [&](uint32_t i) { return test(batch.docs[i]); }); });
  }
}

uint64_t BatchFilters::dropping_bytes() const {
  uint64_t bytes = 0;
  for (const Field field : drop_) {
    switch (field) {
      case Field::kCategory:
        bytes += shard_.categories().raw().bytes();
        break;
      case Field::kVendor:
        bytes += shard_.vendors().raw().bytes();
        break;
      case Field::kShop:
        bytes += shard_.shops().raw().bytes();
        break;
      case Field::kPrice:
        bytes += shard_.prices().bytes();
        break;
      case Field::kInStock:
        bytes += shard_.in_stock().bytes();
        break;
    }
  }
  return bytes;
}

void BatchFilters::mark(const Batch& batch, const Kernels& kernels, Scratch& scratch) {
  std::fill_n(scratch.failed.begin(), batch.count, uint64_t{0});
  for (const Field field : mark_) {
    const uint64_t bit = uint64_t{1} << static_cast<int>(field);
    with_test(field, [&](auto test) {
      for (uint32_t i = 0; i < batch.count; ++i) scratch.failed[i] |= test(batch.docs[i]) ? 0 : bit;
    });
  }
  if (batch.count == 0) return;
  const uint32_t key = batch.docs[0] >> index::kChunkBits;
  for (ParamLists& lists : mark_lists_) {
    for (uint32_t i = 0; i < batch.count; ++i) scratch.failed[i] |= lists.bit;
    for (ListCursor& cursor : lists.cursors) {
      if (cursor.seek(key) != key) continue;
      locate(cursor.view(), batch, kernels, scratch);
      for (uint32_t i = 0; i < batch.count; ++i) {
        if (scratch.places[i] != kNotFound) scratch.failed[i] &= ~lists.bit;
      }
    }
  }
}

}  // namespace souk::query
