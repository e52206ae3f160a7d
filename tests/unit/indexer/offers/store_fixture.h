// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "indexer/offers/offer_store.h"
#include "runtime/testing/fake_clock.h"
#include "tests/world/temporary_folder.h"

namespace souk::offers {

using world::TemporaryFolder;

inline feed::Offer make_offer(const std::string& id, const std::string& name = "Лампа") {
  feed::Offer offer;
  offer.line = 7;
  offer.id = id;
  offer.type = "simplified";
  offer.name = name;
  offer.currency = "RUB";
  offer.category_id = "2";
  offer.category_path = {"Дом", "Лампы"};
  offer.price = 10000;
  return offer;
}

// What the store gives; an error ends the test.
template <typename T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(to_string(result.error()));
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

// A store with its clock.
struct World {
  using Open = std::function<Result<std::unique_ptr<OfferStore>>(const std::string& folder, const Clock& clock)>;

  World() : World(open_rocksdb_store) {}
  explicit World(Open how) : open(std::move(how)) { reopen(); }

  void reopen() {
    store.reset();
    store = must(open((folder.path() / "offers").string(), clock));
  }

  Shop shop(uint32_t number) { return must(store->put_shop(number, "shop-" + std::to_string(number))); }

  Difference apply(const Shop& shop, std::vector<feed::Offer> offers, const std::string& hash = "h") {
    auto update = must(store->begin(shop));
    for (feed::Offer& offer : offers) must(update->put(std::move(offer)));
    const Difference difference = must(update->difference());
    must(update->commit({"Shop", "Company", "https://shop.example/", "", "RUB", {}}, hash));
    return difference;
  }

  // Makes offers with the same first barcode one model.
  void link_barcodes() {
    std::map<std::string, std::vector<DocKey>> offers;
    std::map<std::string, DocKey> models;
    for (const StoredOffer& offer : all()) {
      if (offer.offer.barcodes.empty()) continue;
      offers[offer.offer.barcodes.front()].push_back(offer.key);
      if (offer.model) models[offer.offer.barcodes.front()] = offer.model;
    }
    const auto relink = must(store->begin_relink());
    for (const auto& [barcode, keys] : offers) {
      DocKey& model = models[barcode];
      if (!model) model = must(relink->new_model("model:b:" + barcode));
      for (const DocKey key : keys) must(relink->link(key, model, {LinkReason::Kind::kBarcode, barcode}));
    }
    must(relink->commit());
  }

  // All offers, in the order of keys.
  std::vector<StoredOffer> all() {
    std::vector<StoredOffer> offers;
    must(store->scan([&](const StoredOffer& offer) -> Status {
      offers.push_back(offer);
      return {};
    }));
    return offers;
  }

  testing::FakeClock clock{1000};
  TemporaryFolder folder;
  Open open;
  std::unique_ptr<OfferStore> store;
};

}  // namespace souk::offers
