// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "meta/health/agent_weight.h"
#include "meta/health/heartbeats.h"
#include "meta/health/verdict.h"
#include "runtime/exec/snapshot.h"
#include "runtime/net/http.h"

namespace souk::health {

// What a node thinks of itself and its cluster: asks every peer's /status once a second and keeps a verdict for /ping
// and a weight for the balancer's agent check. Its coroutines live on one thread of their own, away from requests;
// verdict(), weight() and peers() may be called from any thread and do no I/O.
class Health {
 public:
  struct PeerAddress {
    std::string name;
    net::Endpoint status;  // its admin port
  };
  struct Settings {
    Mode mode = Mode::kMesh;
    uint32_t shards = 0;
    std::string engine;
    uint32_t shard = 0;  // own; 0 = none
    std::vector<PeerAddress> peers;
    uint64_t seed = 0;  // of the jitter
  };
  // Reads the node's own state; thread-safe.
  struct Probes {
    std::function<GenerationId()> active;   // empty when this node cannot serve it
    std::function<std::string()> stale;     // Heartbeats::stale
    std::function<double()> cpu_seconds;    // of the process since it began
    std::function<double()> queue_wait_ms;  // mean of the last second
    double threads = 1;                     // that cpu_seconds can keep busy
  };
  static constexpr std::chrono::milliseconds kPollLimit{300};

  Health(Settings settings, Probes probes, net::Transport& transport, const Clock& clock);

  size_t peer_count() const { return settings_.peers.size(); }
  boost::asio::awaitable<void> poll(size_t peer);    // asks once
  boost::asio::awaitable<void> follow(size_t peer);  // asks each second, jittered, until cancelled
  void sample();                                     // own load and the verdict, once a second
  boost::asio::awaitable<void> keep_sampling();      // likewise until cancelled

  std::shared_ptr<const Verdict> verdict() const { return verdict_.get(); }
  std::shared_ptr<const std::vector<Peer>> peers() const { return peers_.get(); }
  uint32_t weight() const { return weight_.load(std::memory_order_relaxed); }
  // Everything this node sees refuses new queries: asking another one would only add load.
  bool all_peers_full() const;

 private:
  void note(size_t peer, const Result<net::Response>& answer);
  void publish();

  Settings settings_;
  Probes probes_;
  net::Transport& transport_;
  const Clock& clock_;
  std::mt19937_64 random_;
  std::vector<Peer> seen_;
  AgentWeight agent_weight_;
  SteadyTime sampled_;
  double cpu_before_;
  exec::Snapshot<Verdict> verdict_;
  exec::Snapshot<std::vector<Peer>> peers_;
  std::atomic<uint32_t> weight_{100};
};

}  // namespace souk::health
