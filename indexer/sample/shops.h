// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/sample/catalogue.h"
#include "indexer/sample/models.h"
#include "indexer/sample/random.h"

namespace souk::sample {

enum class Encoding { kUtf8, kWindows1251 };
enum class TitleStyle { kNounFirst, kBrandLast, kVendorModel };

struct ShopSpec {
  std::string_view name;
  std::string_view company;
  std::string_view host;
  Language language = Language::kRussian;
  TitleStyle style = TitleStyle::kNounFirst;
  Encoding encoding = Encoding::kUtf8;
  bool packed = true;           // gzip
  int64_t delivery_cost = 300;  // of its currency; 0 = free
  bool pickup = false;          // for nothing, the next day
  std::string_view currency = "RUB";
  int64_t rate = 100;  // hundredths of a rouble for one unit of it
};

// The Russian shops come first.
std::span<const ShopSpec> shop_specs();

// A model as one shop sells it.
struct ShopOffer {
  const Model* model = nullptr;
  size_t variant = 0;
  std::string id;
  std::string group_id;   // empty when there is none
  int64_t price = 0;      // hundredths of the shop's currency
  int64_t old_price = 0;  // 0 = none
  bool available = true;
};

// Offers per shop, in the order of shop_specs().
std::vector<std::vector<ShopOffer>> make_offers(const std::vector<Model>& models, Random& random);

}  // namespace souk::sample
