// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/feed/feed_reader.h"
#include "indexer/feed/format_reader.h"
#include "indexer/feed/offer_validator.h"

namespace souk::feed {

// One offer a line, as a JSON object of souk's own field names (docs/feeds.md). Unknown fields are ignored. A line that
// is not such an object, is longer than kMaxLine or nests deeper than kMaxDepth is bad_row; the others go on.
class JsonLines final : public FormatReader {
 public:
  static constexpr size_t kMaxLine = 1 << 20;  // bytes
  static constexpr size_t kMaxDepth = 8;

  JsonLines(const ReadOptions& options, FeedReader::Accept accept, Report& report);

  bool push(std::string_view utf8) override;
  bool finish() override;
  const FeedHeader& header() const override { return header_; }

 private:
  bool take_line(std::string_view line);
  void long_line();
  void bad_row(std::string message);
  bool refuse(const char* kind, std::string message);

  const ReaderLimits limits_;
  const FeedReader::Accept accept_;
  Report& report_;
  FeedHeader header_;
  OfferValidator validator_;

  std::string begun_;  // a line whose end has not come yet
  bool too_long_ = false;
  uint64_t line_ = 1;
  uint64_t rows_ = 0;
  std::vector<unsigned char> memory_;  // of one line's values
  RawOffer raw_;
};

}  // namespace souk::feed
