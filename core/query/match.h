// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/query/search.h"

namespace souk::query {

struct Match {
  uint32_t doc;
  uint32_t score;  // sum over the terms of impact x weight; 0 when browsing
};

// The documents that contain every term, and are the asked offer or of the asked model where the filters name one;
// ascending.
Result<std::vector<Match>> match(const index::ShardIndex& shard, const wire::ShardRequest& request, const Stop& stop);

}  // namespace souk::query
