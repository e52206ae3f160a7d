// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "indexer/offers/offer_store.h"
#include "runtime/testing/fake_clock.h"

namespace souk::offers {

// A folder of its own that goes away with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "souk-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code problem;
    std::filesystem::remove_all(path_, problem);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

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

struct World {
  World() { reopen(); }

  void reopen() {
    store.reset();
    auto opened = open_rocksdb_store((folder.path() / "offers").string(), clock);
    ASSERT_TRUE(opened) << to_string(opened.error());
    store = std::move(*opened);
  }

  Shop shop(uint32_t number) {
    auto shop = store->put_shop(number, "shop-" + std::to_string(number));
    EXPECT_TRUE(shop) << to_string(shop.error());
    return *shop;
  }

  Difference apply(const Shop& shop, std::vector<feed::Offer> offers, const std::string& hash = "h") {
    auto update = store->begin(shop);
    EXPECT_TRUE(update) << to_string(update.error());
    for (feed::Offer& offer : offers) EXPECT_TRUE((*update)->put(std::move(offer)));
    const auto difference = (*update)->commit({"Shop", "Company", "https://shop.example/", ""}, hash);
    EXPECT_TRUE(difference) << to_string(difference.error());
    return *difference;
  }

  // All offers by shop and id, in the order of keys.
  std::vector<StoredOffer> all() {
    std::vector<StoredOffer> offers;
    const Status read = store->scan([&](const StoredOffer& offer) -> Status {
      offers.push_back(offer);
      return {};
    });
    EXPECT_TRUE(read) << to_string(read.error());
    return offers;
  }

  testing::FakeClock clock{1000};
  TemporaryFolder folder;
  std::unique_ptr<OfferStore> store;
};

}  // namespace souk::offers
