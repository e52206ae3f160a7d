// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/query/kernels.h"

namespace souk::query {

// The kernels of level v4, slowly, on any CPU.
const Kernels& v4_emulated_kernels();

// The levels that this CPU has, and that one.
std::vector<const Kernels*> tested_kernels();

}  // namespace souk::query
