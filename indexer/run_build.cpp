// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cstdio>
#include <memory>

#include "indexer/build/generation_builder.h"
#include "indexer/commands.h"
#include "indexer/ingest/progress_bar.h"
#include "indexer/match_catalogue.h"
#include "indexer/offers/open_store.h"
#include "runtime/config/topology.h"

namespace souk::indexer {
namespace {

int build_failed(const Error& error) {
  fmt::print(stderr, "souk-indexer build: {}\n", to_string(error));
  return 1;
}

// One bar for the stage under way. The bar goes when the stage does.
class StageBar {
 public:
  void show(std::string_view stage, uint64_t done, uint64_t total) {
    if (stage != stage_) {
      bar_.reset();
      bar_ = std::make_unique<ingest::ProgressBar>(std::string(stage));
      stage_ = stage;
    }
    bar_->show(done, total);
  }

 private:
  std::string stage_;
  std::unique_ptr<ingest::ProgressBar> bar_;
};

}  // namespace

int run_build(const BuildOptions& options) {
  const auto topology = config::load_topology(options.topology);
  if (!topology) return build_failed(topology.error());
  const auto market = config::load_market(options.market);
  if (!market) return build_failed(market.error());
  auto store = offers::open_store(*topology, options.data);
  if (!store) return build_failed(store.error());
  const auto matched = match_catalogue(**store, options.data);
  if (!matched) return build_failed(matched.error());
  if (matched->relinked > 0) {
    fmt::print("matched {} offers into {} models: {} links changed, {} models merged, {} split\n", matched->offers,
               matched->models, matched->relinked, matched->merged, matched->split);
  }
  const uint32_t shards = topology->clusters.front().shards;
  auto bar = std::make_unique<StageBar>();
  const auto built = build::build_generation(
      **store, *market,
      {shards, options.data + "/generations", options.memory_mib << 20,
       options.data + "/reports/unmapped_categories.json"},
      [&](std::string_view stage, uint64_t done, uint64_t total) { bar->show(stage, done, total); });
  bar.reset();
  if (!built) return build_failed(built.error());
  for (const std::string& warning : built->warnings) fmt::print("warning: {}\n", warning);
  if (built->reused) {
    fmt::print("nothing changed: {} offers of {} models\n", built->offers, built->models);
  } else {
    fmt::print("built {} offers of {} models in {} shards: {:.1f} s to read, {:.1f} s to build, {} runs on the disk\n",
               built->offers, built->models, shards, built->read_seconds, built->build_seconds, built->runs);
  }
  fmt::print("{}\n", hex16(built->content_hash));
  return 0;
}

}  // namespace souk::indexer
