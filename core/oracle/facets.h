// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/oracle/filter.h"
#include "core/oracle/oracle.h"

namespace souk::oracle {

// Counts one facet exactly, by offer and by model. Disjunctive: a document counts when it passes every filter but the
// facet's own. A model counts once for a value when one of its offers does. A category counts for its ancestors too.
class FacetCounter {
 public:
  FacetCounter(const ShardView& view, const wire::Facet& facet);

  // failed = Filters::failed of the document.
  void count(uint32_t doc, uint64_t failed);
  wire::FacetCounts finish();

 private:
  void add(uint32_t ordinal, uint32_t group) { pairs_.push_back(uint64_t{ordinal} << 32 | group); }

  const ShardView& view_;
  const wire::Facet& facet_;
  uint64_t own_bit_;
  std::vector<uint64_t> pairs_;  // (value, group), one per offer
  wire::FacetCounts counts_;
};

}  // namespace souk::oracle
