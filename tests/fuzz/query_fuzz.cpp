// SPDX-License-Identifier: Apache-2.0
// parse_query: whatever it accepts is valid UTF-8 without NUL, and encodes to a query that means the same.
#include "core/base/error.h"
#include "runtime/net/http.h"
#include "runtime/net/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kMaxPairs = 64;
  const std::string_view query(reinterpret_cast<const char*>(data), size);
  const auto pairs = souk::net::parse_query(query, kMaxPairs);
  if (!pairs) {
    SOUK_CHECK(!pairs.error().message.empty());
    SOUK_CHECK(souk::net::is_utf8(pairs.error().argument));
    return 0;
  }
  SOUK_CHECK(pairs->size() <= kMaxPairs);
  std::string again;
  for (const auto& pair : *pairs) {
    SOUK_CHECK(souk::net::is_utf8(pair.name) && souk::net::is_utf8(pair.value));
    SOUK_CHECK(!pair.name.contains('\0') && !pair.value.contains('\0'));
    again += souk::net::percent_encode(pair.name) + "=" + souk::net::percent_encode(pair.value) + "&";
  }
  const auto second = souk::net::parse_query(again, kMaxPairs);
  SOUK_CHECK(second && second->size() == pairs->size());
  for (size_t i = 0; i < pairs->size(); ++i) {
    SOUK_CHECK((*second)[i].name == (*pairs)[i].name && (*second)[i].value == (*pairs)[i].value);
  }
  return 0;
}
