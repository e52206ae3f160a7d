// SPDX-License-Identifier: Apache-2.0
#include "control/cli/fetch.h"

namespace souk::control {

net::Request get_request(std::string path, std::string query) {
  net::Request request;
  request.path = std::move(path);
  request.query = std::move(query);
  return request;
}

net::Endpoint reachable(net::Endpoint listen) {
  if (listen.ip == "0.0.0.0") listen.ip = "127.0.0.1";
  if (listen.ip == "::") listen.ip = "::1";
  return listen;
}

}  // namespace souk::control
