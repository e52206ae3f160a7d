// SPDX-License-Identifier: Apache-2.0
// souk-bench-store: how long one shop's feed takes to be compared with and written to the offer store, in either
// database.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <pqxx/pqxx>

#include "bench/build/offer_maker.h"
#include "core/base/clock.h"
#include "indexer/offers/offer_store.h"
#include "tests/world/postgres_server.h"

namespace souk::bench {
namespace {

struct Options {
  uint32_t offers = 1'000'000;
  std::string database = "rocksdb";
};

// The peak of this process's memory since the last call, in MiB.
uint64_t take_peak_mib() {
  std::ifstream status("/proc/self/status");
  std::string word;
  uint64_t kib = 0;
  while (status >> word) {
    if (word == "VmHWM:") status >> kib;
  }
  std::ofstream("/proc/self/clear_refs") << "5";
  return kib / 1024;
}

class StoreBench {
 public:
  StoreBench(offers::OfferStore& store, uint32_t offers) : store_(store), offers_(offers) {}

  // One in `changed_every` offers has another price than in the pass before; 0 = none.
  Status pass(const char* name, uint32_t changed_every) {
    take_peak_mib();
    const auto shop = store_.put_shop(1, "shop");
    if (!shop) return std::unexpected(shop.error());
    const auto begin = std::chrono::steady_clock::now();
    auto update = store_.begin(*shop);
    if (!update) return std::unexpected(update.error());
    OfferMaker maker(1, offers_);
    std::chrono::steady_clock::duration made{};
    for (uint32_t i = 0; i < offers_; ++i) {
      const auto before = std::chrono::steady_clock::now();
      feed::Offer offer = maker.make(i);
      if (changed_every != 0 && i % changed_every == 0) ++offer.price;
      made += std::chrono::steady_clock::now() - before;
      if (Status put = (*update)->put(std::move(offer)); !put) return put;
    }
    const auto difference = (*update)->difference();
    if (!difference) return std::unexpected(difference.error());
    if (Status done = (*update)->commit({}, name); !done) return done;
    update->reset();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin - made;
    fmt::print("{:<12} {:8.2f} s  {:9.0f} offers/s  +{} ~{} -{}  peak {} MiB\n", name, took.count(),
               offers_ / took.count(), difference->added, difference->changed, difference->removed, take_peak_mib());
    return {};
  }

 private:
  offers::OfferStore& store_;
  uint32_t offers_;
};

uint64_t size_of(const std::filesystem::path& folder) {
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  return bytes;
}

uint64_t size_of_database(const std::string& connection) {
  pqxx::connection session(connection);
  return pqxx::nontransaction(session)
      .exec(
          "SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class c JOIN pg_namespace n ON n.oid = "
          "relnamespace WHERE nspname = 'souk' AND relkind = 'r'")
      .front()
      .front()
      .as<uint64_t>();
}

Status measure(const Options& options) {
  const world::TemporaryFolder folder;
  const std::string place = (folder.path() / "offers").string();
  std::unique_ptr<world::PostgresServer> server;
  if (options.database == "postgres") server = std::make_unique<world::PostgresServer>(true);
  {
    auto store = server ? offers::open_postgres_store(server->connection(), real_clock())
                        : offers::open_rocksdb_store(place, real_clock());
    if (!store) return std::unexpected(store.error());
    StoreBench bench(**store, options.offers);
    Status done = bench.pass("new", 0);
    if (done) done = bench.pass("unchanged", 0);
    if (done) done = bench.pass("1 % changed", 100);
    if (done) done = bench.pass("back", 0);
    if (!done) return done;
  }
  const uint64_t bytes = server ? size_of_database(server->connection()) : size_of(place);
  fmt::print("disk         {} bytes an offer\n", bytes / options.offers);
  return {};
}

int run(int argc, char** argv) {
  CLI::App app("souk-bench-store: feeds of one shop into an offer store");
  Options options;
  app.add_option("--offers", options.offers, "default 1000000")->check(CLI::Range(1U, 100'000'000U));
  app.add_option("--database", options.database, "default rocksdb")->check(CLI::IsMember({"rocksdb", "postgres"}));
  CLI11_PARSE(app, argc, argv);
  const Status done = measure(options);
  if (!done) fmt::print(stderr, "souk-bench-store: {}\n", to_string(done.error()));
  return done ? 0 : 1;
}

}  // namespace
}  // namespace souk::bench

int main(int argc, char** argv) {
  try {
    return souk::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "souk-bench-store: %s\n", error.what());
    return 1;
  }
}
