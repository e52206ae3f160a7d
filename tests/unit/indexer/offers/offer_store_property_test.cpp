// SPDX-License-Identifier: Apache-2.0
// Random histories of feeds against a map.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "tests/unit/indexer/offers/store_fixture.h"

namespace souk::offers {
namespace {

struct Known {
  DocKey key;
  int64_t first_seen = 0;
  std::string name;  // empty = gone
};
using Catalogue = std::map<std::pair<uint32_t, std::string>, Known>;

// One feed of a shop: ids with names, sometimes dropped before commit, sometimes reopened after it.
void step(World& world, Catalogue& catalogue) {
  const uint32_t number = *rc::gen::inRange<uint32_t>(1, 3);
  const Shop shop = world.shop(number);
  const auto ids = *rc::gen::resize(6, rc::gen::container<std::set<int>>(rc::gen::inRange(0, 8)));
  const bool committed = *rc::gen::weightedElement<bool>({{4, true}, {1, false}});
  world.clock.advance(std::chrono::seconds(1));
  auto update = world.store->begin(shop);
  RC_ASSERT(update.has_value());
  Difference expected;
  std::map<std::string, std::string> names;
  for (const int id : ids) {
    const std::string name = *rc::gen::element(std::string("a"), std::string("b"));
    names[std::to_string(id)] = name;
    feed::Offer offer = make_offer(std::to_string(id), name);
    offer.barcodes = {"460000000000" + std::to_string(id)};
    RC_ASSERT((*update)->put(std::move(offer)).has_value());
  }
  if (!committed) return;
  for (auto& [place, known] : catalogue) {
    if (place.first != number || known.name.empty() || names.contains(place.second)) continue;
    known.name.clear();
    ++expected.removed;
  }
  for (const auto& [id, name] : names) {
    Known& known = catalogue[{number, id}];
    if (known.name.empty()) {
      ++expected.added;
    } else if (known.name != name) {
      ++expected.changed;
    }
    if (known.first_seen == 0) known.first_seen = world.clock.unix_seconds();
    known.name = name;
  }
  const auto difference = (*update)->commit({}, "h");
  RC_ASSERT(difference.has_value());
  RC_ASSERT(difference->added == expected.added);
  RC_ASSERT(difference->changed == expected.changed);
  RC_ASSERT(difference->removed == expected.removed);
  update->reset();
  if (*rc::gen::weightedElement<bool>({{1, true}, {4, false}})) world.reopen();
}

// The store holds just what the catalogue says; keys never change and are never shared.
void check(World& world, Catalogue& catalogue) {
  size_t live = 0;
  for (const auto& [place, known] : catalogue) live += known.name.empty() ? 0 : 1;
  const auto offers = world.all();
  RC_ASSERT(offers.size() == live);
  std::map<std::string, DocKey> models;
  for (const StoredOffer& offer : offers) {
    Known& known = catalogue[{offer.shop, offer.offer.id}];
    RC_ASSERT(offer.offer.name == known.name);
    RC_ASSERT(offer.first_seen == known.first_seen);
    if (!known.key) known.key = offer.key;
    RC_ASSERT(offer.key == known.key);
    const auto [place, is_new] = models.try_emplace(offer.offer.barcodes.front(), offer.model);
    RC_ASSERT(is_new || place->second == offer.model);
  }
  std::set<DocKey> keys;
  for (const auto& [place, known] : catalogue) {
    if (known.key) RC_ASSERT(keys.insert(known.key).second);
  }
}

RC_GTEST_PROP(OfferStoreProperty, IsAMapWithPermanentKeys, ()) {
  World world;
  Catalogue catalogue;
  const int steps = *rc::gen::inRange(1, 8);
  for (int i = 0; i < steps; ++i) {
    step(world, catalogue);
    check(world, catalogue);
  }
}

}  // namespace
}  // namespace souk::offers
