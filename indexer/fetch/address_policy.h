// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <string>

namespace souk::fetch {

// As is_public_address() takes it; "" for other families than IPv4 and IPv6.
std::string to_text(const sockaddr& address);

}  // namespace souk::fetch
