// SPDX-License-Identifier: Apache-2.0
// The real server over a fake service on two loopback ports, for tests that speak HTTP from outside. Prints
// "PARTNER_PORT ADMIN_PORT" and serves until its input ends.
#include <boost/asio/post.hpp>
#include <cstdio>
#include <thread>

#include "indexer/partner/partner_server.h"
#include "tests/unit/indexer/partner/example_shop.h"

namespace souk::partner {
namespace {

int serve() {
  obs::Metrics metrics;
  boost::asio::io_context io(1);
  const auto service = std::make_shared<FakeFeedService>();
  add_example_shops(*service);
  PartnerServer server("indexer", service, metrics, real_clock(), obs::Log::null());
  net::HttpServer partner(io, PartnerServer::partner_limits(), server.partner_handler());
  net::HttpServer admin(io, PartnerServer::admin_limits(), server.admin_handler());
  if (!partner.listen({"127.0.0.1", 0}) || !admin.listen({"127.0.0.1", 0})) return 1;
  std::printf("%d %d\n", partner.local_endpoint().port, admin.local_endpoint().port);
  std::fflush(stdout);
  std::thread input([&] {
    while (std::getchar() != EOF) {
    }
    boost::asio::post(io, [&] {
      partner.stop();
      admin.stop();
    });
  });
  io.run();
  input.join();
  return 0;
}

}  // namespace
}  // namespace souk::partner

int main() {
  return souk::partner::serve();
}
