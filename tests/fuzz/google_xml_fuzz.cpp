// SPDX-License-Identifier: Apache-2.0
// Any bytes as the items of a Google Merchant feed: RSS 2.0, Atom or RSS 1.0.
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/fuzz/feed_reading.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static constexpr const char* kBegins[] = {
      "<rss xmlns:g=\"http://base.google.com/ns/1.0\"><channel>",
      "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:g=\"http://base.google.com/ns/1.0\">",
      "<rdf:RDF xmlns:rdf=\"x\" xmlns:g=\"http://base.google.com/ns/1.0\">", "<rss><channel>"};
  static constexpr const char* kEnds[] = {"</channel></rss>", "</feed>", "</rdf:RDF>", "</channel></rss>"};
  if (size == 0) return 0;
  const size_t kind = data[0] % 4;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  souk::feed::read_in_all_ways(kBegins[kind] + std::string(bytes) + kEnds[kind]);
  return 0;
}
