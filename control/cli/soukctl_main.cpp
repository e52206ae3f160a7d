// SPDX-License-Identifier: Apache-2.0
// soukctl: the operators' command line.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "control/cli/feed_commands.h"
#include "control/cli/index_view.h"
#include "control/cli/offer_where.h"
#include "control/cli/readiness.h"
#include "control/cli/search_view.h"
#include "control/cli/size_estimate.h"
#include "control/cli/topology_init.h"
#include "control/cli/world_status.h"
#include "haproxy/render/render.h"
#include "indexer/offers/open_store.h"
#include "runtime/config/topology.h"
#include "runtime/files/file_sink.h"
#include "runtime/net/http_client.h"
#include "runtime/net/json_text.h"

namespace {

using souk::ErrorCode;
using souk::Result;
using souk::Status;
namespace control = souk::control;

constexpr std::chrono::milliseconds kStatusTime{500};
constexpr std::chrono::milliseconds kWaitTime{2000};
constexpr std::chrono::milliseconds kFeedTime{130'000};  // a change waits for a build that is under way
constexpr std::chrono::milliseconds kSearchTime{15'000};

struct Arguments {
  std::string topology;
  std::string data;
  std::string balancer;
  std::string out;
  std::string text;
  std::string mode = "mesh";
  std::string shop;
  std::string offer;
  std::string file;
  std::vector<std::string> filters;
  uint64_t port = 8080;
  uint64_t shards = 8;
  uint64_t timeout_seconds = 60;
  control::SizeQuestion size;
  control::NewShop shop_to_add;
  bool json = false;
};

control::Fetch fetch_within(std::chrono::milliseconds time) {
  return [time](const souk::net::Endpoint& endpoint, souk::net::Request request) {
    return souk::net::fetch(endpoint, std::move(request), time);
  };
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

Status topology_init(const Arguments& arguments) {
  const auto mode = arguments.mode == "strict" ? souk::config::Mode::kStrict : souk::config::Mode::kMesh;
  const auto text = control::initial_topology(arguments.port, arguments.shards, mode);
  if (!text) return std::unexpected(text.error());
  return souk::files::replace_file(arguments.out, *text);
}

Status haproxy_render(const Arguments& arguments) {
  const auto topology = souk::config::load_topology(arguments.topology);
  if (!topology) return std::unexpected(topology.error());
  const auto text = souk::haproxy::render(*topology, arguments.balancer);
  if (!text) return std::unexpected(text.error());
  std::error_code failure;
  std::filesystem::create_directories(arguments.out, failure);
  if (failure) {
    return souk::fail(ErrorCode::kUnavailable, "cannot make the folder: " + failure.message(), arguments.out);
  }
  return souk::files::replace_file((std::filesystem::path(arguments.out) / "haproxy.cfg").string(), *text);
}

Status status(const Arguments& arguments) {
  const auto topology = souk::config::load_topology(arguments.topology);
  if (!topology) return std::unexpected(topology.error());
  const auto processes = control::world_status(*topology, arguments.data, fetch_within(kStatusTime));
  print(arguments.json ? souk::net::to_pretty_text(control::status_json(processes)) + "\n"
                       : control::status_table(processes));
  return {};
}

Status search(const Arguments& arguments) {
  const auto topology = souk::config::load_topology(arguments.topology);
  if (!topology) return std::unexpected(topology.error());
  if (topology->balancers.empty()) return souk::fail(ErrorCode::kInvalidArgument, "the topology has no balancer");
  const auto request = control::search_request(arguments.text, arguments.filters);
  if (!request) return std::unexpected(request.error());
  const auto response = souk::net::fetch(control::reachable(topology->balancers.front().listen), *request, kSearchTime);
  if (!response) return std::unexpected(response.error());
  const auto text = control::search_text(*response);
  if (!text) return std::unexpected(text.error());
  print(*text);
  return {};
}

Status wait(const Arguments& arguments) {
  const auto topology = souk::config::load_topology(arguments.topology);
  if (!topology) return std::unexpected(topology.error());
  control::Waiting waiting;
  waiting.timeout = std::chrono::seconds(arguments.timeout_seconds);
  waiting.progress = [](const std::string& line) { std::fprintf(stderr, "waiting: %s\n", line.c_str()); };
  waiting.pause = [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); };
  return control::wait_until_ready(*topology, fetch_within(kWaitTime), souk::real_clock(), waiting);
}

Status offer_where(const Arguments& arguments) {
  const auto topology = souk::config::load_topology(arguments.topology);
  if (!topology) return std::unexpected(topology.error());
  auto store = souk::offers::open_store_to_read(*topology, arguments.data);
  if (!store) return std::unexpected(store.error());
  const control::OfferQuestion question{*topology, arguments.data, arguments.shop, arguments.offer};
  const auto text = control::offer_where(**store, question, fetch_within(kWaitTime));
  if (!text) return std::unexpected(text.error());
  print(*text);
  return {};
}

control::FeedTools feed_tools(const souk::config::Topology& topology, const Arguments& arguments) {
  return {topology, fetch_within(kFeedTime),
          [&topology, &arguments] { return souk::offers::open_store(topology, arguments.data); }, souk::real_clock()};
}

Status feed_release(const Arguments& arguments) {
  const auto topology = souk::config::load_topology(arguments.topology);
  if (!topology) return std::unexpected(topology.error());
  const auto text = control::release_feed(feed_tools(*topology, arguments), arguments.shop);
  if (!text) return std::unexpected(text.error());
  print(*text + "\n");
  return {};
}

Status feed_list(const Arguments& arguments) {
  const auto topology = souk::config::load_topology(arguments.topology);
  if (!topology) return std::unexpected(topology.error());
  const auto store = souk::offers::open_store_to_read(*topology, arguments.data);
  if (!store) return std::unexpected(store.error());
  const auto text = control::feed_table(**store, souk::real_clock());
  if (!text) return std::unexpected(text.error());
  print(*text);
  return {};
}

Status shop_add(const Arguments& arguments) {
  const auto topology = souk::config::load_topology(arguments.topology);
  if (!topology) return std::unexpected(topology.error());
  const auto token = control::add_shop(feed_tools(*topology, arguments), arguments.shop_to_add);
  if (!token) return std::unexpected(token.error());
  print(*token + "\n");
  return {};
}

Status size(const Arguments& arguments) {
  const auto measured = control::measure_last_built(arguments.data);
  if (!measured) return std::unexpected(measured.error());
  const auto text = control::size_table(*measured, arguments.size);
  if (!text) return std::unexpected(text.error());
  print(*text);
  return {};
}

Status index_stats(const Arguments& arguments) {
  const auto stats = control::measure_index_file(arguments.file);
  if (!stats) return std::unexpected(stats.error());
  print(arguments.json ? souk::net::to_pretty_text(control::index_json(*stats)) + "\n" : control::index_table(*stats));
  return {};
}

using Command = std::function<Status(const Arguments&)>;

void add_topology(CLI::App& command, Arguments& arguments) {
  command.add_option("--topology", arguments.topology, "topology file")->required();
}

void add_catalogue_commands(CLI::App& app, Arguments& arguments, Command& chosen) {
  CLI::App* offer = app.add_subcommand("offer", "one offer")->require_subcommand(1);
  CLI::App* where = offer->add_subcommand("where", "its way from the feed to a shard, or why it is absent");
  add_topology(*where, arguments);
  where->add_option("--data", arguments.data, "folder of the world")->required();
  where->add_option("shop", arguments.shop, "the name by which the shop is registered")->required();
  where->add_option("id", arguments.offer, "the offer's id in the shop's feed")->required();
  where->callback([&chosen] { chosen = offer_where; });

  CLI::App* index = app.add_subcommand("index", "files of a generation")->require_subcommand(1);
  CLI::App* stats = index->add_subcommand("stats", "what the bytes of a shard file or a dictionary are for");
  stats->add_option("file", arguments.file, "shard-N.souk or dictionary.souk")->required();
  stats->add_flag("--json", arguments.json, "for programs");
  stats->callback([&chosen] { chosen = index_stats; });

  CLI::App* need = app.add_subcommand("size", "RAM and nodes for a number of offers like those of the last build");
  need->add_option("--data", arguments.data, "folder of the world")->required();
  need->add_option("--offers", arguments.size.offers, "number of offers")
      ->required()
      ->check(CLI::Range(uint64_t{1}, uint64_t{1'000'000'000'000}));
  need->add_option("--replicas", arguments.size.replicas, "copies of every shard, default 1")
      ->check(CLI::Range(1, 100));
  need->add_option("--node-ram", arguments.size.node_ram_gib,
                   "GiB of a node, of which a fifth is kept free; sets the number of shards")
      ->check(CLI::Range(1, 65'536));
  need->callback([&chosen] { chosen = size; });
}

void add_feed_commands(CLI::App& app, Arguments& arguments, Command& chosen) {
  CLI::App* feed = app.add_subcommand("feed", "shops' feeds")->require_subcommand(1);
  CLI::App* release = feed->add_subcommand("release", "let a feed pass that is held");
  CLI::App* list = feed->add_subcommand("list", "every shop and the state of its feed");
  for (CLI::App* command : {release, list}) {
    add_topology(*command, arguments);
    command->add_option("--data", arguments.data, "folder of the world")->required();
  }
  release->add_option("shop", arguments.shop, "the name by which the shop is registered")->required();
  release->callback([&chosen] { chosen = feed_release; });
  list->callback([&chosen] { chosen = feed_list; });

  CLI::App* shop = app.add_subcommand("shop", "shops")->require_subcommand(1);
  CLI::App* add = shop->add_subcommand("add", "register a shop with the running indexer and print its token");
  add_topology(*add, arguments);
  control::NewShop& to_add = arguments.shop_to_add;
  add->add_option("name", to_add.name, "the shop's name")->required();
  add->add_option("--feed-url", to_add.feed_url, "address of its feed; the shop can set it itself");
  add->add_option("--mode", to_add.mode, "strict (default) or lenient")->check(CLI::IsMember({"strict", "lenient"}));
  add->add_option("--period", to_add.period_seconds, "seconds between two fetches, default 3600")
      ->check(CLI::Range(60, 604'800));
  add->add_option("--region", to_add.regions, "a region that it delivers to; may be repeated; none = all")
      ->allow_extra_args(false);
  add->callback([&chosen] { chosen = shop_add; });
}

void add_commands(CLI::App& app, Arguments& arguments, Command& chosen) {
  CLI::App* topology = app.add_subcommand("topology", "topology files")->require_subcommand(1);
  CLI::App* init = topology->add_subcommand("init", "write the topology of a world on this machine");
  init->add_option("--port", arguments.port, "port of the balancer; the others follow it")->required();
  init->add_option("--shards", arguments.shards, "number of shards, one node each")->required();
  init->add_option("--mode", arguments.mode, "what the cluster does when a node is missing: mesh (default) or strict")
      ->check(CLI::IsMember({"mesh", "strict"}));
  init->add_option("--out", arguments.out, "file to write; replaced if it is there")->required();
  init->callback([&chosen] { chosen = topology_init; });

  CLI::App* haproxy = app.add_subcommand("haproxy", "the balancer's configuration")->require_subcommand(1);
  CLI::App* render = haproxy->add_subcommand("render", "write haproxy.cfg for one balancer");
  add_topology(*render, arguments);
  render->add_option("--balancer", arguments.balancer, "its name in the topology")->required();
  render->add_option("--out", arguments.out, "folder for haproxy.cfg")->required();
  render->callback([&chosen] { chosen = haproxy_render; });

  CLI::App* show = app.add_subcommand("status", "every process of the world");
  add_topology(*show, arguments);
  show->add_option("--data", arguments.data, "folder of the world")->required();
  show->add_flag("--json", arguments.json, "for programs");
  show->callback([&chosen] { chosen = status; });

  CLI::App* find = app.add_subcommand("search", "ask the balancer");
  add_topology(*find, arguments);
  find->add_option("text", arguments.text, "what to look for")->required();
  find->add_option("--filter", arguments.filters, "name=value, a parameter of /search; may be repeated")
      ->allow_extra_args(false);
  find->callback([&chosen] { chosen = search; });

  CLI::App* ready = app.add_subcommand("wait", "until the balancer gives a complete answer");
  add_topology(*ready, arguments);
  ready->add_option("--timeout", arguments.timeout_seconds, "seconds, default 60")->check(CLI::Range(1, 86'400));
  ready->callback([&chosen] { chosen = wait; });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("soukctl: look at a world of souk and set it up");
  app.require_subcommand(1);
  Arguments arguments;
  Command chosen;
  add_commands(app, arguments, chosen);
  add_catalogue_commands(app, arguments, chosen);
  add_feed_commands(app, arguments, chosen);
  try {
    app.parse(argc, argv);
    const Status done = chosen(arguments);
    if (done) return 0;
    std::fprintf(stderr, "soukctl: %s\n", to_string(done.error()).c_str());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    std::fprintf(stderr, "soukctl: %s\n", error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "soukctl: %s\n", error.what());
  }
  return 1;
}
