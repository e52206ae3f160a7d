// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "bench/datasets/titles.h"
#include "indexer/feed/offer.h"

namespace souk::bench {

// An offer has about 9 words in its title, 5 params and 25 words of description.
class OfferMaker {
 public:
  OfferMaker(uint64_t seed, uint32_t offers) : seed_(seed), titles_(seed, offers), words_(kWords, 1.0) {}

  feed::Offer make(uint32_t number) {
    titles_.make(number, title_);
    Random random(seed_ ^ (uint64_t{number} << 20));
    feed::Offer offer;
    offer.line = 1;
    offer.id = std::to_string(number);
    offer.type = "simplified";
    for (const WordId word : title_.words) offer.name += (offer.name.empty() ? "" : " ") + titles_.spell(word);
    if (offer.name.empty()) offer.name = "offer";
    offer.url = "https://shop.example/p/" + offer.id;
    offer.vendor = "Vendor " + titles_.spell(kWords + title_.vendor);
    offer.vendor_code = "M" + std::to_string(title_.model);
    offer.currency = "RUB";
    offer.category_id = std::to_string(title_.category);
    offer.category_path = {"Department " + std::to_string(title_.category % 20),
                           "Category " + std::to_string(title_.category)};
    if (title_.quality > 3) offer.pictures = {"https://shop.example/i/" + offer.id + ".jpg"};
    for (uint64_t i = random.between(3, 7); i > 0; --i) {
      const uint64_t name = (title_.category + random.below(8)) % kParamNames;
      offer.params.push_back({"param " + std::to_string(name), std::to_string(random.below(30 + name * 10)), "mm"});
    }
    for (uint64_t i = random.between(10, 40); i > 0; --i) offer.description += titles_.spell(words_.pick(random)) + " ";
    offer.price = static_cast<int64_t>(title_.price);
    offer.available = title_.quality % 4 != 0;
    if (!offer.available) offer.availability = feed::Availability::kOutOfStock;
    return offer;
  }

 private:
  static constexpr uint32_t kWords = 100'000;  // the frequent ones of Titles
  static constexpr uint64_t kParamNames = 40;

  uint64_t seed_;
  Titles titles_;
  Zipf words_;
  Title title_;
};

}  // namespace souk::bench
