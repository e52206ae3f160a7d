// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "indexer/feed/feed.pb.h"
#include "indexer/feed/offer.h"
#include "indexer/feed/report.h"

namespace souk::feed {

// Structs <-> records. Equal structs give equal bytes (but for ReportRecord's maps). read_*() take any record: what is
// out of an Offer's bounds (offer.h) is kCorruption, since records come from the child that reads hostile feeds.
void fill_record(FeedOfferRecord& record, const Offer& offer);
Result<Offer> read_record(FeedOfferRecord&& record);
void fill_record(FeedHeaderRecord& record, const FeedHeader& header);
Result<FeedHeader> read_record(FeedHeaderRecord&& record);
void fill_record(DeliveryRecord& record, const DeliveryTerms& terms);
Result<DeliveryTerms> read_record(const DeliveryRecord& record);
void fill_record(ReportRecord& record, const Report& report);  // not shop, file, unchanged and the difference
Status read_record(ReportRecord&& record, Report& report);

}  // namespace souk::feed
