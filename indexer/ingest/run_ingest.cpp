// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cstdio>
#include <deque>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>

#include "core/base/clock.h"
#include "indexer/commands.h"
#include "indexer/ingest/feed_argument.h"
#include "indexer/ingest/feed_pipeline.h"
#include "indexer/ingest/progress_bar.h"
#include "indexer/ingest/register_shop.h"
#include "indexer/ingest/run_log.h"
#include "indexer/ingest/take_feed.h"
#include "indexer/offers/open_store.h"
#include "runtime/config/market.h"
#include "runtime/config/topology.h"

namespace souk::indexer {
namespace {

namespace fs = std::filesystem;
using Outcome = ingest::FeedRun::Outcome;

constexpr int kNotTaken = 3;

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

void print_run(const ingest::FeedRun& run) {
  const feed::Report& report = run.report;
  switch (run.outcome) {
    case Outcome::kUnchanged:
    case Outcome::kNotModified:
      fmt::print("{}: unchanged\n", report.shop);
      break;
    case Outcome::kHeld:
      fmt::print("{}: held, the earlier offers stay: {}; to let it pass: soukctl feed release {}\n", report.shop,
                 run.note, report.shop);
      break;
    case Outcome::kIngested:
      fmt::print("{}: {} offers accepted, {} rejected, {} warnings; {} new, {} changed, {} gone\n", report.shop,
                 report.accepted, report.rejected, report.warning_count, report.added, report.changed, report.removed);
      break;
    case Outcome::kRefused:
    case Outcome::kFetchFailed: {
      const feed::FeedError& error = report.feed_error;
      const std::string line = error.line > 0 ? fmt::format(" in line {}", error.line) : std::string();
      fmt::print("{}: refused, the earlier offers stay: {}: {}{}: {}\n", report.shop, report.file, error.kind, line,
                 error.message);
    }
  }
  std::fflush(stdout);
}

// The feeds' shops, by the numbers of control's registry. How a feed is to be read stays with the shop.
Result<std::vector<offers::Shop>> prepare_shops(offers::OfferStore& store, const net::Endpoint& control,
                                                const std::vector<ingest::FeedArgument>& feeds,
                                                std::optional<feed::Mode> mode) {
  std::vector<offers::Shop> shops;
  for (const ingest::FeedArgument& feed : feeds) {
    const auto number = ingest::register_shop(control, feed.shop);
    if (!number) return std::unexpected(number.error());
    auto shop = store.put_shop(*number, feed.shop);
    if (!shop) return std::unexpected(shop.error());
    offers::ShopSettings settings = shop->settings;
    if (ingest::is_address(feed.source)) settings.feed_url = feed.source;
    settings.mode = mode.value_or(settings.mode);
    if (Status saved = ingest::change_settings(store, *shop, settings); !saved) return std::unexpected(saved.error());
    auto changed = store.find_shop(feed.shop);
    if (!changed) return std::unexpected(changed.error());
    shops.push_back(std::move(**changed));
  }
  return shops;
}

// One bar for whichever feed is further than it was.
class ReadingBar {
 public:
  void show(const std::string& shop, uint64_t done, uint64_t total) {
    const std::lock_guard lock(mutex_);
    if (shop != shop_) {
      bar_.reset();
      bar_ = std::make_unique<ingest::ProgressBar>("reading " + shop);
      shop_ = shop;
    }
    bar_->show(done, total);
  }
  void wipe() {
    const std::lock_guard lock(mutex_);
    bar_.reset();
    shop_.clear();
  }

 private:
  std::mutex mutex_;
  std::string shop_;
  std::unique_ptr<ingest::ProgressBar> bar_;
};

// Reads many feeds at once, and takes them in the order they were given: so keys do not depend on chance.
class Ingest {
 public:
  Ingest(offers::OfferStore& store, const IngestOptions& options, config::Market market, bool private_addresses)
      : store_(store), runs_((fs::path(options.data) / "reports").string()) {
    market_.set(std::make_shared<const config::Market>(std::move(market)));
    ingest::FeedPipeline::Settings settings;
    settings.read.program = options.program;
    settings.read.work_folder = (fs::path(options.data) / "work" / "offers").string();
    settings.download_folder = (fs::path(options.data) / "work" / "downloads").string();
    settings.fetch.allow_private_addresses = private_addresses;
    settings.progress = [this](const std::string& shop, uint64_t done, uint64_t total) {
      bar_.show(shop, done, total);
    };
    pipeline_ = std::make_unique<ingest::FeedPipeline>(std::move(settings), market_, real_clock());
  }

  // 0, or kNotTaken when a feed was refused, could not be fetched or is held.
  Result<int> take_all(const std::vector<ingest::FeedArgument>& feeds, const std::vector<offers::Shop>& shops) {
    const auto catalogue = store_.offers();
    if (!catalogue) return std::unexpected(catalogue.error());
    tally_.catalogue = *catalogue;
    int code = 0;
    size_t next = 0;
    for (size_t taken = 0; taken < feeds.size(); ++taken) {
      while (next < feeds.size() && submit(feeds[next], shops[next])) ++next;
      const auto outcome = take(shops[taken]);
      if (!outcome) return std::unexpected(outcome.error());
      const bool good =
          *outcome != Outcome::kRefused && *outcome != Outcome::kFetchFailed && *outcome != Outcome::kHeld;
      if (!good) code = kNotTaken;
    }
    return code;
  }

 private:
  bool submit(const ingest::FeedArgument& feed, const offers::Shop& shop) {
    auto arrival = std::make_shared<std::promise<ingest::FeedArrival>>();
    auto future = arrival->get_future();
    const bool taken = pipeline_->submit({shop, feed.source, false}, [arrival](ingest::FeedArrival&& arrived) {
      arrival->set_value(std::move(arrived));
    });
    if (taken) arrivals_.push_back(std::move(future));
    return taken;
  }

  // The next in order.
  Result<Outcome> take(const offers::Shop& shop) {
    ingest::FeedArrival arrival = arrivals_.front().get();
    arrivals_.pop_front();
    if (!arrival.read) return std::unexpected(arrival.read.error());
    const bool lost =
        ingest::is_address(arrival.job.source) && arrival.fetched.outcome == fetch::FetchResult::Outcome::kFailed;
    auto run = ingest::take_feed(store_, shop, std::move(*arrival.read), *market_.get(), real_clock(), tally_);
    if (!run) return std::unexpected(run.error());
    if (lost) run->outcome = Outcome::kFetchFailed;
    if (Status kept = runs_.add(*run); !kept) return std::unexpected(kept.error());
    bar_.wipe();
    print_run(*run);
    return run->outcome;
  }

  offers::OfferStore& store_;
  ingest::RunLog runs_;
  exec::Snapshot<config::Market> market_;
  ingest::RunTally tally_;
  ReadingBar bar_;
  std::deque<std::future<ingest::FeedArrival>> arrivals_;
  std::unique_ptr<ingest::FeedPipeline> pipeline_;  // ends first
};

}  // namespace

int run_ingest(const IngestOptions& options) {
  const auto feeds = ingest::parse_feed_arguments(options.feeds);
  if (!feeds) return failed(feeds.error());
  std::optional<feed::Mode> mode;
  if (!options.mode.empty()) {
    mode = feed::parse_mode(options.mode);
    if (!mode) return failed({ErrorCode::kInvalidArgument, "must be strict or lenient", "--mode"});
  }
  const auto topology = config::load_topology(options.topology);
  if (!topology) return failed(topology.error());
  auto market = read_market(options);
  if (!market) return failed(market.error());
  auto store = offers::open_store(*topology, options.data);
  if (!store) return failed(store.error());
  const auto shops = prepare_shops(**store, topology->control.address, *feeds, mode);
  if (!shops) return failed(shops.error());
  Ingest run(**store, options, std::move(*market), topology->indexer.private_feeds);
  const auto code = run.take_all(*feeds, *shops);
  return code ? *code : failed(code.error());
}

}  // namespace souk::indexer
