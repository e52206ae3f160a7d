// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "indexer/ingest/feed_service.h"

namespace souk::partner {

// What the service promises, in memory, with nothing fetched or read: a test puts in what it wants to be answered.
class FakeFeedService final : public ingest::FeedService {
 public:
  struct Entry {
    ingest::ShopStatus status;
    std::string token;
    std::vector<ingest::FeedRun> runs;  // oldest first
    int rereads = 0;
    bool asked_lately = false;
  };

  Result<Registered> register_shop(const std::string& name, const offers::ShopSettings& settings) override {
    const std::lock_guard lock(mutex_);
    Entry& entry = shops_[name];
    offers::Shop& shop = entry.status.shop;
    if (shop.number == 0) {
      shop.number = static_cast<uint32_t>(shops_.size());
      shop.key = DocKey(1'000'000'000'000'000'000 + shop.number);
      shop.name = name;
    }
    shop.settings = settings;
    entry.token = "token-" + std::to_string(shop.number) + "-" + std::to_string(++tokens_);
    return Registered{shop, entry.token};
  }
  Result<std::string> authenticate(std::string_view token) override {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, entry] : shops_) {
      if (entry.token == token) return name;
    }
    return fail(ErrorCode::kNotFound, "no shop has this token");
  }
  Status change_settings(const std::string& shop, const offers::ShopSettings& settings) override {
    if (before_change) before_change();
    const std::lock_guard lock(mutex_);
    Entry* entry = find(shop);
    if (entry == nullptr) return no_shop();
    entry->status.shop.settings = settings;
    return {};
  }
  Result<std::vector<ingest::ShopStatus>> shops() override {
    const std::lock_guard lock(mutex_);
    std::vector<ingest::ShopStatus> all;
    for (const auto& [name, entry] : shops_) all.push_back(entry.status);
    return all;
  }
  Result<ingest::ShopStatus> status(const std::string& shop) override {
    const std::lock_guard lock(mutex_);
    if (failure) return std::unexpected(*failure);
    const Entry* entry = find(shop);
    if (entry == nullptr) return no_shop();
    return entry->status;
  }
  Result<std::vector<ingest::FeedRun>> runs(const std::string& shop) override {
    const std::lock_guard lock(mutex_);
    const Entry* entry = find(shop);
    if (entry == nullptr) return no_shop();
    std::vector<ingest::FeedRun> newest(entry->runs.rbegin(), entry->runs.rend());
    for (ingest::FeedRun& run : newest) {
      run.report.errors.clear();
      run.report.warnings.clear();
    }
    return newest;
  }
  Result<ingest::FeedRun> run(const std::string& shop, uint64_t number) override {
    const std::lock_guard lock(mutex_);
    if (const Entry* entry = find(shop)) {
      for (const ingest::FeedRun& run : entry->runs) {
        if (run.number == number) return run;
      }
    }
    return fail(ErrorCode::kNotFound, "no such run", "run");
  }
  Result<feed::Report> check_address(const std::string& shop, const std::string& url) override {
    if (before_check) before_check();
    const std::lock_guard lock(mutex_);
    if (failure) return std::unexpected(*failure);
    feed::Report report = check_report;
    report.shop = shop;
    report.file = url;
    return report;
  }
  Result<feed::Report> check_body(const std::string& shop, std::string_view body, feed::Mode mode) override {
    const std::lock_guard lock(mutex_);
    feed::Report report = check_report;
    report.shop = shop;
    report.file = std::to_string(body.size()) + " bytes";
    report.mode = mode;
    if (body.starts_with("<html")) {
      report = feed::Report();
      report.feed_error = {"not_a_feed", 1, "the root element is <html>"};
    }
    return report;
  }
  Status reread(const std::string& shop) override {
    const std::lock_guard lock(mutex_);
    Entry* entry = find(shop);
    if (entry == nullptr) return no_shop();
    if (entry->asked_lately) return fail(ErrorCode::kOverloaded, "a feed is read again at most once a minute");
    ++entry->rereads;
    return {};
  }
  Status release(const std::string& shop) override {
    const std::lock_guard lock(mutex_);
    Entry* entry = find(shop);
    if (entry == nullptr) return no_shop();
    offers::Hold& hold = entry->status.shop.state.hold;
    if (hold.reason.empty() || hold.released) return fail(ErrorCode::kNotFound, "nothing is held", shop);
    hold.released = true;
    return {};
  }

  // For the test, while no call is under way.
  Entry& entry(const std::string& shop) { return shops_.at(shop); }

  feed::Report check_report;
  std::optional<Error> failure;         // of status() and check_address()
  std::function<void()> before_check;   // of check_address(), may block
  std::function<void()> before_change;  // of change_settings(), may block

 private:
  Entry* find(const std::string& shop) {
    const auto found = shops_.find(shop);
    return found == shops_.end() ? nullptr : &found->second;
  }
  static std::unexpected<Error> no_shop() { return fail(ErrorCode::kNotFound, "no such shop", "shop"); }

  std::mutex mutex_;
  std::map<std::string, Entry> shops_;
  int tokens_ = 0;
};

}  // namespace souk::partner
