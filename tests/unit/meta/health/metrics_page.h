// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>

#include "tests/world/world.h"

namespace souk::health {

// The value of one series, labels included, on a page of Prometheus' text format.
inline double metric_in(const std::string& page, std::string_view series) {
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(series) && line.size() > series.size() && line[series.size()] == ' ') {
      return std::stod(line.substr(series.size()));
    }
  }
  ADD_FAILURE() << "no metric " << series << " in\n" << page;
  return -1;
}

inline std::string metrics_page(world::World& world, size_t node) {
  net::Request request;
  request.path = "/metrics";
  const net::Response response = world.run(world.node(node).handle_admin(std::move(request)));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "text/plain; version=0.0.4; charset=utf-8");
  return response.body;
}

inline double metric_of(world::World& world, size_t node, std::string_view series) {
  return metric_in(metrics_page(world, node), series);
}

}  // namespace souk::health
