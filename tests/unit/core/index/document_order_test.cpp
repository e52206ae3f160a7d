// SPDX-License-Identifier: Apache-2.0
#include "core/index/document_order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <tuple>

namespace souk::index {
namespace {

RC_GTEST_PROP(DocumentOrder, IsByLevelOfTheGroupThenGroupThenKey, ()) {
  const auto size = *rc::gen::inRange<size_t>(0, 60);
  std::vector<DocumentPlace> places;
  std::map<DocKey, uint8_t> best;
  for (size_t i = 0; i < size; ++i) {
    const DocumentPlace place{DocKey(*rc::gen::inRange<uint64_t>(1, 20)), DocKey((i * 37) % 61),
                              *rc::gen::inRange<uint8_t>(0, 16), i};
    places.push_back(place);
    best[place.group] = std::max(best[place.group], place.level);
  }
  const std::vector<DocumentPlace> before = places;
  order_documents(places);
  RC_ASSERT(places.size() == size);
  for (size_t i = 0; i < size; ++i) {
    RC_ASSERT(places[i].level == best[places[i].group]);
    RC_ASSERT(places[i].key == before[places[i].source].key);
    RC_ASSERT(places[i].group == before[places[i].source].group);
    if (i == 0) continue;
    const auto place = [](const DocumentPlace& p) { return std::tuple(-p.level, p.group, p.key); };
    RC_ASSERT(place(places[i - 1]) < place(places[i]));
  }
}

}  // namespace
}  // namespace souk::index
