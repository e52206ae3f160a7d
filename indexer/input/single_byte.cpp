// SPDX-License-Identifier: Apache-2.0
#include "indexer/input/single_byte.h"

#include <unicode/ucnv.h>

#include <algorithm>
#include <memory>

#include "indexer/input/utf8.h"

namespace souk::input {

std::optional<SingleByteTable> SingleByteTable::load(const char* name) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, decltype(&ucnv_close)> converter(ucnv_open(name, &status), &ucnv_close);
  if (U_FAILURE(status)) return std::nullopt;
  ucnv_setToUCallBack(converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  if (U_FAILURE(status)) return std::nullopt;
  SingleByteTable table;
  for (int byte = 0; byte < 256; ++byte) {
    const char in = static_cast<char>(byte);
    std::array<UChar, 4> out{};
    UErrorCode result = U_ZERO_ERROR;
    const int32_t units = ucnv_toUChars(converter.get(), out.data(), out.size(), &in, 1, &result);
    // ICU gives the bytes that windows-1251 leaves free (0x98) the C1 control of that number.
    const bool placeholder = byte >= 0x80 && units == 1 && out[0] == byte && out[0] < 0xA0;
    if (U_FAILURE(result) || units != 1 || (placeholder && std::string_view(name) != "iso-8859-1")) continue;
    if (byte < 0x80 && out[0] != byte) return std::nullopt;
    std::string text;
    append_utf8(text, out[0]);
    Entry& entry = table.entries_[static_cast<size_t>(byte)];
    std::ranges::copy(text, entry.bytes.begin());
    entry.length = static_cast<uint8_t>(text.size());
  }
  return table;
}

size_t SingleByteTable::append(std::string& out, std::string_view bytes) const {
  const size_t before = out.size();
  size_t taken = 0;
  out.resize_and_overwrite(before + bytes.size() * 3, [&](char* data, size_t) {
    char* to = data + before;
    for (; taken < bytes.size(); ++taken) {
      const auto byte = static_cast<uint8_t>(bytes[taken]);
      if (byte < 0x80) {
        *to++ = static_cast<char>(byte);
        continue;
      }
      const Entry& entry = entries_[byte];
      if (entry.length == 0) break;
      to[0] = entry.bytes[0];
      to[1] = entry.bytes[1];
      to[2] = entry.bytes[2];
      to += entry.length;
    }
    return static_cast<size_t>(to - data);
  });
  return taken;
}

}  // namespace souk::input
