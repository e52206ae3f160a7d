// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <memory>
#include <string>
#include <vector>

#include "indexer/partner/partner_server.h"
#include "runtime/testing/fake_clock.h"
#include "tests/unit/control/run.h"
#include "tests/unit/indexer/partner/example_shop.h"

namespace souk::partner {

inline std::string header_of(const net::Response& response, std::string_view name) {
  for (const net::Header& header : response.headers) {
    if (header.name == name) return header.value;
  }
  return {};
}

inline boost::json::object object_of(const net::Response& response) {
  boost::system::error_code failure;
  boost::json::value value = boost::json::parse(response.body, failure);
  EXPECT_TRUE(!failure && value.is_object()) << response.body.substr(0, 300);
  return value.is_object() ? value.get_object() : boost::json::object();
}

// "code argument" of an error answer.
inline std::string error_of(const net::Response& response) {
  const auto object = object_of(response);
  const auto* error = object.if_contains("error");
  if (error == nullptr) return "none";
  return std::string(error->at("code").as_string()) + " " + std::string(error->at("argument").as_string());
}

// The server over the example shops; requests go to its handlers, without sockets.
class PartnerFixture : public ::testing::Test {
 protected:
  PartnerFixture() { add_example_shops(*service_); }

  net::Response partner(net::Request request) {
    return testing::run(io_, server_->partner_handler()(std::move(request)));
  }
  net::Response admin(const std::string& method, const std::string& path, const std::string& body = {}) {
    return testing::run(io_, server_->admin_handler()({.method = method, .path = path, .body = body}));
  }
  // With the token of shop "Север".
  net::Response api(const std::string& method, const std::string& path, const std::string& body = {},
                    const std::string& type = "application/json") {
    net::Request request{.method = method, .path = path, .body = body};
    if (const size_t mark = path.find('?'); mark != std::string::npos) {
      request.path = path.substr(0, mark);
      request.query = path.substr(mark + 1);
    }
    request.headers = {{"authorization", "Bearer token-1-1"}, {"content-type", type}};
    return partner(std::move(request));
  }
  // While other requests are under way.
  double metric_now(const std::string& name) {
    std::optional<net::Response> page;
    boost::asio::co_spawn(
        io_, server_->admin_handler()({.path = "/metrics"}),
        [&](const std::exception_ptr& /*thrown*/, net::Response response) { page = std::move(response); });
    while (!page) io_.run_one();
    const size_t at = page->body.find("\n" + name + " ");
    return at == std::string::npos ? -1 : std::stod(page->body.substr(at + name.size() + 2));
  }
  std::string metric(const std::string& line_begin) {
    const std::string page = admin("GET", "/metrics").body;
    const size_t at = page.find("\n" + line_begin);
    if (at == std::string::npos) return "none";
    const size_t end = page.find('\n', at + 1);
    return page.substr(page.rfind(' ', end) + 1, end - page.rfind(' ', end) - 1);
  }

  const std::shared_ptr<FakeFeedService> service_ = std::make_shared<FakeFeedService>();
  testing::FakeClock clock_;
  boost::asio::io_context io_;
  obs::Metrics metrics_;
  std::unique_ptr<PartnerServer> server_ =
      std::make_unique<PartnerServer>("indexer", service_, metrics_, clock_, obs::Log::null());
};

}  // namespace souk::partner
