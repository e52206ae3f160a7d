// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "indexer/ingest/feed_pipeline.h"
#include "indexer/ingest/feed_service.h"
#include "indexer/ingest/run_log.h"
#include "indexer/ingest/take_feed.h"
#include "runtime/obs/log.h"

namespace souk::ingest {

// souk-indexer serve: fetches every shop's feed by its schedule, takes what arrives into the catalogue, one after the
// other, and has a generation built when something changed. The catalogue is used by one thread at a time
// (store_mutex_); what the shops' service shows is kept in memory, so that it never waits for a large feed or a build.
class FeedDaemon final : public FeedService {
 public:
  struct Settings {
    FeedPipeline::Settings pipeline;
    std::string reports_folder;
    std::string held_folder;                // files of held feeds, one a shop
    std::chrono::seconds build_period{60};  // between two builds at least
  };
  // What the daemon cannot do itself; called without its locks, but for build, which has the catalogue to itself.
  struct Outside {
    std::function<Result<uint32_t>(const std::string& name)> number_of;  // control's registry
    std::function<Result<config::Market>()> load_market;
    std::function<Status(offers::OfferStore& store, const config::Market& market)> build;  // match, build, publish
  };

  FeedDaemon(Settings settings, std::unique_ptr<offers::OfferStore> store, Outside outside, const Clock& clock,
             obs::Log log);
  ~FeedDaemon() override;

  // Reads the shops and begins.
  Status start();
  // Ends what is under way: children are killed, a feed that is being applied is applied or not at all.
  void stop();

  Result<Registered> register_shop(const std::string& name, const offers::ShopSettings& settings) override;
  Result<std::string> authenticate(std::string_view token) override;
  Status change_settings(const std::string& shop, const offers::ShopSettings& settings) override;
  Result<std::vector<ShopStatus>> shops() override;
  Result<ShopStatus> status(const std::string& shop) override;
  Result<std::vector<FeedRun>> runs(const std::string& shop) override;
  Result<FeedRun> run(const std::string& shop, uint64_t number) override;
  Result<feed::Report> check_address(const std::string& shop, const std::string& url) override;
  Result<feed::Report> check_body(const std::string& shop, std::string_view body, feed::Mode mode) override;
  Status reread(const std::string& shop) override;
  Status release(const std::string& shop) override;

 private:
  struct Entry {
    offers::Shop shop;
    uint32_t broken = 0;  // runs in a row that this machine could not bring to an end
    bool reading = false;
    bool wanted = false;  // read as soon as there is room
    int64_t asked = 0;    // when a reread was asked for last
  };

  void schedule_loop();
  void take_loop();
  void build_loop();

  void look_at_shops();  // mutex_ is held
  void submit_due();
  void submit(Entry& entry);  // mutex_ is held
  std::string source_of(const Entry& entry) const;
  void on_arrival(FeedArrival&& arrival);
  void take(FeedArrival&& arrival);
  Result<FeedRun> apply(FeedArrival& arrival, const offers::Shop& shop);
  offers::FeedState next_state(const FeedArrival& arrival, const offers::Shop& shop, const FeedRun& run) const;
  std::string held_file(const offers::Hold& hold) const;
  void keep_held(const FeedArrival& arrival, const offers::Shop& shop) const;
  void remove_held() const;  // those that no shop's hold is of
  Status build_once();
  Result<Entry> find(const std::string& shop) const;
  Status refresh(const std::string& shop);  // the entry from the store; store_mutex_ is held
  Result<feed::Report> check(FeedJob job);
  Status check_new_settings(const std::string& shop, const offers::ShopSettings& settings) const;

  const Settings settings_;
  const Outside outside_;
  const Clock& clock_;
  const obs::Log log_;
  RunLog runs_;
  exec::Snapshot<config::Market> market_;

  mutable std::mutex mutex_;  // of all below, but the store
  std::condition_variable changed_;
  std::map<std::string, Entry, std::less<>> shops_;
  std::deque<FeedArrival> arrivals_;  // nothing is fetched while there are kMostArrivals
  size_t checks_ = 0;
  uint64_t catalogue_ = 0;  // offers that are not gone
  bool dirty_ = false;      // something changed since the last build began
  bool look_ = false;       // somebody waits for the scheduler to look at the shops
  bool stopping_ = false;
  uint64_t built_revision_ = 0;                        // of the store, when the last build began
  std::deque<std::pair<int64_t, uint64_t>> removals_;  // of the last hour: when, how many

  std::mutex store_mutex_;
  std::unique_ptr<offers::OfferStore> store_;

  std::unique_ptr<FeedPipeline> pipeline_;
  std::thread scheduler_, taker_, builder_;
};

}  // namespace souk::ingest
