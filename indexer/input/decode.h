// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "indexer/input/fault.h"
#include "indexer/input/single_byte.h"

namespace souk::input {

// Second stage: to well-formed UTF-8 without a byte order mark, in pieces of whole characters. The encoding is that of
// the byte order mark, else of the XML declaration, else UTF-8: UTF-8, UTF-16, windows-1251, KOI8-R, KOI8-U,
// ISO-8859-1, US-ASCII. Refuses with unsupported_encoding and bad_encoding (with the line of the first bad byte), after
// all good text before it has been passed on.
// Lenient: a declaration is also found behind other text; what is plainly not in the encoding it should be in is
// guessed from the next 4 KiB (warning encoding_guessed): windows-1251 instead of UTF-8, before any other UTF-8 than
// ASCII has come; UTF-8 instead of an 8-bit encoding.
class Decoder {
 public:
  // warn is called by a lenient reading only; without it the reading is strict.
  Decoder(Sink sink, Warn warn, Fault& fault);

  bool push(std::string_view bytes);
  bool finish();
  uint64_t line() const { return lines_ + 1; }  // where the text passed on so far ends

 private:
  enum class Encoding : uint8_t { kUtf8, kUtf16Little, kUtf16Big, kTable };

  bool start();
  bool choose(std::string_view declared);
  bool convert(std::string_view bytes);
  bool convert_utf8(std::string_view bytes);
  bool convert_utf16(std::string_view bytes);
  bool convert_table(std::string_view bytes);
  bool hold(std::string_view bytes);
  bool guess(bool last);
  bool emit(std::string_view text);
  bool bad_encoding(std::string message);

  Sink sink_;
  Warn warn_;
  Fault& fault_;
  std::string head_;  // until the encoding is known
  bool started_ = false;
  Encoding encoding_ = Encoding::kUtf8;
  std::string encoding_name_ = "UTF-8";
  std::optional<SingleByteTable> table_;
  std::string rest_;  // a character that the end of the last block cut
  std::string out_;
  uint64_t lines_ = 0;
  bool may_guess_ = false;  // lenient, and nothing but ASCII has come yet
  bool holding_ = false;
  std::string held_;  // what is to be guessed from, from the first byte beyond ASCII on
};

}  // namespace souk::input
