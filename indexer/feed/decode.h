// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "indexer/feed/report.h"
#include "indexer/feed/single_byte.h"
#include "indexer/feed/unpack.h"

namespace souk::feed {

// Second stage: to well-formed UTF-8 without a byte order mark. The encoding is that of the byte order mark, else of
// the XML declaration, else UTF-8: UTF-8, UTF-16, windows-1251, KOI8-R, KOI8-U, ISO-8859-1, US-ASCII. Refuses with
// unsupported_encoding and bad_encoding (with the line of the first bad byte), after all good text before it has been
// passed on. The first block that it passes on holds at least the first 2 KiB of the document, or all of it.
class Decoder {
 public:
  Decoder(Sink sink, FeedError& error);

  bool push(std::string_view bytes);
  bool finish();
  uint64_t line() const { return lines_ + 1; }  // where the text passed on so far ends

 private:
  enum class Encoding { kUtf8, kUtf16Little, kUtf16Big, kTable };

  bool start();
  bool choose(std::string_view declared);
  bool convert(std::string_view bytes);
  bool convert_utf8(std::string_view bytes);
  bool convert_utf16(std::string_view bytes);
  bool convert_table(std::string_view bytes);
  bool emit(std::string_view text);
  bool bad_encoding(std::string message);

  Sink sink_;
  FeedError& error_;
  std::string head_;  // until the encoding is known
  bool started_ = false;
  Encoding encoding_ = Encoding::kUtf8;
  std::string encoding_name_ = "UTF-8";
  std::optional<SingleByteTable> table_;
  std::string rest_;  // a character that the end of the last block cut
  std::string out_;
  uint64_t lines_ = 0;
};

}  // namespace souk::feed
