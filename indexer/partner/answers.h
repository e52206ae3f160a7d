// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "runtime/net/http.h"

namespace souk::partner {

net::Response json_answer(const Result<std::string>& body);  // 200, or the error's status
// To a wish for a feed to be read: 202, or 429 when it comes too early.
net::Response reread_answer(const Status& queued);

// Errors beside those of ErrorCode, in the same shape.
net::Response unauthorized();                                               // 401
net::Response forbidden(std::string_view message);                          // 403
net::Response too_large(std::string_view message);                          // 413
net::Response too_many(std::string_view message, int retry_after_seconds);  // 429
net::Response wrong_method(const std::string& allowed);                     // 405
net::Response no_such_page();                                               // 404

}  // namespace souk::partner
