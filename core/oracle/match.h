// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/oracle/oracle.h"

namespace souk::oracle {

struct Match {
  uint32_t doc;
  uint32_t score;  // sum over the slots that it matches; 0 when browsing
  uint32_t slots;  // those slots: bit i = slot i
};

// Each slot's terms, as indices into request.terms().
std::vector<std::vector<uint32_t>> slots_of(const wire::ShardRequest& request);

// The documents that match at least one slot (all when there is none), have every phrase, and are the asked offer or of
// the asked model where the filters name one; ascending. How many slots are enough is up to the caller.
Result<std::vector<Match>> match(const ShardView& view, const wire::ShardRequest& request, const Stop& stop);

}  // namespace souk::oracle
