// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "indexer/feed/offer.h"
#include "indexer/feed/report.h"

namespace souk::feed {

// Reads one YML feed as a stream: unpack (gzip by magic bytes) -> to UTF-8 (windows-1251 by the declaration) -> expat
// -> validated offers. Strict rules (FEEDS.md section 5). Memory is bounded by the limits, not by the feed.
// accept(offer) is called for each good offer in document order. When the feed is refused as a whole, whatever was
// accepted before must be thrown away by the caller: report.feed_error says why, with the line.
class YmlReader {
 public:
  using Accept = std::function<void(Offer&&)>;
  YmlReader(ReaderLimits limits, Accept accept, Report& report);
  ~YmlReader();
  YmlReader(const YmlReader&) = delete;
  YmlReader& operator=(const YmlReader&) = delete;

  // Packed bytes as they come from the file. false = the feed is refused, stop.
  bool push(std::string_view bytes);
  // The end of the file. false = the feed is refused.
  bool finish();
  const FeedHeader& header() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// push() the whole file; progress(bytes read, bytes in all). A file that cannot be read gives feed_error "unreadable".
FeedHeader read_feed_file(const std::string& path, const ReaderLimits& limits, const YmlReader::Accept& accept,
                          Report& report, const std::function<void(uint64_t, uint64_t)>& progress);

}  // namespace souk::feed
