// SPDX-License-Identifier: Apache-2.0
#include "indexer/sample/shops.h"

#include <fmt/core.h>

#include <algorithm>

namespace souk::sample {
namespace {

constexpr ShopSpec kShops[] = {
    {.name = "Теремок", .company = "ООО «Теремок»", .host = "teremok.example", .delivery_cost = 0},
    {"Лавка 24", "ООО «Лавка»", "lavka24.example", Language::kRussian, TitleStyle::kBrandLast},
    {"Старый город", "ИП Соколов А. В.", "oldtown.example", Language::kRussian, TitleStyle::kNounFirst,
     Encoding::kWindows1251},
    {"Гостиный ряд", "АО «Гостиный ряд»", "gostiny.example", Language::kRussian, TitleStyle::kVendorModel},
    {"Кот и пёс", "ООО «Кот и пёс»", "catdog.example", Language::kRussian, TitleStyle::kNounFirst, Encoding::kUtf8,
     false},
    {"Мегаполис", "ООО «Мегаполис Трейд»", "megapolis.example", Language::kRussian, TitleStyle::kBrandLast},
    {.name = "Северный базар", .company = "ООО «Северный базар»", .host = "nbazar.example", .pickup = true},
    {"Детский мир чудес", "ООО «Чудеса»", "chudesa.example"},
    {"Alder Street", "Alder Street Ltd", "alderstreet.example", Language::kEnglish},
    {"Blue Harbour", "Blue Harbour Trading Ltd", "blueharbour.example", Language::kEnglish, TitleStyle::kBrandLast},
    {"Corner & Co", "Corner & Co LLP", "corner.example", Language::kEnglish, TitleStyle::kNounFirst, Encoding::kUtf8,
     false},
    {.name = "Dry Dock Outlet",
     .company = "Dry Dock Outlet Inc",
     .host = "drydock.example",
     .language = Language::kEnglish,
     .style = TitleStyle::kVendorModel,
     .delivery_cost = 15,
     .currency = "USD",
     .rate = 9250}};

// Hundredths of roubles -> of the shop's currency.
int64_t in_own_currency(int64_t kopecks, const ShopSpec& shop) {
  return std::max<int64_t>(1, kopecks * 100 / shop.rate);
}

int64_t draw_price(int64_t roubles, Random& random) {
  const int64_t kopecks = roubles * static_cast<int64_t>(880 + random.below(241)) / 10;  // -12 % .. +12 %
  if (random.chance(70)) return kopecks / 1000 * 1000 + 900;                             // ...9 roubles sharp
  return kopecks < 100 ? 100 : kopecks;
}

}  // namespace

std::span<const ShopSpec> shop_specs() {
  return kShops;
}

std::vector<std::vector<ShopOffer>> make_offers(const std::vector<Model>& models, Random& random) {
  std::vector<std::vector<ShopOffer>> offers(std::size(kShops));
  uint64_t group = 0;
  for (const Model& model : models) {
    for (const size_t shop : model.shops) {
      ++group;
      for (size_t variant = 0; variant < model.variants; ++variant) {
        ShopOffer offer;
        offer.model = &model;
        offer.variant = variant;
        offer.id = fmt::format("{}{}", static_cast<char>('A' + shop), 10'000 + offers[shop].size());
        if (model.identity == Identity::kGroup) offer.group_id = fmt::format("{}", 500'000 + group);
        offer.price = in_own_currency(draw_price(model.price, random), kShops[shop]);
        if (random.chance(20)) offer.old_price = offer.price * static_cast<int64_t>(106 + random.below(40)) / 100;
        offer.available = !random.chance(10);
        offers[shop].push_back(std::move(offer));
      }
    }
  }
  return offers;
}

}  // namespace souk::sample
