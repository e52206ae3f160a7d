// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/query/kernels.h"
#include "core/query/search.h"
#include "core/query/top_rows.h"

namespace souk::query {

struct HitTools {
  const Kernels& kernels;
  const Stop& stop;
};

// Rows, best first, as the reply's hits; with explain what each term gave to each. kDeadlineExceeded.
Status write_hits(const ShardView& view, const wire::ShardRequest& request, std::span<const Row> rows,
                  const HitTools& tools, wire::ShardReply& reply);

}  // namespace souk::query
