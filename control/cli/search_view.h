// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "runtime/net/http.h"

namespace souk::control {

// GET /search with a text and filters, each written "name=value". kInvalidArgument names a filter without '='.
Result<net::Request> search_request(std::string_view text, const std::vector<std::string>& filters);

// The answer for a person: what the query was understood as, the totals, a table of items, warnings. An answer that is
// not 200, or not what /search sends, is an Error.
Result<std::string> search_text(const net::Response& response);

}  // namespace souk::control
