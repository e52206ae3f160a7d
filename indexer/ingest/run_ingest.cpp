// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

#include "core/base/clock.h"
#include "indexer/commands.h"
#include "indexer/ingest/feed_argument.h"
#include "indexer/ingest/progress_bar.h"
#include "indexer/ingest/register_shop.h"
#include "indexer/offers/apply_feed.h"
#include "indexer/offers/offer_store.h"
#include "runtime/config/market.h"
#include "runtime/config/topology.h"

namespace souk::indexer {
namespace {

namespace fs = std::filesystem;

constexpr int kRefused = 3;

int failed(const Error& error) {
  fmt::print(stderr, "souk-indexer ingest: {}\n", to_string(error));
  return 1;
}

Result<config::Market> read_market(const IngestOptions& options) {
  if (!options.market.empty()) return config::load_market(options.market);
  const fs::path path = fs::path(options.data) / "market.toml";
  std::error_code problem;
  if (fs::exists(path, problem)) return config::load_market(path);
  return config::Market{};
}

Status write_report(const fs::path& folder, const feed::Report& report) {
  const fs::path path = folder / (report.shop + ".json");
  std::error_code problem;
  // That nothing has changed must not wipe out what the last real reading found.
  if (report.unchanged && fs::exists(path, problem)) return {};
  fs::create_directories(folder, problem);
  if (problem) return fail(ErrorCode::kUnavailable, "the folder cannot be made: " + problem.message(), folder);
  const fs::path temporary = folder / (report.shop + ".json.new");
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  file << to_json(report);
  file.close();
  if (!file) return fail(ErrorCode::kUnavailable, std::string("cannot be written: ") + std::strerror(errno), temporary);
  fs::rename(temporary, path, problem);
  if (problem) return fail(ErrorCode::kUnavailable, "cannot be renamed: " + problem.message(), temporary);
  return {};
}

void print_report(const feed::Report& report) {
  if (report.unchanged) {
    fmt::print("{}: unchanged\n", report.shop);
  } else if (!report.ok()) {
    const feed::FeedError& error = report.feed_error;
    const std::string line = error.line > 0 ? fmt::format(" in line {}", error.line) : std::string();
    fmt::print("{}: refused, the earlier offers stay: {}: {}{}: {}\n", report.shop, report.file, error.kind, line,
               error.message);
  } else {
    fmt::print("{}: {} offers accepted, {} rejected, {} warnings; {} new, {} changed, {} gone\n", report.shop,
               report.accepted, report.rejected, report.warning_count, report.added, report.changed, report.removed);
  }
  std::fflush(stdout);
}

// The feeds' shops, by the numbers of control's registry.
Result<std::vector<offers::Shop>> prepare_shops(offers::OfferStore& store, const net::Endpoint& control,
                                                const std::vector<ingest::FeedArgument>& feeds) {
  std::vector<offers::Shop> shops;
  for (const ingest::FeedArgument& feed : feeds) {
    const auto number = ingest::register_shop(control, feed.shop);
    if (!number) return std::unexpected(number.error());
    auto shop = store.put_shop(*number, feed.shop);
    if (!shop) return std::unexpected(shop.error());
    shops.push_back(std::move(*shop));
  }
  return shops;
}

}  // namespace

int run_ingest(const IngestOptions& options) {
  const auto feeds = ingest::parse_feed_arguments(options.feeds);
  if (!feeds) return failed(feeds.error());
  const auto topology = config::load_topology(options.topology);
  if (!topology) return failed(topology.error());
  const auto market = read_market(options);
  if (!market) return failed(market.error());
  auto store = offers::open_rocksdb_store(fs::path(options.data) / "offers", real_clock());
  if (!store) return failed(store.error());
  const auto shops = prepare_shops(**store, topology->control.address, *feeds);
  if (!shops) return failed(shops.error());

  int code = 0;
  for (size_t i = 0; i < feeds->size(); ++i) {
    const offers::FeedSource source{(*feeds)[i].path, {}, market->base_currency};
    auto bar = std::make_unique<ingest::ProgressBar>("reading " + (*feeds)[i].shop);
    const auto report = offers::apply_feed(**store, (*shops)[i], source,
                                           [&](uint64_t done, uint64_t total) { bar->show(done, total); });
    bar.reset();
    if (!report) return failed(report.error());
    const Status written = write_report(fs::path(options.data) / "reports", *report);
    if (!written) return failed(written.error());
    print_report(*report);
    if (!report->ok()) code = kRefused;
  }
  return code;
}

}  // namespace souk::indexer
