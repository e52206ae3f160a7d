// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/query/search.h"

namespace souk::query {

// A set of ordinals as bits, from the least to the greatest.
class OrdinalSet {
 public:
  explicit OrdinalSet(const wire::OrdinalFilter& filter);
  bool has(uint32_t ordinal) const {
    const uint64_t at = uint64_t{ordinal} - least_;  // wraps round below the least
    return at < size_ && (bits_[at / 64] >> (at % 64) & 1) != 0;
  }

 private:
  uint32_t least_ = 0;
  uint64_t size_ = 0;
  std::vector<uint64_t> bits_;
};

// Those of a set of filters that look at one column or two of a document.
class ColumnFilters {
 public:
  enum class Field : uint8_t { kCategory, kVendor, kShop, kPrice, kInStock, kFlags };
  static constexpr int kFields = 6;

  ColumnFilters(const ShardView& view, const wire::Filters& filters);

  // What is filtered by; what lets the least through comes first.
  const std::vector<Field>& fields() const { return fields_; }
  uint64_t bytes(Field field) const;  // of the columns it looks at

  // Calls visit(test), test(doc) = whether the document passes the filter on that field.
  template <typename Visit>
  void with_test(Field field, Visit visit) const;

 private:
  static constexpr uint32_t kAny = 0x100;  // a bit that every document has, beside its flags
  struct Range {
    uint32_t begin, end;
  };
  void set_flags(const index::Dictionary& dictionary, const wire::Filters& filters);

  const index::ShardIndex& shard_;
  std::vector<Field> fields_;
  std::vector<Range> categories_;
  OrdinalSet vendors_, shops_;
  uint64_t price_from_ = 0, price_to_ = 0;
  bool no_price_ = false;  // the range is empty
  // Flags of which a document must have one; with regions those that the document's shop has there.
  uint32_t wanted_ = kAny;
  std::vector<uint8_t> shop_ways_;
  uint32_t unwanted_ = 0;
};

template <typename Visit>
void ColumnFilters::with_test(Field field, Visit visit) const {
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
    case Field::kFlags:
      if (shop_ways_.empty()) {
        visit([this](uint32_t doc) {
          const uint32_t flags = shard_.flags(doc) | kAny;
          return (flags & wanted_) != 0 && (flags & unwanted_) == 0;
        });
      } else {
        visit([this](uint32_t doc) {
          const uint32_t flags = shard_.flags(doc);
          return (flags & shop_ways_[shard_.shops()[doc]]) != 0 && (flags & unwanted_) == 0;
        });
      }
      break;
  }
}

}  // namespace souk::query
