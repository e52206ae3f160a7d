// SPDX-License-Identifier: Apache-2.0
// souk-bench-offers: an offer store of any size, without feeds and without control, to measure `souk-indexer build` on.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>

#include "bench/build/offer_maker.h"
#include "core/base/clock.h"
#include "indexer/offers/offer_store.h"

namespace souk::bench {
namespace {

struct Options {
  uint32_t offers = 1'000'000;
  uint32_t shops = 20;
  uint64_t seed = 1;
  std::string data;
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
