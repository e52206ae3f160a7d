// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "runtime/net/http.h"

namespace souk::net {

// A name or value that cannot break a head: no control characters. Internal to runtime/net.
bool is_safe_header(const Header& header);
bool is_safe_target(std::string_view text);

// The head of a response, the empty line included. Content-Length is left out for 204 and 304 only.
std::string response_head(const Response& response, bool keep_alive);

// The head of a request, the empty line included; kInvalidArgument when a part could break it.
Result<std::string> request_head(const Request& request, const Endpoint& endpoint);

}  // namespace souk::net
