// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>

#include "control/client/control_client.h"
#include "meta/serve/meta_server.h"
#include "runtime/config/topology.h"
#include "runtime/exec/worker_pool.h"
#include "runtime/net/http.h"
#include "runtime/net/http_server.h"
#include "runtime/obs/log.h"
#include "searcher/generation/generation_keeper.h"
#include "searcher/generation/generations.h"
#include "searcher/serve/shard_server.h"

namespace souk::node {

// A whole souk-node: one shard in RAM, the meta layer, and what keeps its generations. Many can live in one process
// over an injected transport and clock. Everything but the pools lives on io's one thread.
class Node {
 public:
  struct World {  // outlives the node
    boost::asio::io_context& io;
    const config::Topology& topology;
    net::Transport& transport;
    const Clock& clock;
    const obs::Log& log;
    std::string data;  // the world folder
    uint64_t seed;
  };
  Node(World world, const config::NodeConfig& config);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Status restore();                     // what the disk says; blocking, before start()
  Status listen();                      // both ports
  void start();                         // follow control's orders: step() each second
  boost::asio::awaitable<void> step();  // one report to control and what follows, for who moves a clock of his own
  void stop();

  // What the two ports serve.
  boost::asio::awaitable<net::Response> handle_public(net::Request request);
  boost::asio::awaitable<net::Response> handle_peer(net::Request request);

 private:
  bool serving() const;
  net::Response ping() const;
  net::Response status() const;
  boost::asio::awaitable<net::Response> shard_for_people(net::Request request);

  World world_;
  const config::NodeConfig& config_;
  generation::Generations generations_;
  exec::WorkerPool search_pool_;
  exec::WorkerPool loader_pool_;
  control::ControlClient control_;
  generation::GenerationKeeper keeper_;
  shard_server::ShardServer shard_;
  snippet::SnippetClient snippets_;
  meta_serve::MetaServer meta_;
  net::HttpServer public_server_;
  net::HttpServer peer_server_;
  boost::asio::cancellation_signal stop_keeper_;
};

}  // namespace souk::node
