// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "indexer/build/generation_builder.h"
#include "indexer/commands.h"
#include "indexer/ingest/feed_daemon.h"
#include "indexer/ingest/register_shop.h"
#include "indexer/match_catalogue.h"
#include "indexer/offers/open_store.h"
#include "indexer/partner/partner_server.h"
#include "indexer/publish/publish.h"
#include "runtime/config/market.h"
#include "runtime/config/topology.h"
#include "runtime/exec/server_loop.h"
#include "runtime/net/http_server.h"

namespace souk::indexer {
namespace {

namespace fs = std::filesystem;

constexpr size_t kKeptGenerations = 4;  // a build a minute would fill any disk

ingest::FeedDaemon::Settings settings_of(const config::Topology& topology, const ServeOptions& options) {
  const fs::path data = options.data;
  ingest::FeedDaemon::Settings settings;
  settings.pipeline.read.program = options.program;
  settings.pipeline.read.work_folder = (data / "work" / "offers").string();
  settings.pipeline.download_folder = (data / "work" / "downloads").string();
  settings.pipeline.fetch.allow_private_addresses = topology.indexer.private_feeds;
  settings.reports_folder = (data / "reports").string();
  settings.held_folder = (data / "held").string();
  settings.build_period = std::chrono::seconds(topology.indexer.build_period_s);
  return settings;
}

// Models, generation, control: what a person does with build and publish.
Status build(const config::Topology& topology, const std::string& data, offers::OfferStore& store,
             const config::Market& market, const obs::Log& log) {
  const auto matched = match_catalogue(store, data);
  if (!matched) return std::unexpected(matched.error());
  const build::BuildTarget target{topology.clusters.front().shards, data + "/generations",
                                  uint64_t{topology.indexer.build_memory_mib} << 20,
                                  data + "/reports/unmapped_categories.json"};
  const auto built = build::build_generation(store, market, target, [](std::string_view, uint64_t, uint64_t) {});
  if (!built) return std::unexpected(built.error());
  const auto id = publish::publish(topology.control.address, built->content_hash, target.shards);
  if (!id) return std::unexpected(id.error());
  for (const std::string& warning : built->warnings) log.warning(warning);
  if (!built->reused)
    log.info(fmt::format("published {}: {} offers of {} models", to_string(*id), built->offers, built->models));
  const auto removed = publish::remove_old_generations(topology.control.address, target.folder, kKeptGenerations);
  if (!removed) log.warning("old generations stay: " + to_string(removed.error()));
  return {};
}

ingest::FeedDaemon::Outside outside_of(const config::Topology& topology, const ServeOptions& options,
                                       const obs::Log& log) {
  const std::string market = options.market.empty() ? options.data + "/market.toml" : options.market;
  return {.number_of =
              [&topology](const std::string& name) { return ingest::register_shop(topology.control.address, name); },
          .load_market = [market] { return config::load_market(market); },
          .build = [&topology, data = options.data, &log](
                       offers::OfferStore& store,
                       const config::Market& loaded) { return build(topology, data, store, loaded, log); }};
}

Status serve(const ServeOptions& options) {
  const auto topology = config::load_topology(options.topology);
  if (!topology) return std::unexpected(topology.error());
  const config::IndexerConfig& self = topology->indexer;
  if (self.admin_address.port == 0) {
    return fail(ErrorCode::kInvalidArgument, "the topology has no [indexer]", options.topology);
  }
  if (self.name != options.name) {
    return fail(ErrorCode::kInvalidArgument, "the topology's indexer has another name: " + self.name,
                "--name " + options.name);
  }
  auto store = offers::open_store(*topology, options.data);
  if (!store) return std::unexpected(store.error());
  const auto log = obs::Log::to_stderr(options.name);
  const auto daemon = std::make_shared<ingest::FeedDaemon>(settings_of(*topology, options), std::move(*store),
                                                           outside_of(*topology, options, log), real_clock(), log);
  if (Status started = daemon->start(); !started) return started;
  boost::asio::io_context io(1);
  obs::Metrics metrics;
  partner::PartnerServer partners(options.name, daemon, metrics, real_clock(), log);
  net::HttpServer partner_port(io, partner::PartnerServer::partner_limits(), partners.partner_handler());
  net::HttpServer admin_port(io, partner::PartnerServer::admin_limits(), partners.admin_handler());
  if (Status listening = partner_port.listen(self.partner_address); !listening) return listening;
  if (Status listening = admin_port.listen(self.admin_address); !listening) return listening;
  log.info("shops' service listens on " + net::to_string(partner_port.local_endpoint()));
  exec::run_until_signal(io, [&] {
    partner_port.stop();
    admin_port.stop();
  });
  daemon->stop();
  log.info("stopped");
  return {};
}

}  // namespace

int run_serve(const ServeOptions& options) {
  const Status served = serve(options);
  if (served) return 0;
  fmt::print(stderr, "souk-indexer serve: {}\n", to_string(served.error()));
  return 1;
}

}  // namespace souk::indexer
