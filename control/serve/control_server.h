// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>

#include "control/serve/registry.h"
#include "control/store/metastore.h"
#include "runtime/exec/worker_pool.h"
#include "runtime/net/http.h"

namespace souk::control {

// control's HTTP over a Registry:
//   POST /replicas     a replica's report -> {active,target,epoch}
//   POST /generations  {"hash","shards"}  -> {"generation"}
//   POST /shops        {"name"}           -> {"number"}
//   GET  /status, GET /ping
// All work with the store runs on one pool thread, one request after the other: control is the only writer.
class ControlServer {
 public:
  // Fails when the store cannot be read.
  static Result<std::unique_ptr<ControlServer>> make(const config::Topology& topology, std::unique_ptr<Metastore> store,
                                                     const Clock& clock, obs::Log log);
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  // The server must outlive every call of it.
  net::Handler handler();

 private:
  ControlServer(std::string name, std::shared_ptr<Registry> registry, const Clock& clock);
  boost::asio::awaitable<net::Response> handle(net::Request request);
  boost::asio::awaitable<net::Response> on_report(std::string body);
  boost::asio::awaitable<net::Response> on_publish(std::string body);
  boost::asio::awaitable<net::Response> on_shop(std::string body);
  boost::asio::awaitable<net::Response> on_status();
  Deadline deadline() const;

  const std::string name_;
  const std::shared_ptr<Registry> registry_;
  const Clock& clock_;
  exec::WorkerPool pool_;  // last: its thread ends before the registry does
};

}  // namespace souk::control
