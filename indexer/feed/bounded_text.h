// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace souk::feed {

// The text of an element, which comes in pieces, up to a number of bytes; the rest is dropped. No character is divided.
class BoundedText {
 public:
  static constexpr size_t kUsual = 64 * 1024;  // markup and white space count
  static constexpr size_t kDescription = 1024 * 1024;

  void begin(size_t limit) {
    text_.clear();
    limit_ = limit;
    cut_ = false;
  }

  void append(std::string_view piece) {
    const size_t room = limit_ - text_.size();
    if (piece.size() > room) {
      size_t keep = room;
      while (keep > 0 && (static_cast<uint8_t>(piece[keep]) & 0xC0) == 0x80) --keep;
      piece = piece.substr(0, keep);
      limit_ = text_.size() + keep;
      cut_ = true;
    }
    text_ += piece;
  }

  // What stands for markup that should have been escaped: <name>a<br/>b</name>.
  void blank() {
    if (text_.size() < limit_) text_ += ' ';
  }

  std::string& text() { return text_; }
  bool cut() const { return cut_; }

 private:
  std::string text_;
  size_t limit_ = kUsual;
  bool cut_ = false;
};

}  // namespace souk::feed
