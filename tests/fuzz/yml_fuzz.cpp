// SPDX-License-Identifier: Apache-2.0
// Any bytes as a feed, in both modes: the reader keeps its promises and gives the same in one push as in many; what a
// strict reading takes, a lenient one takes as well.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/base/error.h"
#include "indexer/feed/feed_reader.h"
#include "indexer/input/utf8.h"

namespace {

using namespace souk::feed;
using souk::input::utf8_prefix;

struct Reading {
  Report report;
  std::vector<Offer> offers;
};

Reading read(std::string_view bytes, size_t block, Mode mode) {
  ReadOptions options;
  options.mode = mode;
  options.now = 1'800'000'000;
  options.limits.unpacked_bytes = 4 << 20;
  options.limits.token_bytes = 64 << 10;
  Reading reading;
  FeedReader reader(options, [&](Offer&& offer) { reading.offers.push_back(std::move(offer)); }, reading.report);
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

void check(const Reading& whole, Mode mode) {
  SOUK_CHECK(whole.report.ok() || (whole.report.feed_error.line > 0 && !whole.report.feed_error.message.empty()));
  for (const Offer& offer : whole.offers) {
    SOUK_CHECK(!offer.id.empty() && !offer.name.empty() && offer.price > 0);
    SOUK_CHECK(mode == Mode::kLenient || whole.report.format != Format::kYml || !offer.category_path.empty());
    SOUK_CHECK(utf8_prefix(offer.name).valid == offer.name.size());
    SOUK_CHECK(utf8_prefix(offer.description).valid == offer.description.size());
  }
}

void check_same(const Reading& one, const Reading& other) {
  SOUK_CHECK(one.report.feed_error.kind == other.report.feed_error.kind);
  if (!one.report.ok()) return;
  SOUK_CHECK(one.offers.size() == other.offers.size());
  for (size_t i = 0; i < one.offers.size(); ++i) SOUK_CHECK(fields(one.offers[i]) == fields(other.offers[i]));
  SOUK_CHECK(one.report.warning_kinds == other.report.warning_kinds);
  SOUK_CHECK(one.report.error_kinds == other.report.error_kinds);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Reading strict = read(bytes, std::string_view::npos, Mode::kStrict);
  const Reading lenient = read(bytes, std::string_view::npos, Mode::kLenient);
  check(strict, Mode::kStrict);
  check(lenient, Mode::kLenient);
  SOUK_CHECK(!strict.report.ok() || lenient.report.ok());
  check_same(read(bytes, 1 + size % 97, Mode::kStrict), strict);
  check_same(read(bytes, 1 + size % 97, Mode::kLenient), lenient);
  return 0;
}
