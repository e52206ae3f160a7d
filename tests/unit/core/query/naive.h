// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/unit/core/query/named_query.h"

namespace souk::test {

// What a query must give, from the definitions and the offers as they were written down: no ordinals, no shards, no
// postings. The engine is compared with it.
Answer naive_answer(const World& world, const Query& query);

}  // namespace souk::test
