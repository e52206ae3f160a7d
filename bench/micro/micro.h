// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/engine/souk_index.h"

namespace souk::bench {

// Registers the kernels' loops, at every level of this CPU, with Google Benchmark.
void register_kernels();
// Registers what works on a whole index, which must outlive the run.
void register_index(const SoukIndex& index);

}  // namespace souk::bench
