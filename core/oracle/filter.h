// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/oracle/oracle.h"

namespace souk::oracle {

// A request's filters, each with a bit of its own, so that a facet can be counted without its own filter.
class Filters {
 public:
  Filters(const ShardView& view, const wire::Filters& filters);

  // The filters that a document fails, as bits; 0 = it passes all.
  uint64_t failed(uint32_t doc) const;

  // The bit of the filter on a facet's own field; 0 when there is none.
  static uint64_t own_bit(const wire::Facet& facet);

 private:
  static constexpr uint64_t kCategory = 1, kVendor = 2, kShop = 4, kPrice = 8, kInStock = 16, kFlags = 32;
  static constexpr int kFirstParam = 6;
  using Values = std::vector<uint32_t>;  // ascending

  struct Range {
    uint32_t begin, end;
  };
  // How a shop's goods can be had in the regions asked for, as flags.
  uint32_t ways_there(uint32_t shop) const;
  bool passes_flags(uint32_t doc) const;

  const ShardView& view_;
  bool has_categories_, has_vendors_, has_shops_, in_stock_;
  std::vector<Range> categories_;
  Values vendors_, shops_;
  int64_t price_from_ = std::numeric_limits<int64_t>::min();
  int64_t price_to_ = std::numeric_limits<int64_t>::max();
  std::vector<Values> params_;
  bool has_regions_, no_adult_;
  uint32_t ways_;
  Values regions_;
};

}  // namespace souk::oracle
