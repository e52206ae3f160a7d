// SPDX-License-Identifier: Apache-2.0
#include "core/query/batch_filters.h"

#include <algorithm>

namespace souk::query {

std::vector<uint32_t> distinct(const google::protobuf::RepeatedField<uint32_t>& values) {
  std::vector<uint32_t> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
  return sorted;
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
    : shard_(view.shard), asked_(view, request.filters()), fixed_(view, request.fixed()) {
  for (const wire::Facet& facet : request.facets()) marking_ |= own_bit(facet);
  for (const Field field : asked_.fields()) {
    marks_field(field) ? mark_.push_back(field) : drop_.push_back({&asked_, field});
  }
  for (const Field field : fixed_.fields()) drop_.push_back({&fixed_, field});
  const wire::Filters& filters = request.filters();
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

void BatchFilters::keep(Batch& batch, bool with_masks) const {
  for (const Drop& drop : drop_) {
    drop.filters->with_test(
        drop.field, [&](auto test) { batch.keep_if(with_masks, [&](uint32_t i) { return test(batch.docs[i]); }); });
  }
}

uint64_t BatchFilters::dropping_bytes() const {
  uint64_t bytes = 0;
  for (const Drop& drop : drop_) bytes += drop.filters->bytes(drop.field);
  return bytes;
}

void BatchFilters::mark(const Batch& batch, const Kernels& kernels, Scratch& scratch) {
  std::fill_n(scratch.failed.begin(), batch.count, uint64_t{0});
  for (const Field field : mark_) {
    const uint64_t bit = uint64_t{1} << static_cast<int>(field);
    asked_.with_test(field, [&](auto test) {
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
