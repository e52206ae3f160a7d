// SPDX-License-Identifier: Apache-2.0
#include "tests/world/world.h"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fstream>
#include <stdexcept>

#include "indexer/match/match_models.h"
#include "snippet/store/snippet_store.h"
#include "tests/world/take_feed_file.h"

namespace souk::world {

namespace json = boost::json;

namespace {

template <typename T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(to_string(result.error()));
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

config::Topology topology_of(const World::Options& options) {
  config::Topology topology;
  topology.version = 1;
  topology.data_centers = {"dc1"};
  config::ClusterConfig& cluster = topology.clusters.emplace_back();
  cluster.name = "c1";
  cluster.shards = options.shards;
  cluster.mode = options.mode;
  for (uint32_t shard = 1; shard <= options.shards; ++shard) {
    config::NodeConfig node;
    node.name = "node-" + std::to_string(shard);
    node.cluster = "c1";
    node.data_center = "dc1";
    node.has_shard = node.has_meta = true;
    node.shard = shard;
    node.public_address = {"127.0.0.1", static_cast<uint16_t>(1000 + shard)};
    node.peer_address = {"127.0.0.1", static_cast<uint16_t>(2000 + shard)};
    node.admin_address = {"127.0.0.1", static_cast<uint16_t>(4000 + shard)};
    node.agent_address = {"127.0.0.1", static_cast<uint16_t>(5000 + shard)};
    topology.nodes.push_back(std::move(node));
  }
  topology.snippets = {{"snippet-1", "dc1", config::Environment::kProduction, {"127.0.0.1", 3000}}};
  topology.control = {"control", {"127.0.0.1", 3001}};
  topology.limits = options.limits;
  return topology;
}

}  // namespace

feed::Offer make_offer(const std::string& id, const std::string& name, int64_t price) {
  feed::Offer offer;
  offer.line = 1;
  offer.id = id;
  offer.type = "simplified";
  offer.name = name;
  offer.url = "https://shop.example/" + id;
  offer.currency = "RUB";
  offer.category_id = "1";
  offer.category_path = {"Всё"};
  offer.price = price;
  return offer;
}

World::World(Options options)
    : options_(std::move(options)),
      market_(must(config::parse_market(options_.market, "market.toml"))),
      topology_(topology_of(options_)),
      store_(must(offers::open_rocksdb_store(folder() + "/offers", stage_.clock))),
      nodes_(options_.shards) {
  start_servers();
  for (size_t i = 0; i < nodes_.size(); ++i) {
    stage_.transport.serve(topology_.nodes[i].peer_address,
                           [this, i](net::Request request) { return nodes_[i].node->handle_peer(std::move(request)); });
    stage_.transport.serve(topology_.nodes[i].admin_address, [this, i](net::Request request) {
      return nodes_[i].node->handle_admin(std::move(request));
    });
    start_node(i);
  }
}

World::~World() = default;

void World::start_servers() {
  auto metastore = must(control::open_sqlite_metastore(folder() + "/metastore.sqlite"));
  control_ = must(control::ControlServer::make(topology_, std::move(metastore), stage_.clock, log_));
  stage_.transport.serve(topology_.control.address, control_->handler());

  snippet::SnippetServerConfig config;
  config.name = topology_.snippets[0].name;
  config.generations_folder = folder() + "/generations";
  config.control = topology_.control.address;
  config.threads = options_.limits.snippet_threads;
  config.queue = options_.limits.snippet_queue;
  snippets_ = std::make_unique<snippet::SnippetServer>(
      config, must(snippet::SnippetStore::open(folder() + "/snippets")), stage_.transport, stage_.clock, log_);
  stage_.transport.serve(snippet_address(), snippets_->handler());
}

void World::start_node(size_t i) {
  nodes_[i].node =
      std::make_unique<node::Node>(node::Node::World{stage_.io, stage_.transport, stage_.io, stage_.transport,
                                                     topology_, stage_.clock, log_, access_log_, folder(), i + 1},
                                   topology_.nodes[i]);
  must(nodes_[i].node->restore());
}

json::object World::ask_control(std::string path, std::string body) {
  net::Request request{.method = "POST", .path = std::move(path), .query = {}, .headers = {}, .body = std::move(body)};
  const net::Response response = run(control_->handler()(std::move(request)));
  if (response.status != 200) throw std::runtime_error("control: " + response.body);
  return json::parse(response.body).as_object();
}

offers::Shop World::shop(const std::string& name) {
  const json::object answer = ask_control("/shops", json::serialize(json::object{{"name", name}}));
  return must(store_->put_shop(answer.at("number").to_number<uint32_t>(), name));
}

feed::Report World::put_feed(const std::string& shop_name, std::string_view yml) {
  const std::string path = folder() + "/feed.yml";
  std::ofstream(path, std::ios::trunc) << yml;
  return must(take_feed_file(*store_, shop(shop_name), path));
}

offers::Difference World::put_offers(const std::string& shop_name, std::vector<feed::Offer> offers) {
  auto update = must(store_->begin(shop(shop_name)));
  for (feed::Offer& offer : offers) {
    if (!offer.available) offer.availability = feed::Availability::kOutOfStock;
    must(update->put(std::move(offer)));
  }
  const offers::Difference difference = must(update->difference());
  must(update->commit({shop_name, "Company", "https://shop.example/", "", "RUB", {}}, ""));
  return difference;
}

GenerationId World::publish() {
  must(match::match_models(*store_, {}));
  const auto quiet = [](std::string_view, uint64_t, uint64_t) {};
  const auto built =
      must(build::build_generation(*store_, market_, {options_.shards, folder() + "/generations"}, quiet));
  const json::object body{{"hash", hex16(built.content_hash)}, {"shards", options_.shards}};
  const json::object answer = ask_control("/generations", json::serialize(body));
  return must(parse_generation(std::string_view(answer.at("generation").as_string())));
}

GenerationId World::activate() {
  const GenerationId id = publish();
  constexpr int kSeconds = 5;  // load, report, obey, and some to spare
  const auto all_serve = [&] {
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const bool lives = nodes_[i].node && !nodes_[i].hangs;
      if (lives && status(i).at("generation") != json::value(to_string(id))) return false;
    }
    return true;
  };
  for (int i = 0; i < kSeconds; ++i) {
    if (all_serve()) return id;
    advance();
  }
  throw std::runtime_error("generation " + to_string(id) + " did not become active");
}

void World::advance(int seconds) {
  for (int i = 0; i < seconds; ++i) {
    stage_.clock.advance(std::chrono::seconds(1));
    run(snippets_->poll());
    for (const Process& process : nodes_) {
      if (process.node && !process.hangs) run(process.node->step());
    }
  }
}

net::Response World::request(net::Request request, size_t node) {
  if (!nodes_[node].node || nodes_[node].hangs) throw std::runtime_error("this node does not answer");
  return run(nodes_[node].node->handle_public(std::move(request)));
}

Answer World::get(std::string_view target, size_t node) {
  const size_t mark = std::min(target.find('?'), target.size());
  net::Request request;
  request.path = target.substr(0, mark);
  request.query = target.substr(std::min(mark + 1, target.size()));
  const net::Response response = this->request(std::move(request), node);
  boost::system::error_code error;
  json::value body = json::parse(response.body, error);
  return {response.status, !error && body.is_object() ? std::move(body.as_object()) : json::object()};
}

json::object World::status(size_t node) {
  net::Request request;
  request.path = "/status";
  return json::parse(run(nodes_[node].node->handle_admin(std::move(request))).body).as_object();
}

void World::set_fault(size_t node, testing::Fault fault) {
  stage_.transport.set_fault(peer(node), fault);
  stage_.transport.set_fault(topology_.nodes[node].admin_address, fault);
}

void World::kill(size_t node) {
  set_fault(node, testing::Fault::kRefuse);
  nodes_[node] = {};
}

void World::hang(size_t node) {
  set_fault(node, testing::Fault::kHang);
  nodes_[node].hangs = true;
}

void World::revive(size_t node) {
  set_fault(node, testing::Fault::kNone);
  nodes_[node].hangs = false;
  if (!nodes_[node].node) start_node(node);
}

}  // namespace souk::world
