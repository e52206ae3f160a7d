// SPDX-License-Identifier: Apache-2.0
#include "control/serve/control_server.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "control/client/replica_json.h"
#include "runtime/net/json_text.h"

namespace souk::control {

namespace {

namespace json = boost::json;

constexpr std::chrono::milliseconds kRequestTime{3000};
constexpr size_t kQueue = 1024;
constexpr uint64_t kMaxShards = 4096;

net::Response json_object(json::object object) {
  return net::json_response(net::to_text(std::move(object)));
}

net::Response alive() {
  net::Response response;
  response.body = "ok\n";
  return response;
}

net::Response wrong_method(std::string allowed) {
  net::Response response = net::error_response({ErrorCode::kInvalidArgument, "method not allowed, use " + allowed, ""});
  response.status = 405;
  response.headers.push_back({"allow", std::move(allowed)});
  return response;
}

json::array replicas_json(const std::vector<Registry::Replica>& replicas) {
  json::array list;
  for (const Registry::Replica& replica : replicas) {
    json::object entry = to_json(replica.state);
    entry["age_ms"] = replica.age_ms < 0 ? json::value(nullptr) : json::value(replica.age_ms);
    list.push_back(std::move(entry));
  }
  return list;
}

json::object summary_json(const std::string& name, const Registry::Summary& summary) {
  json::object object{{"role", "control"}, {"name", name}};
  for (const auto& member : to_json(summary.orders)) object[member.key()] = member.value();
  object["replicas"] = replicas_json(summary.replicas);
  json::array shops;
  for (const Registry::Shop& shop : summary.shops) {
    shops.push_back(json::object{{"number", shop.number}, {"name", shop.name}});
  }
  object["shops"] = std::move(shops);
  object["problems"] = json::array(summary.problems.begin(), summary.problems.end());
  return object;
}

Result<uint64_t> content_hash(const json::object& object) {
  const auto text = text_member(object, "hash", 16);
  if (!text) return std::unexpected(text.error());
  const auto id = parse_generation("1-" + *text);
  if (!id || hex16(id->content_hash) != *text) {
    return fail(ErrorCode::kInvalidArgument, "must be 16 lower-case hexadecimal digits", "hash");
  }
  return id->content_hash;
}

}  // namespace

Result<std::unique_ptr<ControlServer>> ControlServer::make(const config::Topology& topology,
                                                           std::unique_ptr<Metastore> store, const Clock& clock,
                                                           obs::Log log) {
  auto registry = std::make_shared<Registry>(std::move(store), topology, clock, std::move(log));
  if (const Status loaded = registry->load(); !loaded) return std::unexpected(loaded.error());
  return std::unique_ptr<ControlServer>(new ControlServer(topology.control.name, std::move(registry), clock));
}

ControlServer::ControlServer(std::string name, std::shared_ptr<Registry> registry, const Clock& clock)
    : name_(std::move(name)), registry_(std::move(registry)), clock_(clock), pool_("control", 1, kQueue, clock) {}

ControlServer::~ControlServer() = default;

net::Handler ControlServer::handler() {
  return [this](net::Request request) { return handle(std::move(request)); };
}

Deadline ControlServer::deadline() const {
  return Deadline::after(clock_, kRequestTime);
}

boost::asio::awaitable<net::Response> ControlServer::handle(net::Request request) {
  const bool get = request.method == "GET";
  if (request.path == "/ping" || request.path == "/status") {
    if (!get) co_return wrong_method("GET");
    if (request.path == "/ping") co_return alive();
    co_return co_await on_status();
  }
  if (request.path != "/replicas" && request.path != "/generations" && request.path != "/shops") {
    co_return net::error_response({ErrorCode::kNotFound, "no such page", ""});
  }
  if (request.method != "POST") co_return wrong_method("POST");
  if (request.path == "/replicas") co_return co_await on_report(std::move(request.body));
  if (request.path == "/generations") co_return co_await on_publish(std::move(request.body));
  co_return co_await on_shop(std::move(request.body));
}

boost::asio::awaitable<net::Response> ControlServer::on_report(std::string body) {
  auto state = replica_from_json(body);
  if (!state) co_return net::error_response(state.error());
  auto work = [registry = registry_, state = std::move(*state)]() mutable {
    return registry->report(std::move(state));
  };
  const Result<Orders> orders = co_await exec::run_on(pool_, exec::Priority::kInteractive, deadline(), std::move(work));
  if (!orders) co_return net::error_response(orders.error());
  co_return json_object(to_json(*orders));
}

boost::asio::awaitable<net::Response> ControlServer::on_publish(std::string body) {
  const auto object = parse_object(body);
  if (!object) co_return net::error_response(object.error());
  const auto hash = content_hash(*object);
  if (!hash) co_return net::error_response(hash.error());
  const auto shards = number_member(*object, "shards", kMaxShards);
  if (!shards) co_return net::error_response(shards.error());
  auto work = [registry = registry_, hash = *hash, shards = *shards] { return registry->publish(hash, shards); };
  const Result<GenerationId> id =
      co_await exec::run_on(pool_, exec::Priority::kInteractive, deadline(), std::move(work));
  if (!id) co_return net::error_response(id.error());
  co_return json_object({{"generation", to_string(*id)}});
}

boost::asio::awaitable<net::Response> ControlServer::on_shop(std::string body) {
  const auto object = parse_object(body);
  if (!object) co_return net::error_response(object.error());
  const auto name = text_member(*object, "name", 100);
  if (!name) co_return net::error_response(name.error());
  auto work = [registry = registry_, name = *name] { return registry->register_shop(name); };
  const Result<uint32_t> number =
      co_await exec::run_on(pool_, exec::Priority::kInteractive, deadline(), std::move(work));
  if (!number) co_return net::error_response(number.error());
  co_return json_object({{"number", *number}});
}

boost::asio::awaitable<net::Response> ControlServer::on_status() {
  auto work = [registry = registry_] { return registry->summary(); };
  const Result<Registry::Summary> summary =
      co_await exec::run_on(pool_, exec::Priority::kInteractive, deadline(), std::move(work));
  if (!summary) co_return net::error_response(summary.error());
  co_return json_object(summary_json(name_, *summary));
}

}  // namespace souk::control
