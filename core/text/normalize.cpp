// SPDX-License-Identifier: Apache-2.0
#include "core/text/normalize.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "core/base/error.h"
#include "core/text/icu_fold.h"

namespace souk::text {

void nfkc_casefold(std::string_view utf8, std::string& out) {
  UErrorCode error = U_ZERO_ERROR;
  // The instance is ICU's own constant; looking it up is a read of an initialised pointer.
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFKCCasefoldInstance(error);
  SOUK_CHECK(U_SUCCESS(error));  // its data is linked in
  out.clear();
  icu::StringByteSink<std::string> sink(&out);
  normalizer->normalizeUTF8(0, icu::StringPiece(utf8.data(), static_cast<int32_t>(utf8.size())), sink, nullptr, error);
  SOUK_CHECK(U_SUCCESS(error));  // only memory can run out
}

std::string fold(std::string_view utf8) {
  std::string normal;
  nfkc_casefold(utf8, normal);
  std::string out;
  out.reserve(normal.size());
  bool blank = false;
  const auto length = static_cast<int32_t>(normal.size());
  for (int32_t i = 0; i < length;) {
    UChar32 c = 0;
    U8_NEXT_OR_FFFD(normal.data(), i, length, c);
    if (u_isUWhiteSpace(c)) {
      blank = !out.empty();
      continue;
    }
    if (blank) out += ' ';
    blank = false;
    append_utf8(without_yo(c), out);
  }
  return out;
}

bool is_utf8(std::string_view bytes) {
  const auto length = static_cast<int64_t>(bytes.size());
  for (int64_t i = 0; i < length;) {
    UChar32 c = 0;
    U8_NEXT(bytes.data(), i, length, c);
    if (c < 0) return false;
  }
  return true;
}

size_t utf16_length(std::string_view utf8) {
  size_t units = 0;
  for (const char byte : utf8) {
    const auto b = static_cast<unsigned char>(byte);
    if ((b & 0xC0) != 0x80) units += b >= 0xF0 ? 2 : 1;
  }
  return units;
}

}  // namespace souk::text
