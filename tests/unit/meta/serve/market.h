// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/world/world.h"

namespace souk::meta_serve {

// EAN-13 of a model.
inline std::string barcode(uint32_t model) {
  std::string digits = std::to_string(460'000'100'000 + model);
  uint32_t sum = 0;
  for (size_t i = 0; i < digits.size(); ++i) sum += static_cast<uint32_t>(digits[i] - '0') * (i % 2 == 0 ? 1 : 3);
  return digits + std::to_string((10 - sum % 10) % 10);
}

// A small market with everything that queries can ask for: models in several shops, a tree of categories, params,
// discounts, offers out of stock. The same call gives the same offers.
inline std::vector<feed::Offer> market_offers(uint32_t shop, uint32_t offers) {
  static const std::vector<std::string> kKinds = {"Лампа", "Чайник", "Ноутбук", "Кабель", "Чехол"};
  static const std::vector<std::string> kVendors = {"Sony", "Ёлка", "IKEA", "", "ТД «Свет»"};
  static const std::vector<std::string> kColors = {"белый", "чёрный", "Красный"};
  static const std::vector<std::vector<std::string>> kPaths = {
      {"Дом", "Свет"}, {"Дом", "Кухня"}, {"Техника", "Компьютеры"}, {"Техника"}, {"Дом"}};
  std::vector<feed::Offer> list;
  for (uint32_t i = 0; i < offers; ++i) {
    const uint32_t model = i * 7 % 40;
    feed::Offer offer = world::make_offer(std::to_string(i), "");
    offer.name = kKinds[model % 5] + " " + kVendors[model % 5] + " серия " + std::to_string(model % 9);
    offer.vendor = kVendors[model % 5];
    if (!offer.vendor.empty()) {
      offer.vendor_code = "M-" + std::to_string(model);
      offer.barcodes = {barcode(model)};
    }
    offer.category_path = kPaths[model % 5];
    offer.params = {{"Цвет", kColors[(model + i) % 3], ""}, {"Вес", std::to_string(100 * (model % 4 + 1)), "г"}};
    offer.price = 100 * (1000 + (i * 37 + shop * 11) % 500);
    if (i % 3 == 0) offer.old_price = offer.price + 100 * (i % 50 + 1);
    offer.available = i % 5 != 0;
    if (i % 2 == 0) offer.pictures = {"https://shop.example/" + std::to_string(i) + ".jpg"};
    offer.description = i % 4 == 0 ? "Подарок для бабушки, в коробке с бантом" : "Обычное описание товара";
    list.push_back(std::move(offer));
  }
  return list;
}

inline void fill(world::World& world) {
  for (uint32_t shop = 1; shop <= 3; ++shop) world.put_offers("shop-" + std::to_string(shop), market_offers(shop, 60));
  world.activate();
}

// A market with currencies, regions and places.
inline constexpr const char* kRules = R"(
[currencies]
USD = 92.5
BYN = 28
[[regions]]
name = "Россия"
[[regions]]
name = "Москва"
parent = "Россия"
[[regions]]
name = "Химки"
parent = "Москва"
[[regions]]
name = "Беларусь"
[[places]]
name = "ikea"
vendor = ["IKEA", "Никто"]
shop = ["here", "moscow", "shop-1", "shop-4"]
in_stock = true
adult = false
[[places]]
name = "moscow"
region = ["Москва"]
[[places]]
name = "cheap"
sorts = ["price", "newest"]
facets = ["shop"]
group = "offer"
per_page = 2
[[places]]
name = "many"
per_page = 100
)";

inline void set_regions(world::World& world, const std::string& shop, std::vector<std::string> regions) {
  const auto found = world.store().find_shop(shop);
  if (!found || !*found) throw std::runtime_error("no such shop: " + shop);
  offers::ShopSettings settings = (*found)->settings;
  settings.regions = std::move(regions);
  if (!world.store().save_settings((*found)->number, settings)) throw std::runtime_error("settings were not saved");
}

// The market above, and a shop whose prices are in dollars, with all kinds of delivery; for kRules.
inline void fill_with_rules(world::World& world) {
  for (uint32_t shop = 1; shop <= 4; ++shop) {
    std::vector<feed::Offer> offers = market_offers(shop, 60);
    for (size_t i = 0; i < offers.size(); ++i) {
      if (shop == 4) {
        offers[i].currency = "USD";
        offers[i].price /= 90;
        offers[i].old_price /= 90;
      }
      if (i % 3 == 0) offers[i].delivery.pickup = true;
      if (i % 5 == 0) offers[i].delivery.delivery = false;
      if (i % 4 == 0) offers[i].delivery.delivery_options = {{.cost = static_cast<int64_t>(i % 8 * 100)}};
      offers[i].adult = i % 7 == 0;
    }
    world.put_offers("shop-" + std::to_string(shop), std::move(offers));
  }
  set_regions(world, "shop-2", {"Москва"});
  set_regions(world, "shop-3", {"Беларусь", "Атлантида"});
  set_regions(world, "shop-4", {"Россия"});
  world.activate();
}

// Texts of an array's members.
inline std::vector<std::string> texts(const boost::json::value& array, const char* member) {
  std::vector<std::string> out;
  for (const boost::json::value& value : array.as_array()) out.emplace_back(value.at(member).as_string());
  return out;
}

inline std::string error_argument(const world::Answer& answer) {
  return std::string(answer.body.at("error").at("argument").as_string());
}

}  // namespace souk::meta_serve
