// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/partner_server.h"

#include "indexer/partner/admin_api.h"
#include "indexer/partner/answers.h"
#include "indexer/partner/partner_api.h"
#include "indexer/partner/partner_metrics.h"
#include "indexer/partner/partner_pages.h"

namespace souk::partner {

struct PartnerServer::Impl {
  Impl(std::string name, std::shared_ptr<ingest::FeedService> service, obs::Metrics& all_metrics,
       const Clock& server_clock, obs::Log log)
      : registry(all_metrics),
        clock(server_clock),
        metrics(all_metrics),
        sessions(clock),
        calls(std::move(service), clock),
        sign_in(calls, metrics, clock),
        api(calls, sign_in, log),
        pages(calls, sessions, sign_in),
        admin(std::move(name), calls, sessions, log) {}

  boost::asio::awaitable<net::Response> handle_partner(net::Request request) {
    const SteadyTime begin = clock.now();
    const bool program = request.path.starts_with("/api/");
    net::Response response;
    if (program) {
      response = co_await api.handle(std::move(request));
    } else {
      response = co_await pages.handle(std::move(request));
    }
    response.headers.push_back({"x-content-type-options", "nosniff"});
    (program ? metrics.api : metrics.pages).note(response.status);
    metrics.seconds.Observe(std::chrono::duration<double>(clock.now() - begin).count());
    co_return response;
  }

  boost::asio::awaitable<net::Response> handle_admin(net::Request request) {
    net::Response response;
    if (request.path == "/ping" || request.path == "/metrics") {
      response = request.method != "GET"   ? wrong_method("GET, HEAD")
                 : request.path == "/ping" ? ping()
                                           : metrics_page();
    } else {
      response = co_await admin.handle(std::move(request));
    }
    metrics.admin.note(response.status);
    co_return response;
  }

  static net::Response ping() {
    net::Response response;
    response.body = "ok\n";
    return response;
  }

  net::Response metrics_page() {
    metrics.sessions.Set(static_cast<double>(sessions.size()));
    metrics.queued_calls.Set(static_cast<double>(calls.queued()));
    return {.status = 200, .content_type = obs::kMetricsContentType, .headers = {}, .body = registry.text()};
  }

  obs::Metrics& registry;
  const Clock& clock;
  PartnerMetrics metrics;
  Sessions sessions;
  Calls calls;
  SignIn sign_in;
  PartnerApi api;
  PartnerPages pages;
  AdminApi admin;
};

PartnerServer::PartnerServer(std::string name, std::shared_ptr<ingest::FeedService> service, obs::Metrics& metrics,
                             const Clock& clock, obs::Log log)
    : impl_(std::make_unique<Impl>(std::move(name), std::move(service), metrics, clock, std::move(log))) {}

PartnerServer::~PartnerServer() = default;

net::Handler PartnerServer::partner_handler() {
  return [impl = impl_.get()](net::Request request) { return impl->handle_partner(std::move(request)); };
}

net::Handler PartnerServer::admin_handler() {
  return [impl = impl_.get()](net::Request request) { return impl->handle_admin(std::move(request)); };
}

net::ServerLimits PartnerServer::partner_limits() {
  net::ServerLimits limits;
  limits.body_bytes = 4 << 20;
  limits.connections = 128;
  limits.idle_time = std::chrono::seconds(15);
  limits.request_time = std::chrono::seconds(120);
  return limits;
}

net::ServerLimits PartnerServer::admin_limits() {
  net::ServerLimits limits;
  limits.connections = 64;
  limits.request_time = std::chrono::seconds(120);
  return limits;
}

}  // namespace souk::partner
