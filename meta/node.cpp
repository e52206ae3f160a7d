// SPDX-License-Identifier: Apache-2.0
#include "meta/node.h"

#include <google/protobuf/util/json_util.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "core/base/version.h"
#include "core/index/index_stats.h"
#include "runtime/net/json_text.h"

namespace souk::node {

namespace asio = boost::asio;
namespace json = boost::json;

namespace {

constexpr size_t kPeerBodyBytes = 1 << 20;
// Peers ask each 1.1 s at most and wait 0.3 s at most; then their own /ping turns, and the balancer's third check is
// 1.3 s later.
constexpr std::chrono::milliseconds kUntilNoticed{4000};
constexpr const char* kStopping = "this node is stopping";

net::ServerLimits limits_of(const config::Topology& topology) {
  net::ServerLimits limits;
  limits.connections = topology.limits.connections;
  // The handlers keep the query's deadline; this is the net below it.
  limits.request_time = std::chrono::milliseconds(topology.limits.query_deadline_ms) + std::chrono::seconds(4);
  return limits;
}

net::ServerLimits peer_limits_of(const config::Topology& topology) {
  net::ServerLimits limits = limits_of(topology);
  limits.body_bytes = kPeerBodyBytes;
  return limits;
}

generation::GenerationKeeper::Place place_of(const std::string& data, const config::NodeConfig& config) {
  return {config.name, config.cluster, config.shard, data + "/generations",
          data + "/nodes/" + config.name + "/last_orders.json"};
}

std::vector<net::Endpoint> snippet_servers(const config::Topology& topology, const config::NodeConfig& config) {
  const config::ClusterConfig* cluster = topology.cluster(config.cluster);
  std::vector<net::Endpoint> servers;
  for (const config::SnippetConfig& server : topology.snippets) {
    if (server.environment == cluster->environment) servers.push_back(server.address);
  }
  return servers;
}

meta_serve::MetaServer::Settings meta_settings(const config::Topology& topology, const config::NodeConfig& config,
                                               uint64_t seed) {
  meta_serve::MetaServer::Settings settings;
  settings.node = config.name;
  settings.strict = topology.cluster(config.cluster)->mode == config::Mode::kStrict;
  settings.queries = topology.limits.queries;
  settings.query_deadline = std::chrono::milliseconds(topology.limits.query_deadline_ms);
  settings.seed = seed;
  settings.shard_nodes.resize(topology.cluster(config.cluster)->shards);
  for (const config::NodeConfig& node : topology.nodes) {
    if (node.cluster == config.cluster && node.has_shard) settings.shard_nodes[node.shard - 1] = node.peer_address;
  }
  return settings;
}

health::Health::Settings health_settings(const config::Topology& topology, const config::NodeConfig& config,
                                         uint64_t seed) {
  const config::ClusterConfig& cluster = *topology.cluster(config.cluster);
  health::Health::Settings settings;
  settings.mode = cluster.mode == config::Mode::kStrict ? health::Mode::kStrict : health::Mode::kMesh;
  settings.shards = cluster.shards;
  settings.engine = std::string(kEngineVersion);
  settings.shard = config.shard;
  settings.seed = seed;
  for (const config::NodeConfig& node : topology.nodes) {
    if (node.cluster == config.cluster && node.name != config.name)
      settings.peers.push_back({node.name, node.admin_address});
  }
  return settings;
}

double process_cpu_seconds() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t total = 0;
  uint64_t resident = 0;
  file >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// The catalogue of the active generation, which it keeps alive.
std::shared_ptr<const understand::Catalogue> active_catalogue(const generation::Generations& generations) {
  struct Held {
    generation::Generations::Pointer generation;
    understand::Catalogue catalogue;
  };
  auto held = std::make_shared<Held>();
  held->generation = generations.active();
  if (!held->generation) return nullptr;
  const generation::Generation& active = *held->generation;
  held->catalogue = {active.id, active.manifest.shards, &active.manifest.slots, &active.dictionary, &active.market};
  return {held, &held->catalogue};
}

// What of a node's memory is for what: files as they lie there, and the table that makes looking a term up fast.
json::object index_json(const generation::Generation& generation) {
  json::object bytes{{"dictionary", generation.dictionary_bytes.bytes().size()},
                     {"term_table", generation.dictionary.terms().memory_bytes()}};
  if (!generation.shard) return {{"bytes", std::move(bytes)}};
  const index::ShardIndex& shard = *generation.shard;
  const index::PartBytes parts = index::bytes_by_part(shard.section_bytes());
  for (size_t i = 0; i < index::kParts; ++i) {
    if (parts[i] != 0) bytes[index::name_of(static_cast<index::Part>(i))] = parts[i];
  }
  const uint64_t main = shard.main().postings();
  const auto main_bytes = static_cast<double>(index::bytes_of(parts, index::Part::kMainPostings));
  return {{"groups", shard.groups()},
          {"postings", main + shard.description().postings() + shard.param_lists().postings()},
          {"main_postings", main},
          {"bytes_per_main_posting",
           main == 0 ? json::value(nullptr) : json::value(main_bytes / static_cast<double>(main))},
          {"bytes", std::move(bytes)}};
}

}  // namespace

Node::NodeGauges::NodeGauges(obs::Metrics& metrics)
    : available(metrics.gauge("souk_node_available", "1 when /ping says yes.")),
      weight(metrics.gauge("souk_node_weight_percent", "What the agent check tells the balancer.")),
      in_flight(metrics.gauge("souk_meta_queries_in_flight", "Queries being answered now.")),
      peers_gone(metrics.gauge("souk_node_peers_gone", "Peers that missed two polls.")),
      generation(metrics.gauge("souk_node_active_generation", "Number of the active generation; 0 before the first.")),
      documents(metrics.gauge("souk_shard_documents", "Offers in this node's shard.")),
      index_bytes(metrics.gauge("souk_shard_index_bytes", "Shard and dictionary of the active generation in RAM.")),
      queued(metrics.gauge("souk_shard_queued_searches", "Sub-queries that wait for a search thread.")),
      resident_bytes(metrics.gauge("souk_process_resident_bytes", "Memory of the process.")),
      cpu_seconds(metrics.gauge("souk_process_cpu_seconds", "CPU time of the process.")) {}

Node::Node(World world, const config::NodeConfig& config)
    : world_(std::move(world)),
      config_(config),
      search_pool_("search", world_.topology.limits.search_threads, world_.topology.limits.search_queue, world_.clock),
      loader_pool_("loader", 1, 4, world_.clock),
      control_(world_.transport, world_.topology.control.address, world_.clock),
      keeper_(place_of(world_.data, config), generations_, control_, loader_pool_, world_.clock, world_.log),
      gauges_(metrics_),
      shard_(config.shard, generations_, search_pool_, metrics_, world_.clock),
      snippets_(world_.transport, snippet_servers(world_.topology, config), world_.clock),
      heartbeats_(search_pool_, world_.clock),
      health_(health_settings(world_.topology, config, world_.seed),
              {.active = [this] { return serving(); },
               .stale = [this] { return heartbeats_.stale(); },
               .cpu_seconds = process_cpu_seconds,
               .queue_wait_ms = [this] { return search_pool_.take_mean_wait().count() * 1000; },
               .threads = world_.topology.limits.search_threads + 1.0},
              world_.health_transport, world_.clock),
      meta_(meta_settings(world_.topology, config, world_.seed),
            {.active = [this] { return active_catalogue(generations_); },
             .all_peers_full = [this] { return health_.all_peers_full(); },
             .transport = world_.transport,
             .snippets = snippets_,
             .clock = world_.clock,
             .metrics = metrics_,
             .access_log = world_.access_log}),
      public_server_(world_.io, limits_of(world_.topology),
                     [this](net::Request request) { return handle_public(std::move(request)); }),
      peer_server_(world_.io, peer_limits_of(world_.topology),
                   [this](net::Request request) { return handle_peer(std::move(request)); }),
      admin_server_(world_.health_io, limits_of(world_.topology),
                    [this](net::Request request) { return handle_admin(std::move(request)); }),
      agent_server_(world_.health_io, [this] { return agent_line(); }),
      stop_health_(health_.peer_count() + 1) {}

Node::~Node() = default;

Status Node::restore() {
  std::error_code error;
  std::filesystem::create_directories(world_.data + "/nodes/" + config_.name, error);
  if (error)
    return fail(ErrorCode::kUnavailable, "cannot make the folder: " + error.message(),
                world_.data + "/nodes/" + config_.name);
  if (Status done = keeper_.restore(); !done) {
    // Control's next order decides; until then the node serves nothing.
    world_.log.error("what was served last cannot be: " + to_string(done.error()));
  }
  return {};
}

Status Node::listen() {
  Status done = public_server_.listen(config_.public_address);
  if (done) done = peer_server_.listen(config_.peer_address);
  if (done) done = admin_server_.listen(config_.admin_address);
  if (done) done = agent_server_.listen(config_.agent_address);
  return done;
}

void Node::start() {
  const auto ended = [](std::exception_ptr) {};  // by cancellation
  asio::co_spawn(world_.io, keeper_.run(), asio::bind_cancellation_slot(stop_keeper_.slot(), ended));
  asio::co_spawn(world_.io, beat(), asio::bind_cancellation_slot(stop_beat_.slot(), ended));
  for (size_t peer = 0; peer < health_.peer_count(); ++peer) {
    asio::co_spawn(world_.health_io, health_.follow(peer),
                   asio::bind_cancellation_slot(stop_health_[peer].slot(), ended));
  }
  asio::co_spawn(world_.health_io, health_.keep_sampling(),
                 asio::bind_cancellation_slot(stop_health_.back().slot(), ended));
}

asio::awaitable<void> Node::drain() {
  draining_ = true;
  asio::steady_timer timer(co_await asio::this_coro::executor);
  timer.expires_after(kUntilNoticed);
  co_await timer.async_wait(asio::use_awaitable);
  public_server_.finish();
  const Deadline last =
      Deadline::after(world_.clock, std::chrono::milliseconds(world_.topology.limits.query_deadline_ms));
  while (public_server_.connections() > 0 && !last.passed(world_.clock)) {
    timer.expires_after(std::chrono::milliseconds(20));
    co_await timer.async_wait(asio::use_awaitable);
  }
}

void Node::stop() {
  stop_keeper_.emit(asio::cancellation_type::terminal);
  stop_beat_.emit(asio::cancellation_type::terminal);
  public_server_.stop();
  peer_server_.stop();
}

void Node::stop_health() {
  for (asio::cancellation_signal& signal : stop_health_) signal.emit(asio::cancellation_type::terminal);
  admin_server_.stop();
  agent_server_.stop();
}

asio::awaitable<void> Node::step() {
  heartbeats_.beat();
  co_await keeper_.step();
  for (size_t peer = 0; peer < health_.peer_count(); ++peer) co_await health_.poll(peer);
  health_.sample();
}

asio::awaitable<void> Node::beat() {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  for (;;) {
    heartbeats_.beat();
    timer.expires_after(std::chrono::milliseconds(500));
    co_await timer.async_wait(asio::use_awaitable);
  }
}

GenerationId Node::serving() const {
  const auto active = generations_.active();
  return active && (!config_.has_shard || active->shard) ? active->id : GenerationId{};
}

net::Response Node::ping(const net::Request& request) const {
  if (draining_) return net::error_response({ErrorCode::kUnavailable, kStopping, {}});
  const auto verdict = health_.verdict();
  if (world_.clock.now() - verdict->at > health::Heartbeats::kStale) {
    return net::error_response({ErrorCode::kUnavailable, "the health thread does not move", {}});
  }
  const bool yes = request.query == "level=any" ? verdict->any : verdict->available;
  if (!yes) return net::error_response({ErrorCode::kUnavailable, verdict->reason, {}});
  return {.status = 200, .content_type = "text/plain; charset=utf-8", .headers = {}, .body = "ok\n"};
}

net::Response Node::status() const {
  const auto active = generations_.active();
  const auto verdict = health_.verdict();
  json::array ready;
  for (const GenerationId& id : generations_.held()) ready.emplace_back(to_string(id));
  json::array peers;
  for (const health::Peer& peer : *health_.peers()) {
    json::array held;
    for (const GenerationId& id : peer.ready) held.emplace_back(to_string(id));
    peers.push_back(json::object{{"name", peer.name},
                                 {"gone", peer.gone()},
                                 {"stopping", peer.stopping},
                                 {"shard", peer.shard},
                                 {"engine", peer.engine},
                                 {"full", peer.full},
                                 {"ready", std::move(held)}});
  }
  const bool draining = draining_;
  const std::string_view state = draining             ? "stopping"
                                 : verdict->available ? "serving"
                                 : verdict->any       ? "partial"
                                                      : "not available";
  json::object status{{"role", "node"},
                      {"name", config_.name},
                      {"cluster", config_.cluster},
                      {"shard", config_.shard},
                      {"engine", kEngineVersion},
                      {"topology", world_.topology.version},
                      {"mode", config::to_string(world_.topology.cluster(config_.cluster)->mode)},
                      {"state", state},
                      {"reason", draining ? kStopping : verdict->reason},
                      {"generation", active ? json::value(to_string(active->id)) : json::value(nullptr)},
                      {"ready", std::move(ready)},
                      {"documents", active && active->shard ? active->shard->stats().documents : 0},
                      {"memory_bytes", active ? active->memory_bytes() : 0},
                      {"kernels", shard_.kernels()},
                      {"index", active ? json::value(index_json(*active)) : json::value(nullptr)},
                      {"load", json::object{{"weight", health_.weight()},
                                            {"full", meta_.full()},
                                            {"search_queued", search_pool_.queued()},
                                            {"search_running", search_pool_.running()}}},
                      {"peers", std::move(peers)}};
  return net::json_response(net::to_text(status) + "\n");
}

net::Response Node::metrics_page() {
  const auto active = generations_.active();
  const auto peers = health_.peers();
  gauges_.available.Set(health_.verdict()->available ? 1 : 0);
  gauges_.weight.Set(health_.weight());
  gauges_.in_flight.Set(static_cast<double>(meta_.in_flight()));
  gauges_.peers_gone.Set(static_cast<double>(std::ranges::count_if(*peers, &health::Peer::gone)));
  gauges_.generation.Set(active ? static_cast<double>(active->id.number) : 0);
  gauges_.documents.Set(active && active->shard ? static_cast<double>(active->shard->stats().documents) : 0);
  gauges_.index_bytes.Set(active ? static_cast<double>(active->memory_bytes()) : 0);
  gauges_.queued.Set(static_cast<double>(search_pool_.queued()));
  gauges_.resident_bytes.Set(resident_bytes());
  gauges_.cpu_seconds.Set(process_cpu_seconds());
  return {.status = 200, .content_type = obs::kMetricsContentType, .headers = {}, .body = metrics_.text()};
}

std::string Node::agent_line() const {
  return "up " + std::to_string(health_.weight()) + "%\n";
}

asio::awaitable<net::Response> Node::handle_public(net::Request request) {
  if (request.path == "/ping" && request.method == "GET") co_return ping(request);
  if (!config_.has_meta) co_return net::error_response({ErrorCode::kNotFound, "this node has no meta role", "path"});
  co_return co_await meta_.handle(std::move(request));
}

asio::awaitable<net::Response> Node::handle_peer(net::Request request) {
  if (config_.has_shard && request.path == shard_.path()) {
    if (request.method == "POST") co_return co_await shard_.handle(std::move(request));
    co_return co_await shard_for_people(std::move(request));
  }
  co_return net::error_response({ErrorCode::kNotFound, "no such page", "path"});
}

asio::awaitable<net::Response> Node::handle_admin(net::Request request) {
  if (request.method != "GET")
    co_return net::error_response({ErrorCode::kInvalidArgument, "only GET is served here", "method"});
  if (request.path == "/status") co_return status();
  if (request.path == "/metrics") co_return metrics_page();
  if (request.path == "/ping") co_return ping(request);
  co_return net::error_response({ErrorCode::kNotFound, "no such page", "path"});
}

// GET /shardN?text=…: the sub-query that the meta layer would send, answered by this shard alone, as JSON.
asio::awaitable<net::Response> Node::shard_for_people(net::Request request) {
  auto sub_request = meta_.sub_request(request.query, config_.shard);
  if (!sub_request) co_return net::error_response(sub_request.error());
  const auto reply = co_await shard_.answer(std::move(*sub_request));
  if (!reply) co_return net::error_response(reply.error());
  std::string text;
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  if (!google::protobuf::util::MessageToJsonString(*reply, &text, options).ok()) {
    co_return net::error_response({ErrorCode::kInternal, "the reply cannot be printed", {}});
  }
  co_return net::json_response(std::move(text) + "\n");
}

}  // namespace souk::node
