// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>

#include "indexer/ingest/feed_service.h"
#include "runtime/net/http.h"
#include "runtime/net/http_server.h"
#include "runtime/obs/log.h"
#include "runtime/obs/metrics.h"

namespace souk::partner {

// The feed service over HTTP: for shops on a public port (programs with a bearer token, people in a browser), for the
// market's people on a loopback one. The handlers may run on two IO threads; no call of the service runs on them. The
// object must outlive every call of its handlers.
class PartnerServer {
 public:
  // name: of the process, for /status. metrics: the process's, shown on /metrics.
  PartnerServer(std::string name, std::shared_ptr<ingest::FeedService> service, obs::Metrics& metrics,
                const Clock& clock, obs::Log log);
  ~PartnerServer();
  PartnerServer(const PartnerServer&) = delete;
  PartnerServer& operator=(const PartnerServer&) = delete;

  net::Handler partner_handler();
  net::Handler admin_handler();

  // A feed to be checked may come as a body; so few connections that bodies of all at once fit into 512 MiB. A check
  // fetches a feed, and a change of settings waits for a build: they take their time.
  static net::ServerLimits partner_limits();
  static net::ServerLimits admin_limits();

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace souk::partner
