// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <deque>
#include <string>

#include "control/client/control_client.h"
#include "meta/health/health.h"
#include "meta/serve/meta_server.h"
#include "runtime/config/topology.h"
#include "runtime/exec/worker_pool.h"
#include "runtime/net/http.h"
#include "runtime/net/http_server.h"
#include "runtime/net/line_server.h"
#include "runtime/obs/access_log.h"
#include "runtime/obs/log.h"
#include "runtime/obs/metrics.h"
#include "searcher/generation/generation_keeper.h"
#include "searcher/generation/generations.h"
#include "searcher/serve/shard_server.h"

namespace souk::node {

// A whole souk-node: one shard in RAM, the meta layer, what keeps its generations, and its health. Many can live in one
// process over injected transports and a clock. Two threads: io's has the requests, health_io's has what must answer
// whatever the load (/status, /metrics, /ping, the agent check, asking the peers). In a test both may be one.
class Node {
 public:
  struct World {  // outlives the node
    boost::asio::io_context& io;
    net::Transport& transport;  // used on io
    boost::asio::io_context& health_io;
    net::Transport& health_transport;  // used on health_io
    const config::Topology& topology;
    const Clock& clock;
    const obs::Log& log;
    obs::AccessLog& access_log;
    std::string data;  // the world folder
    uint64_t seed;
  };
  Node(World world, const config::NodeConfig& config);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Status restore();                     // what the disk says; blocking, before start()
  Status listen();                      // all ports
  void start();                         // follow control's orders and the peers: step() each second
  boost::asio::awaitable<void> step();  // for who moves a clock of his own: one report to control, one poll of each
                                        // peer, and what follows; all on io
  // The node is leaving: /ping and /status say so at once, it serves on until the balancer and the peers have noticed,
  // and ends when it has answered what it has taken. To be followed by stop(); on io's thread.
  boost::asio::awaitable<void> drain();
  void stop();         // on io's thread
  void stop_health();  // on health_io's

  // What the ports serve. handle_admin runs on health_io's thread, the others on io's.
  boost::asio::awaitable<net::Response> handle_public(net::Request request);
  boost::asio::awaitable<net::Response> handle_peer(net::Request request);
  boost::asio::awaitable<net::Response> handle_admin(net::Request request);
  std::string agent_line() const;  // "up 97%\n"

 private:
  GenerationId serving() const;  // the active generation, if this node can do its part with it
  net::Response ping(const net::Request& request) const;
  net::Response status() const;
  net::Response metrics_page();
  boost::asio::awaitable<void> beat();
  boost::asio::awaitable<net::Response> shard_for_people(net::Request request);

  struct NodeGauges {
    explicit NodeGauges(obs::Metrics& metrics);
    prometheus::Gauge &available, &weight, &in_flight, &peers_gone, &generation, &documents, &index_bytes, &queued,
        &resident_bytes, &cpu_seconds;
  };

  World world_;
  const config::NodeConfig& config_;
  generation::Generations generations_;
  exec::WorkerPool search_pool_;
  exec::WorkerPool loader_pool_;
  control::ControlClient control_;
  generation::GenerationKeeper keeper_;
  obs::Metrics metrics_;
  NodeGauges gauges_;
  shard_server::ShardServer shard_;
  snippet::SnippetClient snippets_;
  health::Heartbeats heartbeats_;
  health::Health health_;
  meta_serve::MetaServer meta_;
  net::HttpServer public_server_;
  net::HttpServer peer_server_;
  net::HttpServer admin_server_;
  net::LineServer agent_server_;
  std::atomic<bool> draining_ = false;
  boost::asio::cancellation_signal stop_keeper_, stop_beat_;
  std::deque<boost::asio::cancellation_signal> stop_health_;
};

}  // namespace souk::node
