// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "core/base/ids.h"

namespace souk::index {

// What decides a document's number in its shard.
struct DocumentPlace {
  DocKey group;
  DocKey key;
  uint8_t level = 0;    // 0..15
  uint64_t source = 0;  // whatever the caller finds the document by
};

// Sorts into document order: (level descending, group ascending, key ascending), once every document has the level of
// its group, which is the best one of its offers. So the offers of a model are neighbours: grouping and counting models
// needs neither a table nor a sort, and within a level ties of (group, key) are in document order (ADR 0007).
void order_documents(std::vector<DocumentPlace>& places);

}  // namespace souk::index
