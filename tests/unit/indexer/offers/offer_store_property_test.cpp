// SPDX-License-Identifier: Apache-2.0
// Random histories of feeds and relinks against a map.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <sstream>

#include "core/placement/slots.h"
#include "tests/unit/indexer/offers/databases.h"

namespace souk::offers {
namespace {

struct Known {
  DocKey key, model;
  int64_t first_seen = 0;
  std::string name, category;  // no name = gone
};

// What the store must hold, and a copy that follows its log.
struct Expected {
  std::map<std::pair<uint32_t, std::string>, Known> offers;
  uint64_t revision = 0;
  std::map<DocKey, StoredOffer> copy;
  std::map<uint16_t, uint64_t> positions;  // up to where the copy has read
};

feed::Offer random_offer(const std::string& id) {
  feed::Offer offer = make_offer(id, *rc::gen::element(std::string("a"), std::string("b")));
  offer.category_path = {*rc::gen::element(std::string("Дом"), std::string("дом"), std::string("Сад"))};
  return offer;
}

Difference expect_feed(Expected& expected, uint32_t shop, const std::map<std::string, feed::Offer>& feed, int64_t now) {
  Difference difference;
  for (auto& [place, known] : expected.offers) {
    if (place.first != shop || known.name.empty()) continue;
    ++difference.live_before;
    if (feed.contains(place.second)) continue;
    known.name.clear();
    ++difference.removed;
  }
  for (const auto& [id, offer] : feed) {
    Known& known = expected.offers[{shop, id}];
    const std::string category = offer.category_path[0] == "Сад" ? "Сад" : "Дом";
    if (known.name.empty()) {
      ++difference.added;
    } else {
      ++difference.priced;
      if (known.name != offer.name || known.category != category) ++difference.changed;
    }
    if (known.first_seen == 0) known.first_seen = now;
    known.name = offer.name;
    known.category = category;
  }
  return difference;
}

// One feed of a shop, sometimes dropped before commit.
void apply_step(World& world, Expected& expected) {
  const uint32_t number = *rc::gen::inRange<uint32_t>(1, 3);
  const Shop shop = world.shop(number);
  const auto ids = *rc::gen::resize(6, rc::gen::container<std::set<int>>(rc::gen::inRange(0, 8)));
  world.clock.advance(std::chrono::seconds(1));
  auto update = world.store->begin(shop);
  RC_ASSERT(update.has_value());
  std::map<std::string, feed::Offer> feed;
  for (const int id : ids) {
    feed::Offer offer = random_offer(std::to_string(id));
    feed.emplace(offer.id, offer);
    RC_ASSERT((*update)->put(std::move(offer)).has_value());
  }
  if (!*rc::gen::weightedElement<bool>({{4, true}, {1, false}})) return;
  const Difference wanted = expect_feed(expected, number, feed, world.clock.unix_seconds());
  const auto difference = (*update)->difference();
  RC_ASSERT(difference.has_value());
  RC_ASSERT(difference->added == wanted.added);
  RC_ASSERT(difference->changed == wanted.changed);
  RC_ASSERT(difference->removed == wanted.removed);
  RC_ASSERT(difference->live_before == wanted.live_before);
  RC_ASSERT(difference->priced == wanted.priced);
  RC_ASSERT((*update)->commit({}, "h").has_value());
  expected.revision += wanted.added + wanted.changed + wanted.removed > 0 ? 1 : 0;
}

// Gives some of the offers a new model.
void relink_step(World& world, Expected& expected) {
  auto relink = world.store->begin_relink();
  RC_ASSERT(relink.has_value());
  const auto model = (*relink)->new_model("model:" + std::to_string(*rc::gen::inRange(0, 3)));
  RC_ASSERT(model.has_value());
  std::vector<Known*> linked;
  for (auto& [place, known] : expected.offers) {
    if (!known.key || *rc::gen::arbitrary<bool>()) continue;
    RC_ASSERT((*relink)->link(known.key, *model, {LinkReason::Kind::kRule, "r"}).has_value());
    linked.push_back(&known);
  }
  if (*rc::gen::weightedElement<bool>({{4, false}, {1, true}})) return;
  const auto changed = (*relink)->commit();
  RC_ASSERT(changed.has_value());
  RC_ASSERT(*changed == linked.size());
  for (Known* known : linked) known->model = *model;
  expected.revision += linked.empty() ? 0 : 1;
}

// The store holds just what is expected; keys never change and are never shared.
void check(World& world, Expected& expected) {
  std::map<uint32_t, uint64_t> live;
  for (const auto& [place, known] : expected.offers) live[place.first] += known.name.empty() ? 0 : 1;
  const auto offers = world.all();
  RC_ASSERT(offers.size() == live[1] + live[2]);
  RC_ASSERT(*world.store->offers() == offers.size());
  RC_ASSERT(*world.store->revision() == expected.revision);
  for (const Shop& shop : *world.store->shops()) RC_ASSERT(shop.live_offers == live[shop.number]);
  for (const StoredOffer& offer : offers) {
    Known& known = expected.offers[{offer.shop, offer.offer.id}];
    RC_ASSERT(offer.offer.name == known.name);
    RC_ASSERT(offer.offer.category_path == std::vector<std::string>{known.category} ||
              offer.offer.category_path == std::vector<std::string>{"дом"});
    RC_ASSERT(offer.first_seen == known.first_seen);
    RC_ASSERT(offer.model == known.model);
    if (!known.key) known.key = offer.key;
    RC_ASSERT(offer.key == known.key);
  }
  std::set<DocKey> keys;
  for (const auto& [place, known] : expected.offers) {
    if (known.key) RC_ASSERT(keys.insert(known.key).second);
  }
}

// The copy reads some slots' logs from where it stands, and then equals the catalogue there.
void follow(World& world, Expected& expected) {
  const auto offers = world.all();
  for (const auto& [place, known] : expected.offers) {
    if (!known.key || !*rc::gen::arbitrary<bool>()) continue;
    const uint16_t slot = known.key.slot();
    uint64_t& position = expected.positions[slot];
    const auto changes = world.store->changes(slot, position, 1000);
    RC_ASSERT(changes.has_value());
    for (const Change& change : *changes) {
      RC_ASSERT(change.position == ++position);
      RC_ASSERT(change.key.slot() == slot);
      RC_ASSERT(change.revision <= expected.revision);
      auto found = world.store->find(change.key);
      RC_ASSERT(found.has_value());
      if (*found) {
        expected.copy[change.key] = std::move(**found);
      } else {
        expected.copy.erase(change.key);
      }
    }
    RC_ASSERT(position == *world.store->last_position(slot));
    std::map<DocKey, std::pair<std::string, DocKey>> wanted, got;
    for (const StoredOffer& offer : offers) {
      if (offer.key.slot() == slot) wanted[offer.key] = {offer.offer.name, offer.model};
    }
    for (const auto& [key, offer] : expected.copy) {
      if (key.slot() == slot) got[key] = {offer.offer.name, offer.model};
    }
    RC_ASSERT(got == wanted);
  }
}

void live_through(World& world) {
  Expected expected;
  const int steps = *rc::gen::inRange(1, 8);
  for (int i = 0; i < steps; ++i) {
    if (*rc::gen::weightedElement<bool>({{3, true}, {1, false}})) {
      apply_step(world, expected);
    } else {
      relink_step(world, expected);
    }
    if (*rc::gen::weightedElement<bool>({{1, true}, {4, false}})) world.reopen();
    check(world, expected);
    if (*rc::gen::arbitrary<bool>()) follow(world, expected);
  }
}

using OfferStoreProperty = DatabaseTest;
SOUK_ON_ALL_DATABASES(OfferStoreProperty);

TEST_P(OfferStoreProperty, IsAMapWithPermanentKeysAndALog) {
  world().store.reset();
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess /= 4;  // each commit waits for the disk
  const auto result = rc::detail::checkTestable(
      [] {
        World fresh(opener(GetParam()));
        live_through(fresh);
      },
      rc::detail::TestMetadata(), params);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << message.str();
}

}  // namespace
}  // namespace souk::offers
