// SPDX-License-Identifier: Apache-2.0
// A whole cluster in one process: offer store, builder, control, snippet server and nodes as objects over an in-process
// transport and a clock that only the test moves. No sockets; what runs on pool threads is waited for.
#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "control/serve/control_server.h"
#include "indexer/build/generation_builder.h"
#include "indexer/feed/report.h"
#include "indexer/offers/offer_store.h"
#include "meta/node.h"
#include "runtime/config/market.h"
#include "runtime/config/topology.h"
#include "runtime/obs/log.h"
#include "snippet/serve/snippet_server.h"
#include "tests/world/stage.h"
#include "tests/world/temporary_folder.h"

namespace souk::world {

// An offer that the store takes; the rest is the test's.
feed::Offer make_offer(const std::string& id, const std::string& name, int64_t price = 10000);

struct Answer {
  int status = 0;
  boost::json::object body;  // empty when the reply is not a JSON object
};

// Failures of the world itself (not of what is tested) are thrown as std::runtime_error.
class World {
 public:
  struct Options {
    uint32_t shards = 2;      // and nodes: node i holds shard i + 1
    std::string market = {};  // text of market.toml
    config::Limits limits = {};
    config::Mode mode = config::Mode::kMesh;
  };
  explicit World(Options options);
  World() : World(Options{}) {}
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // A shop's whole feed: as YML text through the reader, or as offers that were read. The shop is registered at
  // control.
  feed::Report put_feed(const std::string& shop, std::string_view yml);
  offers::Difference put_offers(const std::string& shop, std::vector<feed::Offer> offers);

  GenerationId publish();   // builds what changed and makes it control's target; nothing has loaded it yet
  GenerationId activate();  // publish(), and seconds pass until every living node serves it
  // At the end of each, every living process reports to control, obeys and looks at its peers, one after the other.
  // Waiting for one that hangs takes its time beyond that.
  void advance(int seconds = 1);

  // From a node's public port. Time stands still until all that is left to wait for hangs; then it goes on.
  net::Response request(net::Request request, size_t node = 0);
  Answer get(std::string_view target, size_t node = 0);
  boost::json::object status(size_t node);  // of its admin port

  void kill(size_t node);    // its RAM is lost, connections are refused
  void hang(size_t node);    // neither reports nor answers
  void revive(size_t node);  // goes on, or starts anew from its disk
  void set_snippets(testing::Fault fault) { stage_.transport.set_fault(topology_.snippets[0].address, fault); }
  void set_control(testing::Fault fault) { stage_.transport.set_fault(topology_.control.address, fault); }

  const config::Topology& topology() const { return topology_; }
  net::Endpoint peer(size_t node) const { return topology_.nodes[node].peer_address; }
  net::Endpoint snippet_address() const { return topology_.snippets[0].address; }
  std::string folder() const { return folder_.path().string(); }
  offers::OfferStore& store() { return *store_; }
  node::Node& node(size_t i) { return *nodes_[i].node; }
  snippet::SnippetServer& snippets() { return *snippets_; }
  testing::FakeClock& clock() { return stage_.clock; }
  WatchedTransport& transport() { return stage_.transport; }

  // See Stage::run.
  template <typename Work>
  auto run(Work work) {
    return stage_.run(std::move(work));
  }

 private:
  struct Process {
    std::unique_ptr<node::Node> node;  // null = killed
    bool hangs = false;
  };

  void start_node(size_t i);
  void start_servers();
  void set_fault(size_t node, testing::Fault fault);
  offers::Shop shop(const std::string& name);
  boost::json::object ask_control(std::string path, std::string body);

  const Options options_;
  TemporaryFolder folder_;
  const obs::Log log_ = obs::Log::null();
  obs::AccessLog access_log_{nullptr};
  config::Market market_;
  config::Topology topology_;
  Stage stage_;
  std::unique_ptr<offers::OfferStore> store_;
  std::unique_ptr<control::ControlServer> control_;
  std::unique_ptr<snippet::SnippetServer> snippets_;
  std::vector<Process> nodes_;
};

}  // namespace souk::world
