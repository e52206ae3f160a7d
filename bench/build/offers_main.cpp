// SPDX-License-Identifier: Apache-2.0
// souk-bench-offers: an offer store of any size, without feeds and without control, to measure `souk-indexer build` on.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>

#include "bench/datasets/titles.h"
#include "core/base/clock.h"
#include "indexer/offers/offer_store.h"

namespace souk::bench {
namespace {

constexpr uint32_t kWords = 100'000;  // the frequent ones of Titles
constexpr uint64_t kParamNames = 40;

struct Options {
  uint32_t offers = 1'000'000;
  uint32_t shops = 20;
  uint64_t seed = 1;
  std::string data;
};

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
  uint64_t seed_;
  Titles titles_;
  Zipf words_;
  Title title_;
};

Status fill(const Options& options) {
  std::error_code error;
  std::filesystem::create_directories(options.data, error);
  if (error) return fail(ErrorCode::kUnavailable, error.message(), options.data);
  auto store = offers::open_rocksdb_store(options.data + "/offers", real_clock());
  if (!store) return std::unexpected(store.error());
  OfferMaker maker(options.seed, options.offers);
  for (uint32_t number = 1; number <= options.shops; ++number) {
    const auto shop = (*store)->put_shop(number, "shop-" + std::to_string(number));
    if (!shop) return std::unexpected(shop.error());
    auto update = (*store)->begin(*shop);
    if (!update) return std::unexpected(update.error());
    for (uint32_t i = number - 1; i < options.offers; i += options.shops) {
      if (Status done = (*update)->put(maker.make(i)); !done) return done;
    }
    const auto difference = (*update)->difference();
    if (!difference) return std::unexpected(difference.error());
    const feed::FeedHeader header{shop->name, shop->name, "https://shop.example/", "", "RUB", {}};
    if (Status done = (*update)->commit(header, "made"); !done) return done;
    fmt::print(stderr, "shop {} of {}: {} offers\n", number, options.shops, difference->added);
  }
  return {};
}

int run(int argc, char** argv) {
  CLI::App app("souk-bench-offers: fills DATA/offers with made-up offers");
  Options options;
  app.add_option("--offers", options.offers, "default 1000000")->check(CLI::Range(1U, 100'000'000U));
  app.add_option("--shops", options.shops, "default 20")->check(CLI::Range(1U, 10'000U));
  app.add_option("--seed", options.seed, "default 1");
  app.add_option("--data", options.data, "the world's folder")->required();
  CLI11_PARSE(app, argc, argv);
  const Status done = fill(options);
  if (!done) fmt::print(stderr, "souk-bench-offers: {}\n", to_string(done.error()));
  return done ? 0 : 1;
}

}  // namespace
}  // namespace souk::bench

int main(int argc, char** argv) {
  try {
    return souk::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "souk-bench-offers: %s\n", error.what());
    return 1;
  }
}
