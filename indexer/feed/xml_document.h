// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "indexer/feed/offer.h"
#include "indexer/feed/xml_parser.h"

namespace souk::feed {

// What one kind of XML feed makes of its elements, from the root's on. A document is constructed with (const
// ReadOptions&, FeedReader::Accept, Report&).
class XmlDocument : public XmlHandler {
 public:
  // Before the first event.
  virtual void bind(XmlParser& parser) = 0;
  virtual const FeedHeader& header() const = 0;
  // After the last event of a whole document, with the feed's last line. What it lacks (missing_shop, no_valid_offers)
  // goes into the report's feed_error: false.
  virtual bool check_whole(uint64_t last_line) = 0;
};

}  // namespace souk::feed
