// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace souk::net {

// The traceparent header (W3C Trace Context, version 00): taken when it is well-formed, else begun here; each hop gets
// a parent id of its own. random: 64 fresh bits each.
std::string next_traceparent(std::string_view received, uint64_t random1, uint64_t random2, uint64_t random3);

}  // namespace souk::net
