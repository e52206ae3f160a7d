// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "indexer/feed/codec.h"
#include "indexer/feed/feed_reader.h"
#include "indexer/feed/kinds.h"

namespace souk::feed {

struct Reading {
  Report report;
  std::vector<Offer> offers;
};

inline Reading read(std::string_view bytes, size_t block, Mode mode) {
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

inline FeedOfferRecord record_of(const Offer& offer) {
  FeedOfferRecord record;
  fill_record(record, offer);
  return record;
}

// What every reading of any feed promises: a refusal has a line and a message, every fault is of a known kind with a
// line, and accepted offers are within an Offer's bounds, in well-formed UTF-8.
inline void check_promises(const Reading& reading) {
  const Report& report = reading.report;
  SOUK_CHECK(report.ok() || (report.feed_error.line > 0 && !report.feed_error.message.empty()));
  SOUK_CHECK(report.ok() || find_kind(report.feed_error.kind) != nullptr);
  SOUK_CHECK(!report.ok() || (report.accepted == reading.offers.size() && report.accepted > 0));
  for (const auto* list : {&report.errors, &report.warnings}) {
    for (const OfferError& fault : *list) {
      SOUK_CHECK(fault.line > 0 && find_kind(fault.kind) != nullptr && !fault.message.contains('\n'));
    }
  }
  for (const Offer& offer : reading.offers) {
    FeedOfferRecord record;
    SOUK_CHECK(record.ParseFromString(record_of(offer).SerializeAsString()));  // is not UTF-8: refused
    SOUK_CHECK(read_record(std::move(record)).has_value());
  }
}

inline void check_same(const Reading& one, const Reading& other) {
  SOUK_CHECK(one.report.feed_error.kind == other.report.feed_error.kind);
  SOUK_CHECK(one.report.error_kinds == other.report.error_kinds);
  if (!one.report.ok()) return;
  SOUK_CHECK(one.offers.size() == other.offers.size());
  for (size_t i = 0; i < one.offers.size(); ++i) {
    SOUK_CHECK(record_of(one.offers[i]).SerializeAsString() == record_of(other.offers[i]).SerializeAsString());
  }
}

// The feed in both modes, at once and in blocks.
inline void read_in_all_ways(std::string_view feed) {
  for (const Mode mode : {Mode::kStrict, Mode::kLenient}) {
    const Reading whole = read(feed, std::string_view::npos, mode);
    check_promises(whole);
    check_same(whole, read(feed, 1 + feed.size() % 97, mode));
  }
}

}  // namespace souk::feed
