// SPDX-License-Identifier: Apache-2.0
// The exhaustive evaluator: what the engine (core/query) must give, written as simply as the definition allows. For
// tests and benchmarks; servers do not have it.
#pragma once

#include "core/query/search.h"

namespace souk::oracle {

using query::ShardView;
using query::Stop;

// Looks at every posting of every term, applies every filter to every match, counts everything exactly, also where the
// request would allow less. Pure; thread-safe. Time O(documents + postings), memory 12 bytes a document and 16 a match
// and facet value. The request must have passed query::check_request. Error: kDeadlineExceeded.
Result<wire::ShardReply> search_exhaustively(const ShardView& view, const wire::ShardRequest& request,
                                             const Stop& stop);

}  // namespace souk::oracle
