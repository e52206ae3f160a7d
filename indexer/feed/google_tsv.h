// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/feed/feed_reader.h"
#include "indexer/feed/format_reader.h"
#include "indexer/feed/google_attributes.h"
#include "indexer/feed/offer_validator.h"

namespace souk::feed {

// Google Merchant as tab-separated text: a header of attribute names, then a row per item. A cell that begins with a
// quote goes to the closing quote, over line ends and tabs, a doubled quote being one. A row with more cells than the
// header, with a badly quoted cell or longer than kMaxRow is bad_row, and reading goes on with the next line; a row may
// lack cells at its end.
class GoogleTsv final : public FormatReader {
 public:
  static constexpr size_t kMaxRow = 1 << 20;  // bytes
  static constexpr size_t kMaxColumns = 1000;

  GoogleTsv(const ReadOptions& options, FeedReader::Accept accept, Report& report);

  bool push(std::string_view utf8) override;
  bool finish() override;
  const FeedHeader& header() const override { return header_; }

 private:
  enum class Row : uint8_t { kWhole, kIncomplete, kBad };

  bool take_rows(bool at_end);
  bool skip_line(bool at_end);
  Row cut_row(std::string_view text, bool at_end, size_t& length);
  bool take_plain(std::string_view row, bool whole, size_t& at, std::string& cell);
  bool take_quoted(std::string_view row, bool whole, size_t& at, std::string& cell);
  bool take_row(Row row);
  bool take_header(Row row);
  void take_item();
  void bad_row(std::string message);
  bool refuse(const char* kind, std::string message);

  const ReaderLimits limits_;
  const FeedReader::Accept accept_;
  Report& report_;
  FeedHeader header_;
  OfferValidator validator_;

  std::string buffer_;     // from the row in work on
  size_t at_ = 0;          // of that row in the buffer
  uint64_t line_ = 1;      // of that row
  bool skipping_ = false;  // the rest of a line of a bad row
  bool has_header_ = false;
  uint64_t rows_ = 0;
  std::vector<std::string> cells_;  // of the row in work; the first count_ are its
  size_t count_ = 0;
  const char* fault_ = nullptr;  // of a bad row
  std::vector<const GoogleAttribute*> columns_;
  size_t id_column_ = 0;
  RawOffer raw_;
};

}  // namespace souk::feed
