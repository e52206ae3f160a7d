// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/unit/indexer/partner/fake_feed_service.h"

namespace souk::partner {

inline constexpr int64_t kExampleTime = 1'769'861'100;  // 2026-01-31 12:05 UTC

inline void add_fault(feed::Report& report, bool warning, feed::OfferError fault, uint64_t times = 1) {
  std::map<std::string, uint64_t>& kinds = warning ? report.warning_kinds : report.error_kinds;
  kinds[fault.kind] += times;
  (warning ? report.warning_count : report.rejected) += times;
  (warning ? report.warnings : report.errors).push_back(std::move(fault));
}

// A run with everything that a report can have; what it quotes is hostile.
inline ingest::FeedRun example_run(uint64_t number) {
  ingest::FeedRun run;
  run.number = number;
  run.at = kExampleTime + static_cast<int64_t>(number) * 3600;
  run.outcome = ingest::FeedRun::Outcome::kIngested;
  feed::Report& report = run.report;
  report.file = "https://shop.example/market.yml?a=1&b=<2>";
  report.mode = feed::Mode::kLenient;
  report.format = feed::Format::kYml;
  report.date = "2026-01-31T11:58";
  report.accepted = 12'840;
  report.added = 214;
  report.changed = 1'032;
  report.removed = 87;
  add_fault(report, false, {118, "<script>alert(1)</script>", "missing_price", "offer has no <price>"}, 120);
  for (uint64_t i = 0; i < 40; ++i) {
    add_fault(report, false, {2000 + 14 * i, "A-" + std::to_string(1000 + i), "zero_price", "price is 0"});
  }
  add_fault(report, false, {9104, "'\"&", "unknown_category", "category 77 is not in the feed's list"});
  add_fault(report, false, {9120, "\xff\x01 id", "no_rate", "currency KZT has no rate"});
  add_fault(report, true, {512, std::string(255, 'W'), "bad_oldprice", "old price 100.00 is not above 120.00"}, 31);
  add_fault(report, true, {640, "\u202e123", "bad_picture", "picture 'None' is not an address"});
  report.repairs = {{"price_repaired", 55}};
  return run;
}

// Shop "Север" (token-1-1) with runs of every outcome, a held feed, and shop "Юг" (token-2-2) with nothing.
inline void add_example_shops(FakeFeedService& service) {
  offers::ShopSettings settings;
  settings.feed_url = "https://shop.example/market.yml?a=1&b=<2>";
  settings.mode = feed::Mode::kLenient;
  settings.regions = {"Москва"};
  (void)service.register_shop("Север", settings);
  (void)service.register_shop("Юг", {});
  FakeFeedService::Entry& entry = service.entry("Север");
  entry.status.live_offers = 12'840;
  offers::Shop& shop = entry.status.shop;
  shop.display_name = "Север & <сыновья>";
  shop.state.fetched = kExampleTime;
  shop.state.next_fetch = kExampleTime + 3600;
  shop.state.failures = 2;
  shop.state.hold = {"shop_shrinks", "6200 of 12840 offers would go", "ab", kExampleTime, false};
  for (uint64_t number = 1; number <= 6; ++number) {
    ingest::FeedRun run;
    run.number = number;
    run.at = kExampleTime - 7200 + static_cast<int64_t>(number) * 600;
    run.outcome = static_cast<ingest::FeedRun::Outcome>(number - 1);
    if (run.outcome == ingest::FeedRun::Outcome::kRefused) {
      run.report.feed_error = {"truncated", 20'133, "the file ends inside <offer>"};
      run.report.format = feed::Format::kYml;
    }
    if (run.outcome == ingest::FeedRun::Outcome::kFetchFailed) {
      run.report.feed_error = {"http_404", 0, "the server answered 404 Not Found"};
    }
    if (run.outcome == ingest::FeedRun::Outcome::kHeld) run.note = "6200 of 12840 offers would go";
    entry.runs.push_back(run);
  }
  entry.runs.push_back(example_run(7));
  service.check_report = example_run(1).report;
}

}  // namespace souk::partner
