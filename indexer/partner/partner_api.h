// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "indexer/partner/calls.h"
#include "indexer/partner/sign_in.h"
#include "runtime/net/http.h"
#include "runtime/obs/log.h"

namespace souk::partner {

// What a shop's program asks, as JSON, with the shop's token (docs/partner-openapi.yaml):
//   GET  /api/shop        PUT  /api/shop/feed   GET  /api/runs, /api/runs/N
//   POST /api/check       POST /api/reread
class PartnerApi {
 public:
  static constexpr size_t kMaxJson = 64 * 1024;

  PartnerApi(Calls& calls, SignIn& sign_in, obs::Log log);

  boost::asio::awaitable<net::Response> handle(net::Request request);

 private:
  boost::asio::awaitable<net::Response> serve(std::string shop, net::Request request);
  boost::asio::awaitable<net::Response> on_shop(std::string shop);
  boost::asio::awaitable<net::Response> on_feed(std::string shop, std::string body);
  boost::asio::awaitable<net::Response> on_runs(std::string shop);
  boost::asio::awaitable<net::Response> on_run(std::string shop, std::string number, std::string query);
  boost::asio::awaitable<net::Response> on_check(std::string shop, net::Request request);
  boost::asio::awaitable<net::Response> check_body(std::string shop, net::Request request);
  boost::asio::awaitable<net::Response> on_reread(std::string shop);

  Calls& calls_;
  SignIn& sign_in_;
  const obs::Log log_;
};

}  // namespace souk::partner
