// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/oracle/match.h"
#include "core/oracle/oracle.h"

namespace souk::oracle {

// Larger is better. Prices and the like are below 10^15, so a thousand of them fit.
int64_t order_value(const index::ShardIndex& shard, const wire::ShardRequest& request, uint32_t doc, uint32_t score);

// Totals of the documents that passed everything, and their best `limit` hits behind `after`, in the total order (order
// value descending, then the group's key, then the offer's key ascending). Within a group the best offer is the first
// by (order value descending, in stock first, key ascending).
void rank_into(const ShardView& view, const wire::ShardRequest& request, const std::vector<Match>& passed,
               wire::ShardReply& reply);

}  // namespace souk::oracle
