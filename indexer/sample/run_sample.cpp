// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cstdio>

#include "indexer/commands.h"
#include "indexer/sample/sample_market.h"

namespace souk::indexer {

int run_sample(const SampleOptions& options) {
  const Status written = sample::write_sample_market(options.out, options.seed);
  if (written) return 0;
  fmt::print(stderr, "souk-indexer: {}\n", to_string(written.error()));
  return 1;
}

}  // namespace souk::indexer
