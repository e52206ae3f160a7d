// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/error.h"

namespace souk::fetch {

// An address that may be fetched: http or https, a host, no credentials.
struct FeedUrl {
  std::string text;  // normal form
  std::string host;  // in lower case; an IPv6 address in brackets
  bool https = false;
};

// kInvalidArgument with what is wrong. any_port: not just the usual ports of the web.
Result<FeedUrl> parse_feed_url(const std::string& text, bool any_port);
// Where a redirect leads; never from https to http.
Result<FeedUrl> resolve_redirect(const FeedUrl& from, const std::string& location, bool any_port);

}  // namespace souk::fetch
