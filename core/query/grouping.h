// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/query/match.h"
#include "core/query/search.h"

namespace souk::query {

// Totals and the best `limit` hits of the documents that passed every filter (ascending), in the total order
// (order value descending, then the group's key ascending); within a group the best offer is the first by
// (order value descending, then its key ascending).
void rank_into(const index::ShardIndex& shard, const wire::ShardRequest& request, const std::vector<Match>& passed,
               wire::ShardReply& reply);

}  // namespace souk::query
