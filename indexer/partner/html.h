// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "indexer/partner/language.h"

namespace souk::partner {

// Text as it may stand in HTML, in an attribute too: the five special characters escaped; control characters and bytes
// that are not UTF-8 replaced.
std::string escape(std::string_view text);

// An HTML document that is appended to. Markup comes from literals only, everything else is escaped.
class Html {
 public:
  template <size_t N>
  Html& markup(const char (&literal)[N]) {
    text_.append(literal, N - 1);
    return *this;
  }
  Html& text(std::string_view value);
  // What comes from a feed, apart from the writing direction around it.
  Html& foreign(std::string_view value);
  Html& number(uint64_t value, Language language);  // 12 345 or 12,345
  Html& number(uint64_t value);                     // 12345, for addresses
  Html& time(int64_t unix_seconds);                 // 2026-01-31 12:05 UTC; a dash when it never was

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// 2026-01-31T12:05:00Z
std::string utc_time(int64_t unix_seconds);

}  // namespace souk::partner
