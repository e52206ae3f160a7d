// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/query/evaluators.h"

#include "core/query/kernels.h"
#include "core/query/scratch.h"

namespace souk::test {

std::vector<NamedEvaluator> evaluators() {
  std::vector<NamedEvaluator> all = {{"exhaustive", query::search_exhaustively}};
  for (const query::Kernels* kernels : query::available_kernels()) {
    // One scratch for all queries: what one leaves behind must not show in the next.
    all.push_back({std::string("engine_") + kernels->name,
                   [kernels, scratch = std::make_shared<query::Scratch>()](
                       const query::ShardView& view, const wire::ShardRequest& request, const query::Stop& stop) {
                     return query::search(view, request, stop, *kernels, *scratch);
                   }});
  }
  return all;
}

}  // namespace souk::test
