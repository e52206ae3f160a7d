// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/error.h"
#include "indexer/fetch/fetcher.h"
#include "indexer/ingest/read_feed.h"
#include "indexer/offers/offer_store.h"
#include "runtime/config/market.h"
#include "runtime/exec/snapshot.h"
#include "runtime/exec/worker_pool.h"

namespace souk::ingest {

struct FeedJob {
  offers::Shop shop;         // as it stood when the job was made
  std::string source;        // a file, or an http(s) address
  bool conditional = false;  // an unmodified feed need not be sent again
};

// What came of a job, still outside of the catalogue.
struct FeedArrival {
  FeedJob job;
  fetch::FetchResult fetched;  // of an address
  Result<ReadFeed> read;       // fetched badly or not modified: nothing but the report
  OwnedFile download;
};

bool is_address(std::string_view source);

// Fetches and reads many feeds at once, each for itself: one that hangs or is slow delays no other, but for those
// beyond the bounds of the fetcher and of `readers` children.
class FeedPipeline {
 public:
  struct Settings {
    ReadSettings read;
    std::string download_folder;  // emptied at the start, as is the work folder
    size_t readers = 4;           // children at once: more than cores, since some wait
    size_t most_jobs = 512;       // under way
    fetch::FetchLimits fetch;
    // How far the reading of a shop's feed is: from any thread. May be empty.
    std::function<void(const std::string& shop, uint64_t done, uint64_t total)> progress;
  };
  FeedPipeline(Settings settings, const exec::Snapshot<config::Market>& market, const Clock& clock);
  ~FeedPipeline();  // ends what is under way; done is called for each job before it returns
  FeedPipeline(const FeedPipeline&) = delete;
  FeedPipeline& operator=(const FeedPipeline&) = delete;

  // done is called once, on a thread of the pipeline or the fetcher, and must return soon. false = most_jobs are under
  // way. From any thread.
  bool submit(FeedJob job, std::function<void(FeedArrival&&)> done);

 private:
  struct Task;
  void read(std::shared_ptr<Task> task);
  void finish(Task& task);

  const Settings settings_;
  const exec::Snapshot<config::Market>& market_;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable ended_;
  size_t jobs_ = 0;
  uint64_t number_ = 0;  // of the last job
  exec::WorkerPool pool_;
  std::unique_ptr<fetch::Fetcher> fetcher_;  // ends first: its last calls come to this object
};

}  // namespace souk::ingest
