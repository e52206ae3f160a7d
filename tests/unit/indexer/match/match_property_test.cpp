// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "indexer/match/match_models.h"
#include "tests/unit/indexer/match/fake_store.h"

namespace souk::match {
namespace {

struct Sold {
  uint32_t shop;
  feed::Offer offer;
};

constexpr std::array kBarcodes = {"4006381333931", "0735858149778", "5032037002882", "2000000000015"};
constexpr std::array kVendors = {"", "Норвик", "ООО Норвик", "Sony"};
constexpr std::array kCodes = {"", "LX-1000", "lx 1000", "ZB-77", "без"};
constexpr std::array kNames = {"Лампа", "Лампа красная", "Лампа синяя", "Лампа 5 м", "Lamp 5 m black"};
constexpr std::array kGroups = {"", "", "g1", "g2"};

template <typename T, size_t N>
T pick(const std::array<T, N>& values) {
  return values[*rc::gen::inRange<size_t>(0, N)];
}

Sold random_sold(uint32_t shop, int number) {
  Sold sold{shop, plain_offer(std::to_string(number), pick(kNames))};
  const int barcodes = *rc::gen::inRange(0, 3);
  for (int i = 0; i < barcodes; ++i) sold.offer.barcodes.emplace_back(pick(kBarcodes));
  sold.offer.vendor = pick(kVendors);
  sold.offer.vendor_code = pick(kCodes);
  sold.offer.group_id = pick(kGroups);
  return sold;
}

std::vector<Sold> random_world() {
  std::vector<Sold> world;
  const int offers = *rc::gen::inRange(0, 14);
  for (int i = 0; i < offers; ++i) world.push_back(random_sold(*rc::gen::inRange<uint32_t>(1, 5), i));
  return world;
}

// The rules once more, by comparing each offer with each. Written for these worlds: two makers, names as above.
class Naive {
 public:
  explicit Naive(const std::vector<Sold>& world) : world_(world), part_(world.size()) {
    std::iota(part_.begin(), part_.end(), size_t{0});
    const auto barcoded = links([&](size_t a, size_t b) { return share_barcode(a, b); });
    apply(barcoded);
    const auto by_barcode = part_;
    apply(links(
        [&](size_t a, size_t b) { return code(a) != "" && code(a) == code(b) && code_holds(code(a), by_barcode); }));
    const auto by_code = part_;
    apply(links([&](size_t a, size_t b) { return share_group(a, b, by_barcode, by_code); }));
  }
  const std::vector<size_t>& part() const { return part_; }
  bool has_model(size_t a) const {
    const feed::Offer& offer = world_[a].offer;
    return !offer.barcodes.empty() || !code(a).empty() || !offer.group_id.empty();
  }

 private:
  template <typename Same>
  std::vector<std::pair<size_t, size_t>> links(Same same) const {
    std::vector<std::pair<size_t, size_t>> found;
    for (size_t a = 0; a < world_.size(); ++a) {
      for (size_t b = 0; b < a; ++b) {
        if (same(a, b)) found.emplace_back(a, b);
      }
    }
    return found;
  }
  void apply(const std::vector<std::pair<size_t, size_t>>& found) {
    for (const auto& [a, b] : found) std::ranges::replace(part_, size_t{part_[a]}, size_t{part_[b]});
  }

  std::string maker(size_t a) const {
    const std::string& vendor = world_[a].offer.vendor;
    return vendor == "ООО Норвик" ? "Норвик" : vendor;
  }
  std::string code(size_t a) const {
    const std::string& code = world_[a].offer.vendor_code;
    if (maker(a).empty() || code.empty() || code == "без") return "";
    return maker(a) + (code == "ZB-77" ? "zb77" : "lx1000");
  }
  static bool bears(const feed::Offer& offer, std::string_view barcode) {
    return std::ranges::find(offer.barcodes, barcode) != offer.barcodes.end();
  }
  // Whether the offer's barcode is evidence, seen over the whole world.
  bool barcode_holds(size_t a, std::string_view barcode) const {
    std::map<std::string, std::set<uint32_t>> shops;
    for (size_t b = 0; b < world_.size(); ++b) {
      if (!bears(world_[b].offer, barcode) || maker(b).empty()) continue;
      if (barcode.front() == '2' && world_[a].shop != world_[b].shop) continue;
      shops[maker(b)].insert(world_[b].shop);
    }
    if (shops.size() < 2) return true;
    const size_t x = shops["Норвик"].size();
    const size_t y = shops["Sony"].size();
    if (std::max(x, y) * 4 < (x + y) * 3) return false;
    return maker(a).empty() || maker(a) == (x > y ? "Норвик" : "Sony");
  }
  bool share_barcode(size_t a, size_t b) const {
    return std::ranges::any_of(world_[a].offer.barcodes, [&](const std::string& barcode) {
      const bool ours = barcode.front() != '2' || world_[a].shop == world_[b].shop;
      return ours && bears(world_[b].offer, barcode) && barcode_holds(a, barcode) && barcode_holds(b, barcode);
    });
  }
  bool is_told(size_t a, bool anywhere) const {
    return std::ranges::any_of(world_[a].offer.barcodes, [&](const std::string& barcode) {
      return (anywhere || barcode.front() != '2') && barcode_holds(a, barcode);
    });
  }
  bool code_holds(const std::string& code, const std::vector<size_t>& part) const {
    std::vector<size_t> all;
    for (size_t a = 0; a < world_.size(); ++a) {
      if (this->code(a) == code) all.push_back(a);
    }
    const auto told = [&](size_t part_of) {
      for (size_t a = 0; a < world_.size(); ++a) {
        if (part[a] == part_of && is_told(a, false)) return true;
      }
      return false;
    };
    bool is_style = false;
    for (const size_t a : all) {
      for (const size_t b : all) {
        if (part[a] == part[b]) continue;
        if (told(part[a]) && told(part[b])) return false;
        if (world_[a].shop != world_[b].shop) continue;
        is_style = true;
        for (const size_t c : all) {
          if (world_[c].shop != world_[a].shop) continue;
          if (world_[c].offer.group_id.empty() || world_[c].offer.group_id != world_[a].offer.group_id) return false;
        }
      }
    }
    for (const size_t a : all) {
      for (const size_t b : all) {
        if (part[a] != part[b] && !is_style && contrary(world_[a].offer.name, world_[b].offer.name)) return false;
      }
    }
    return true;
  }
  static bool contrary(const std::string& a, const std::string& b) {
    const auto colour = [](const std::string& name) {
      if (name == "Лампа красная") return 1;
      if (name == "Лампа синяя") return 2;
      return name == "Lamp 5 m black" ? 3 : 0;
    };
    return colour(a) != 0 && colour(b) != 0 && colour(a) != colour(b);
  }
  bool share_group(size_t a, size_t b, const std::vector<size_t>& by_barcode,
                   const std::vector<size_t>& by_code) const {
    const std::string& group = world_[a].offer.group_id;
    if (group.empty() || group != world_[b].offer.group_id || world_[a].shop != world_[b].shop) return false;
    const auto known = [&](size_t c) { return is_told(c, true) || (code(c) != "" && code_holds(code(c), by_barcode)); };
    std::set<size_t> products;
    for (size_t c = 0; c < world_.size(); ++c) {
      if (world_[c].offer.group_id == group && world_[c].shop == world_[a].shop && known(c))
        products.insert(by_code[c]);
    }
    return products.size() < 2 || (!known(a) && !known(b));
  }

  const std::vector<Sold>& world_;
  std::vector<size_t> part_;
};

MatchResult match(FakeStore& store, const ModelRules& rules = {}) {
  const auto result = match_models(store, rules);
  RC_ASSERT(result.has_value());
  return *result;
}

RC_GTEST_PROP(MatchProperty, GivesWhatComparingAllWithAllGives, ()) {
  const std::vector<Sold> world = random_world();
  FakeStore store;
  std::vector<DocKey> keys;
  for (const Sold& sold : world) keys.push_back(store.put(sold.shop, sold.offer));
  match(store);
  const Naive naive(world);
  for (size_t a = 0; a < world.size(); ++a) {
    const DocKey model = store.at(keys[a]).model;
    RC_ASSERT(static_cast<bool>(model) == naive.has_model(a));
    RC_ASSERT((store.at(keys[a]).link.kind != offers::LinkReason::Kind::kNone) == static_cast<bool>(model));
    for (size_t b = 0; b < a; ++b) {
      const bool one = model && model == store.at(keys[b]).model;
      RC_ASSERT(one == (naive.part()[a] == naive.part()[b]));
    }
  }
}

// Rules too: the partition is the same whatever order the offers came in.
RC_GTEST_PROP(MatchProperty, TheOrderOfFeedsDoesNotMatter, ()) {
  const std::vector<Sold> world = random_world();
  ModelRules rules;
  if (world.size() > 3) {
    const auto name = [&](size_t i) { return "shop" + std::to_string(world[i].shop) + "/" + world[i].offer.id; };
    rules.split = {{"s", {name(0), name(1), name(2)}}};
    rules.joined = {{"j", {name(3), name(world.size() - 1)}}};
  }
  std::vector<size_t> order(world.size());
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[*rc::gen::inRange<size_t>(0, i)]);

  FakeStore first;
  FakeStore second;
  std::vector<DocKey> keys(world.size());
  std::vector<DocKey> others(world.size());
  for (size_t i = 0; i < world.size(); ++i) keys[i] = first.put(world[i].shop, world[i].offer);
  for (const size_t i : order) others[i] = second.put(world[i].shop, world[i].offer);
  match(first, rules);
  match(second, rules);
  for (size_t a = 0; a < world.size(); ++a) {
    RC_ASSERT(first.at(keys[a]).link == second.at(others[a]).link);
    for (size_t b = 0; b < a; ++b) {
      RC_ASSERT((first.at(keys[a]).model == first.at(keys[b]).model) ==
                (second.at(others[a]).model == second.at(others[b]).model));
    }
  }
  if (!rules.split.empty()) {
    for (size_t a = 0; a < 3; ++a) {
      for (size_t b = 0; b < a; ++b) {
        RC_ASSERT((!first.at(keys[a]).model || first.at(keys[a]).model != first.at(keys[b]).model));
      }
    }
  }
}

RC_GTEST_PROP(MatchProperty, WhatGoesAndComesBackChangesNothing, ()) {
  const std::vector<Sold> world = random_world();
  RC_PRE(!world.empty());
  FakeStore store;
  std::vector<DocKey> keys;
  for (const Sold& sold : world) keys.push_back(store.put(sold.shop, sold.offer));
  match(store);
  std::vector<DocKey> before;
  for (const DocKey key : keys) before.push_back(store.at(key).model);

  const size_t gone = *rc::gen::inRange<size_t>(0, world.size());
  const bool seen_gone = *rc::gen::arbitrary<bool>();
  store.remove(keys[gone]);
  if (seen_gone) match(store);
  store.put(world[gone].shop, world[gone].offer);
  const uint64_t relinked = match(store).relinked;
  // What an offer's absence had merged (its shop no longer named two products by one code) parts again under new keys.
  for (size_t a = 0; a < keys.size(); ++a) {
    const DocKey now = store.at(keys[a]).model;
    RC_ASSERT(seen_gone || now == before[a]);
    for (size_t b = 0; b < a; ++b) {
      RC_ASSERT((now == store.at(keys[b]).model) == (before[a] == before[b]));
    }
  }
  RC_ASSERT(seen_gone || relinked == 0U);
  RC_ASSERT(match(store).relinked == 0U);
}

// Without evidence against evidence, keys come back too.
RC_GTEST_PROP(MatchProperty, WhatBarcodesJoinComesBackUnderItsKeys, ()) {
  FakeStore store;
  std::vector<Sold> world;
  for (int i = *rc::gen::inRange(1, 12); i > 0; --i) {
    world.push_back(
        {*rc::gen::inRange<uint32_t>(1, 5), barcode_offer(std::to_string(i), {pick(kBarcodes), pick(kBarcodes)})});
  }
  std::vector<DocKey> keys;
  for (const Sold& sold : world) keys.push_back(store.put(sold.shop, sold.offer));
  match(store);
  std::vector<DocKey> before;
  for (const DocKey key : keys) before.push_back(store.at(key).model);
  const size_t gone = *rc::gen::inRange<size_t>(0, world.size());
  store.remove(keys[gone]);
  match(store);
  store.put(world[gone].shop, world[gone].offer);
  match(store);
  for (size_t i = 0; i < keys.size(); ++i) RC_ASSERT(store.at(keys[i]).model == before[i]);
}

// A key once given to a model is never that of offers that had nothing to do with it.
RC_GTEST_PROP(MatchProperty, AModelsKeyStaysWithSomeOfItsOffers, ()) {
  FakeStore store;
  const std::vector<Sold> world = random_world();
  std::vector<DocKey> keys;
  for (const Sold& sold : world) keys.push_back(store.put(sold.shop, sold.offer));
  match(store);
  for (int step = 0; step < 3; ++step) {
    std::map<DocKey, std::set<DocKey>> before;
    for (const DocKey key : keys) before[store.at(key).model].insert(key);
    for (size_t i = 0; i < world.size(); ++i) {
      if (*rc::gen::inRange(0, 3) != 0) continue;
      store.put(world[i].shop, random_sold(world[i].shop, static_cast<int>(i)).offer);
    }
    const auto known = store.models().value();
    match(store);
    std::map<DocKey, std::set<DocKey>> after;
    for (const DocKey key : keys) after[store.at(key).model].insert(key);
    for (const auto& [model, offers] : after) {
      if (!model || std::ranges::find(known, model, &offers::StoredModel::key) == known.end()) continue;
      std::vector<DocKey> stayed;
      std::ranges::set_intersection(before[model], offers, std::back_inserter(stayed));
      RC_ASSERT(!stayed.empty());
    }
  }
}

}  // namespace
}  // namespace souk::match
