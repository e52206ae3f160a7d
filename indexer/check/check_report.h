// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <functional>

#include "core/base/error.h"
#include "indexer/feed/offer.h"
#include "indexer/feed/report.h"

namespace souk::check {

// Gives the accepted offers one by one; stops with each()'s error.
using EachOffer = std::function<Status(const std::function<Status(feed::Offer&&)>& each)>;

// The report of one feed as a JSON object, in the terms of the feed cases: feed, feed_error, line, warnings, accepted,
// rejected, date, and more. Offers are written as they come. kUnavailable when the file cannot be written.
Status write_json(std::FILE* out, const feed::Report& report, const EachOffer& offers);

// For people: the outcome, counts by kind with their sentences, and the first messages.
Status write_text(std::FILE* out, const feed::Report& report);

}  // namespace souk::check
