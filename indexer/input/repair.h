// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "indexer/input/fault.h"

namespace souk::input {

// Between decoding and the XML parser of a lenient reading: makes XML of what generators print for it. Characters that
// XML forbids go, written or as references (bad_char_removed); an ampersand that begins no reference becomes a literal
// one (ampersand_repaired); HTML's named entities become their characters (html_entity). Comments and CDATA sections
// keep their ampersands, and so do documents that declare entities (which no reader takes). Each repair is a warning
// with its line. Takes and gives well-formed UTF-8.
class CharacterRepair {
 public:
  // first_line: where the text begins in the feed.
  CharacterRepair(Sink sink, Warn warn, uint64_t first_line);

  bool push(std::string_view text);
  bool finish();

 private:
  enum class Place : uint8_t { kMarkup, kCdata, kComment, kInstruction };

  bool run(std::string_view block, bool last);
  // What begins at block_[at_]: how many bytes to go on by, kWait when more of the text is needed to tell.
  static constexpr size_t kWait = 0;
  bool is_tag(std::string_view block, size_t at) const;
  size_t special(bool last);
  size_t reference(std::string_view rest, bool last);
  size_t opening(std::string_view rest, bool last);
  size_t closing(std::string_view rest, bool last);
  size_t replace(size_t size, std::string_view by, const char* kind, std::string message);

  Sink sink_;
  Warn warn_;
  Place place_ = Place::kMarkup;
  bool before_root_ = true;
  bool declares_ = false;   // entities: the feed will be refused, whatever they stand for
  std::string rest_;        // what the end of the last block cut: of a reference or a mark
  std::string_view block_;  // in work
  size_t at_ = 0;
  std::string out_;    // of the block, once something in it is repaired
  size_t copied_ = 0;  // of the block, into out_ or left out
  bool repaired_ = false;
  uint64_t lines_ = 0;  // line ends before block_[counted_]
  size_t counted_ = 0;
};

}  // namespace souk::input
