// SPDX-License-Identifier: Apache-2.0
// Any bytes as a feed: the reader keeps its promises and gives the same in one push as in many.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/base/error.h"
#include "indexer/feed/utf8.h"
#include "indexer/feed/yml_reader.h"

namespace {

using namespace souk::feed;

struct Reading {
  Report report;
  std::vector<Offer> offers;
};

Reading read(std::string_view bytes, size_t block) {
  ReaderLimits limits;
  limits.unpacked_bytes = 4 << 20;
  limits.token_bytes = 64 << 10;
  Reading reading;
  YmlReader reader(limits, [&](Offer&& offer) { reading.offers.push_back(std::move(offer)); }, reading.report);
  bool more = true;
  for (; more && !bytes.empty(); bytes.remove_prefix(std::min(block, bytes.size()))) {
    more = reader.push(bytes.substr(0, block));
  }
  const bool good = more && reader.finish();
  SOUK_CHECK(good == reading.report.ok());
  return reading;
}

auto fields(const Offer& o) {
  return std::tie(o.line, o.id, o.name, o.description, o.price, o.params, o.category_path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Reading whole = read(bytes, std::string_view::npos);
  SOUK_CHECK(whole.report.ok() || (whole.report.feed_error.line > 0 && !whole.report.feed_error.message.empty()));
  for (const Offer& offer : whole.offers) {
    SOUK_CHECK(!offer.id.empty() && !offer.name.empty() && offer.price > 0 && !offer.category_path.empty());
    SOUK_CHECK(utf8_prefix(offer.name).valid == offer.name.size());
    SOUK_CHECK(utf8_prefix(offer.description).valid == offer.description.size());
  }
  const Reading pieces = read(bytes, 1 + size % 97);
  SOUK_CHECK(pieces.report.feed_error.kind == whole.report.feed_error.kind);
  if (!whole.report.ok()) return 0;
  SOUK_CHECK(pieces.offers.size() == whole.offers.size());
  for (size_t i = 0; i < whole.offers.size(); ++i) SOUK_CHECK(fields(pieces.offers[i]) == fields(whole.offers[i]));
  return 0;
}
