// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "indexer/feed/offer.h"
#include "indexer/feed/read_options.h"
#include "indexer/feed/report.h"

namespace souk::feed {

// Reads one feed of any format as a stream: unpack (gzip by magic bytes) -> to UTF-8 -> the format, known by its
// content (XML; JSON lines begin with "{"; a table has a tab and a column "id" in its first line) -> validated offers.
// Lenient: other text before the XML is cut (warning junk_before_xml). Memory is bounded by the limits, not by the
// feed; but for the ids of its offers (16 bytes each).
// accept(offer) is called for each good offer in document order. When the feed is refused as a whole, whatever was
// accepted before must be thrown away by the caller: report.feed_error says why, with the line.
// One reader reads one feed, on one thread.
class FeedReader {
 public:
  using Accept = std::function<void(Offer&&)>;
  FeedReader(const ReadOptions& options, Accept accept, Report& report);
  ~FeedReader();
  FeedReader(const FeedReader&) = delete;
  FeedReader& operator=(const FeedReader&) = delete;

  // Packed bytes as they come from the file. false = the feed is refused, stop.
  bool push(std::string_view bytes);
  // The end of the file. false = the feed is refused.
  bool finish();
  const FeedHeader& header() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Reads the whole file, a zip archive of one feed too (its directory is at the end, so it cannot be pushed);
// progress(bytes read, bytes in all), may be empty. A file that cannot be read gives feed_error "unreadable".
FeedHeader read_feed_file(const std::string& path, const ReadOptions& options, const FeedReader::Accept& accept,
                          Report& report, const std::function<void(uint64_t, uint64_t)>& progress);

// The same of an open regular file, from its start; a process that may open nothing reads by it. The fd stays open.
FeedHeader read_feed(int fd, const ReadOptions& options, const FeedReader::Accept& accept, Report& report,
                     const std::function<void(uint64_t, uint64_t)>& progress);

}  // namespace souk::feed
