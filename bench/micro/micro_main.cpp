// SPDX-License-Identifier: Apache-2.0
// souk-bench-micro INDEX [--benchmark_…]: the inner loops of a query; INDEX is what souk-bench-engine has built.
#include <benchmark/benchmark.h>

#include <cstdio>

#include "bench/micro/micro.h"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: souk-bench-micro INDEX [--benchmark_...] (started by ./souk bench micro)\n");
    return 2;
  }
  const auto index = souk::bench::SoukIndex::load(argv[1]);
  if (!index) {
    std::fprintf(stderr, "souk-bench-micro: %s\n", souk::to_string(index.error()).c_str());
    return 1;
  }
  souk::bench::register_kernels();
  souk::bench::register_index(*index);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
