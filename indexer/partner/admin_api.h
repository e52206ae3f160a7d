// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "indexer/partner/calls.h"
#include "indexer/partner/partner_metrics.h"
#include "indexer/partner/sessions.h"
#include "runtime/net/http.h"
#include "runtime/obs/log.h"

namespace souk::partner {

// What the market's people ask, on a loopback port without tokens (docs/partner-openapi.yaml):
//   GET  /shops, /shops/NAME       POST /shops               PUT /shops/NAME
//   POST /shops/NAME/release       POST /shops/NAME/reread
//   GET  /ping, /status, /metrics
class AdminApi {
 public:
  AdminApi(std::string name, Calls& calls, Sessions& sessions, obs::Log log);

  // /ping and /metrics are the server's.
  boost::asio::awaitable<net::Response> handle(net::Request request);

 private:
  boost::asio::awaitable<net::Response> on_shops();
  boost::asio::awaitable<net::Response> on_status();
  boost::asio::awaitable<net::Response> on_new_shop(std::string body);
  boost::asio::awaitable<net::Response> serve_shop(std::string rest, net::Request request);
  boost::asio::awaitable<net::Response> on_shop(std::string shop);
  boost::asio::awaitable<net::Response> on_settings(std::string shop, std::string body);
  boost::asio::awaitable<net::Response> on_release(std::string shop);
  boost::asio::awaitable<net::Response> on_reread(std::string shop);

  const std::string name_;
  Calls& calls_;
  Sessions& sessions_;
  const obs::Log log_;
};

}  // namespace souk::partner
