// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/value.hpp>
#include <string_view>

#include "control/client/control_client.h"

namespace souk::control {

// JSON between control and its replicas, both directions. Unknown members are left aside, so that two versions of souk
// can talk. What is wrong is kInvalidArgument with the member's name.
boost::json::object to_json(const ReplicaState& state);
boost::json::object to_json(const Orders& orders);
Result<ReplicaState> replica_from_json(std::string_view text);
Result<Orders> orders_from_json(std::string_view text);

// An object of at most 64 KiB and 8 levels, as all of control's requests are.
Result<boost::json::object> parse_object(std::string_view text);
// A member that must be there: text of at most max_bytes without control characters.
Result<std::string> text_member(const boost::json::object& object, std::string_view name, size_t max_bytes);
// A member that must be there: a number in 0..max.
Result<uint64_t> number_member(const boost::json::object& object, std::string_view name, uint64_t max);

}  // namespace souk::control
