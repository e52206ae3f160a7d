// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/query/kernels.h"

namespace souk::query {

// The kernels of level v4, slowly, on any CPU.
const Kernels& v4_emulated_kernels();

}  // namespace souk::query
