// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <string>

#include "indexer/feed/offer.h"

namespace souk::check {

// "1490.00"
std::string price_text(int64_t hundredths);

boost::json::value text_or_null(const std::string& text);  // null when empty

// An offer as `souk-indexer check --json` shows it; what an offer has not is null.
boost::json::object offer_json(const feed::Offer& offer);

}  // namespace souk::check
