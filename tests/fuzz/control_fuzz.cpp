// SPDX-License-Identifier: Apache-2.0
// The JSON between control and everybody else: the first byte chooses a page of control, which the rest is sent to as a
// body, or the reply that a replica takes for control's.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>
#include <cstdint>
#include <map>
#include <string_view>

#include "control/client/replica_json.h"
#include "control/serve/control_server.h"

namespace souk::control {
namespace {

constexpr std::string_view kTopology = R"(
version = 1
[[data_centers]]
name = "dc1"
[[clusters]]
name = "c1"
environment = "production"
shards = 1
[[nodes]]
name = "node-1"
cluster = "c1"
data_center = "dc1"
rack = "r1"
roles = ["shard", "meta"]
shard = 1
public = "127.0.0.1:8081"
peer = "127.0.0.1:8181"
admin = "127.0.0.1:8381"
agent = "127.0.0.1:8481"
[[snippets]]
name = "snippet-1"
data_center = "dc1"
environment = "production"
address = "127.0.0.1:8281"
[control]
name = "control"
address = "127.0.0.1:8282"
[[balancers]]
name = "balancer-1"
data_center = "dc1"
listen = "127.0.0.1:8080"
)";

// The metastore's promises, in memory.
class MemoryMetastore final : public Metastore {
 public:
  Result<std::optional<Entry>> get(std::string_view key) override {
    const auto found = entries_.find(key);
    return found == entries_.end() ? std::nullopt : std::optional(found->second);
  }
  Result<uint64_t> commit(const Transaction& transaction) override {
    for (const Transaction::Condition& condition : transaction.conditions) {
      const auto found = entries_.find(condition.key);
      const uint64_t revision = found == entries_.end() ? 0 : found->second.revision;
      if (revision != condition.revision) return fail(ErrorCode::kVersionMismatch, "changed meanwhile", condition.key);
    }
    ++revision_;
    for (const Transaction::Put& put : transaction.puts) {
      SOUK_CHECK(put.key.size() <= 512 && put.value.size() <= 64 * 1024);
      entries_[put.key] = {put.key, put.value, revision_};
    }
    return revision_;
  }
  Result<std::vector<Entry>> changes(std::string_view prefix, uint64_t after_revision) override {
    std::vector<Entry> found;
    for (const auto& [key, entry] : entries_) {
      if (key.starts_with(prefix) && entry.revision > after_revision) found.push_back(entry);
    }
    return found;
  }
  Result<uint64_t> revision() override { return revision_; }

 private:
  std::map<std::string, Entry, std::less<>> entries_;
  uint64_t revision_ = 0;
};

class Control {
 public:
  Control() : server_(ControlServer::make(topology(), std::make_unique<MemoryMetastore>(), clock_, obs::Log::null())) {
    SOUK_CHECK(server_.has_value());
  }

  net::Response ask(std::string method, std::string path, std::string_view body) {
    net::Request request{.method = std::move(method), .path = std::move(path), .body = std::string(body)};
    net::Response answer;
    boost::asio::co_spawn(io_, (*server_)->handler()(std::move(request)),
                          [&](const std::exception_ptr& thrown, net::Response response) {
                            SOUK_CHECK(!thrown);
                            answer = std::move(response);
                          });
    io_.restart();
    io_.run();
    return answer;
  }

 private:
  static const config::Topology& topology() {
    static const config::Topology parsed = config::parse_topology(kTopology, "topology.toml").value();
    return parsed;
  }

  const Clock& clock_ = real_clock();
  boost::asio::io_context io_;
  Result<std::unique_ptr<ControlServer>> server_;
};

// What we understand must come back from what we write.
void check_round_trips(std::string_view text) {
  if (const auto orders = orders_from_json(text)) {
    const auto again = orders_from_json(boost::json::serialize(to_json(*orders)));
    SOUK_CHECK(again && again->active == orders->active && again->target == orders->target);
    SOUK_CHECK(again->epoch == orders->epoch);
  }
  if (const auto state = replica_from_json(text)) {
    SOUK_CHECK(state->ready.size() <= 64);
    const auto again = replica_from_json(boost::json::serialize(to_json(*state)));
    SOUK_CHECK(again && again->name == state->name && again->cluster == state->cluster);
    SOUK_CHECK(again->ready == state->ready && again->shard == state->shard);
  }
}

}  // namespace
}  // namespace souk::control

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace souk;
  if (size == 0) return 0;
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  constexpr const char* kPages[] = {"/replicas", "/generations", "/shops"};
  const size_t page = data[0] % 4;
  if (page == 3) {
    control::check_round_trips(body);
    return 0;
  }
  control::Control control;  // anew: what one input registers must not decide on the next
  for (int twice = 0; twice < 2; ++twice) {
    const net::Response answer = control.ask("POST", kPages[page], body);
    SOUK_CHECK(answer.status == 200 || answer.status == 400);
    SOUK_CHECK(boost::json::parse(answer.body).is_object());
  }
  const net::Response status = control.ask("GET", "/status", "");
  SOUK_CHECK(status.status == 200 && boost::json::parse(status.body).is_object());
  return 0;
}
