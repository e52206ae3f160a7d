// SPDX-License-Identifier: Apache-2.0
// Any bytes as the rows of a Google Merchant table.
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/fuzz/feed_reading.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  souk::feed::read_in_all_ways("id\ttitle\tdescription\tlink\timage_link\tprice\tavailability\tsale_price\tgtin\n" +
                               std::string(bytes));
  return 0;
}
