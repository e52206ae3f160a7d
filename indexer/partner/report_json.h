// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/value.hpp>
#include <vector>

#include "indexer/ingest/feed_service.h"
#include "indexer/partner/requests.h"

namespace souk::partner {

boost::json::object shop_json(const ingest::ShopStatus& status);   // what a shop may know of itself
boost::json::object admin_json(const ingest::ShopStatus& status);  // the same with the market's own number and key
boost::json::object summary_json(const ingest::FeedRun& run);      // what a list of runs knows
boost::json::object run_json(const ingest::FeedRun& run, const ListRange& range);  // whole
boost::json::object report_json(const feed::Report& report);  // of a check: with the first entries of the lists
boost::json::array runs_json(const std::vector<ingest::FeedRun>& runs);

}  // namespace souk::partner
