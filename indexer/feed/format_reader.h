// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "indexer/feed/offer.h"

namespace souk::feed {

// One format: text -> validated offers. A format is constructed with (const ReadOptions&, FeedReader::Accept, Report&)
// and says in the report's feed_error why it refuses the feed.
class FormatReader {
 public:
  virtual ~FormatReader() = default;

  // Well-formed UTF-8 without a byte order mark, in pieces that end with whole characters (blanks before the first
  // character are part of it). false = refused, stop.
  virtual bool push(std::string_view utf8) = 0;
  // The end of the text. What a whole feed lacks (missing_shop, no_valid_offers) is refused here.
  virtual bool finish() = 0;
  virtual const FeedHeader& header() const = 0;
};

}  // namespace souk::feed
