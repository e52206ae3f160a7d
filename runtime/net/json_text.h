// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <string>

namespace souk::net {

// Boost.JSON prints 1299.5 as 1.2995E3; this prints plain decimals. Object order is kept.
std::string to_text(const boost::json::value& value);

// The same, indented by two blanks, for people.
std::string to_pretty_text(const boost::json::value& value);

}  // namespace souk::net
