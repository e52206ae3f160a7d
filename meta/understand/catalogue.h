// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/index/dictionary.h"
#include "core/placement/slots.h"
#include "runtime/config/market.h"

namespace souk::understand {

// What meta knows of the generation that a query is pinned to. The owner keeps what is pointed at alive.
struct Catalogue {
  GenerationId generation;
  uint32_t shards = 0;
  const placement::SlotTable* slots = nullptr;
  const index::Dictionary* dictionary = nullptr;
  const config::Market* market = nullptr;
};

}  // namespace souk::understand
