// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "runtime/net/http.h"

namespace souk::control {

// An answer's body as JSON; an answer that is not 200 is an Error with what its {"error":…} says.
Result<boost::json::object> answer_object(const net::Response& response);

// Members of an object that may lack them or hold something else.
std::string text_at(const boost::json::object& object, std::string_view name);
std::optional<uint64_t> number_at(const boost::json::object& object, std::string_view name);
const boost::json::object* object_at(const boost::json::object& object, std::string_view name);
const boost::json::array* array_at(const boost::json::object& object, std::string_view name);
// The texts and numbers of a list, separated; empty when there is no such list.
std::string joined_at(const boost::json::object& object, std::string_view name, std::string_view separator);

}  // namespace souk::control
