// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <map>
#include <string>

#include "control/client/control_client.h"
#include "runtime/exec/worker_pool.h"
#include "runtime/obs/log.h"
#include "searcher/generation/generations.h"

namespace souk::generation {

// Follows control's orders: each second reports what the node can serve, loads the target beside what it has, and makes
// a generation active when control says so. What control said last lies on the node's disk, so a node serves without
// control. Lives on one io_context thread; loads on a thread of its own, never on a search thread.
class GenerationKeeper {
 public:
  struct Place {
    std::string name;  // the node's
    std::string cluster;
    uint32_t shard = 0;       // 0 = dictionary only
    std::string generations;  // folder of the generations
    std::string orders_file;  // last orders
  };

  GenerationKeeper(Place place, Generations& generations, control::ControlClient& control, exec::WorkerPool& loader,
                   const Clock& clock, const obs::Log& log);

  // Loads and activates what the orders file says; without one it does nothing. Before serving; blocking.
  Status restore();
  boost::asio::awaitable<void> step();  // one report and what follows from its answer
  boost::asio::awaitable<void> run();   // step() each second until cancelled

 private:
  boost::asio::awaitable<void> hold(GenerationId id, control::Orders orders);  // loads it if it is not held
  boost::asio::awaitable<void> load(GenerationId id);
  void obey(const control::Orders& orders);
  Status remember();
  GenerationId serving() const;
  std::string problem() const;

  Place place_;
  Generations& generations_;
  control::ControlClient& control_;
  exec::WorkerPool& loader_;
  const Clock& clock_;
  const obs::Log& log_;
  control::Orders orders_;  // the last obeyed: what is served and the epoch; no target
  GenerationId previous_;   // active before: queries pinned to it may still be on their way
  struct Failure {
    std::string problem;
    SteadyTime retry_at;
  };
  std::map<GenerationId, Failure> failed_;  // wanted, and could not be loaded
};

}  // namespace souk::generation
