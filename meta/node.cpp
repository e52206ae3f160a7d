// SPDX-License-Identifier: Apache-2.0
#include "meta/node.h"

#include <google/protobuf/util/json_util.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/json.hpp>
#include <filesystem>

#include "core/base/version.h"
#include "runtime/net/json_text.h"

namespace souk::node {

namespace asio = boost::asio;
namespace json = boost::json;

namespace {

constexpr size_t kPeerBodyBytes = 1 << 20;

net::ServerLimits limits_of(const config::Topology& topology) {
  net::ServerLimits limits;
  limits.connections = topology.limits.connections;
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
  settings.query_deadline = std::chrono::milliseconds(topology.limits.query_deadline_ms);
  settings.seed = seed;
  settings.shard_nodes.resize(topology.cluster(config.cluster)->shards);
  for (const config::NodeConfig& node : topology.nodes) {
    if (node.cluster == config.cluster && node.has_shard) settings.shard_nodes[node.shard - 1] = node.peer_address;
  }
  return settings;
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

}  // namespace

Node::Node(World world, const config::NodeConfig& config)
    : world_(std::move(world)),
      config_(config),
      search_pool_("search", world_.topology.limits.search_threads, world_.topology.limits.search_queue, world_.clock),
      loader_pool_("loader", 1, 4, world_.clock),
      control_(world_.transport, world_.topology.control.address, world_.clock),
      keeper_(place_of(world_.data, config), generations_, control_, loader_pool_, world_.clock, world_.log),
      shard_(config.shard, generations_, search_pool_, world_.clock),
      snippets_(world_.transport, snippet_servers(world_.topology, config), world_.clock),
      meta_(
          meta_settings(world_.topology, config, world_.seed), [this] { return active_catalogue(generations_); },
          world_.transport, snippets_, world_.clock),
      public_server_(world_.io, limits_of(world_.topology),
                     [this](net::Request request) { return handle_public(std::move(request)); }),
      peer_server_(world_.io, peer_limits_of(world_.topology),
                   [this](net::Request request) { return handle_peer(std::move(request)); }) {}

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
  if (Status done = public_server_.listen(config_.public_address); !done) return done;
  return peer_server_.listen(config_.peer_address);
}

void Node::start() {
  asio::co_spawn(world_.io, keeper_.run(),
                 asio::bind_cancellation_slot(stop_keeper_.slot(), [](std::exception_ptr) {}));
}

asio::awaitable<void> Node::step() {
  return keeper_.step();
}

void Node::stop() {
  stop_keeper_.emit(asio::cancellation_type::terminal);
  public_server_.stop();
  peer_server_.stop();
}

bool Node::serving() const {
  const auto active = generations_.active();
  return active && (!config_.has_shard || active->shard);
}

net::Response Node::ping() const {
  if (!serving()) return net::error_response({ErrorCode::kUnavailable, "no generation is active here yet", {}});
  return {.status = 200, .content_type = "text/plain; charset=utf-8", .headers = {}, .body = "ok\n"};
}

net::Response Node::status() const {
  const auto active = generations_.active();
  json::array ready;
  for (const GenerationId& id : generations_.held()) ready.emplace_back(to_string(id));
  json::object status{
      {"role", "node"},
      {"name", config_.name},
      {"cluster", config_.cluster},
      {"shard", config_.shard},
      {"engine", kEngineVersion},
      {"topology", world_.topology.version},
      {"state", serving() ? "serving" : "waiting for a generation"},
      {"generation", active ? json::value(to_string(active->id)) : json::value(nullptr)},
      {"ready", std::move(ready)},
      {"documents", active && active->shard ? active->shard->stats().documents : 0},
      {"memory_bytes", active ? active->memory_bytes() : 0},
      {"load", json::object{{"search_queued", search_pool_.queued()}, {"search_running", search_pool_.running()}}}};
  return net::json_response(net::to_text(status) + "\n");
}

asio::awaitable<net::Response> Node::handle_public(net::Request request) {
  if (request.path == "/ping") co_return ping();
  if (!config_.has_meta) co_return net::error_response({ErrorCode::kNotFound, "this node has no meta role", "path"});
  co_return co_await meta_.handle(std::move(request));
}

asio::awaitable<net::Response> Node::handle_peer(net::Request request) {
  if (request.path == "/status") co_return status();
  if (request.path == "/ping") co_return ping();
  if (config_.has_shard && request.path == shard_.path()) {
    if (request.method == "POST") co_return co_await shard_.handle(std::move(request));
    co_return co_await shard_for_people(std::move(request));
  }
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
