// SPDX-License-Identifier: Apache-2.0
#include "core/index/document_order.h"

#include <algorithm>
#include <tuple>

namespace souk::index {

void order_documents(std::vector<DocumentPlace>& places) {
  std::ranges::sort(places, {}, [](const DocumentPlace& p) { return std::tuple(p.group, -p.level); });
  for (size_t i = 1; i < places.size(); ++i) {
    if (places[i].group == places[i - 1].group) places[i].level = places[i - 1].level;  // the best of the group
  }
  std::ranges::sort(places, {}, [](const DocumentPlace& p) { return std::tuple(-p.level, p.group, p.key); });
}

}  // namespace souk::index
