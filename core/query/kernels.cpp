// SPDX-License-Identifier: Apache-2.0
// Compiled as all else, so that asking for a level does not need it.
#include "core/query/kernels.h"

#include <array>

namespace souk::query {

namespace {

bool has_v3() {
  return __builtin_cpu_supports("x86-64-v3");
}

bool has_v4() {
  return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vpopcntdq");
}

}  // namespace

std::span<const Kernels* const> available_kernels() {
  static constexpr std::array<const Kernels*, 3> kLevels = {&kScalarKernels, &kV3Kernels, &kV4Kernels};
  static const size_t count = has_v4() ? 3 : has_v3() ? 2 : 1;
  return std::span(kLevels).first(count);
}

}  // namespace souk::query
