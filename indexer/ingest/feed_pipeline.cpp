// SPDX-License-Identifier: Apache-2.0
#include "indexer/ingest/feed_pipeline.h"

#include <filesystem>
#include <memory>
#include <utility>

namespace souk::ingest {

namespace fs = std::filesystem;

struct FeedPipeline::Task {
  FeedArrival arrival;
  std::function<void(FeedArrival&&)> done;
};

bool is_address(std::string_view source) {
  return source.starts_with("http://") || source.starts_with("https://");
}

FeedPipeline::FeedPipeline(Settings settings, const exec::Snapshot<config::Market>& market, const Clock& clock)
    : settings_(std::move(settings)),
      market_(market),
      pool_("readers", settings_.readers, settings_.most_jobs, clock),
      fetcher_(std::make_unique<fetch::Fetcher>(settings_.fetch)) {
  // What a killed process left. A folder that cannot be made shows with the first download.
  std::error_code problem;
  fs::remove_all(settings_.read.work_folder, problem);
  fs::remove_all(settings_.download_folder, problem);
  fs::create_directories(settings_.download_folder, problem);
}

FeedPipeline::~FeedPipeline() {
  stopping_ = true;
  fetcher_.reset();
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return jobs_ == 0; });
}

bool FeedPipeline::submit(FeedJob job, std::function<void(FeedArrival&&)> done) {
  uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (jobs_ >= settings_.most_jobs || stopping_) return false;
    ++jobs_;
    number = ++number_;
  }
  auto task = std::make_shared<Task>();
  task->arrival = {std::move(job), {}, ReadFeed{}, {}};
  task->done = std::move(done);
  FeedArrival& arrival = task->arrival;
  if (!is_address(arrival.job.source)) {
    read(std::move(task));
    return true;
  }
  arrival.download = OwnedFile((fs::path(settings_.download_folder) / std::to_string(number)).string());
  fetch::FetchRequest request{arrival.job.source, {}, {}, arrival.download.path()};
  if (arrival.job.conditional) {
    request.etag = arrival.job.shop.state.etag;
    request.last_modified = arrival.job.shop.state.last_modified;
  }
  fetcher_->start(std::move(request), [this, task](fetch::FetchResult result) {
    task->arrival.fetched = std::move(result);
    if (task->arrival.fetched.outcome == fetch::FetchResult::Outcome::kDownloaded) {
      read(task);
    } else {
      finish(*task);
    }
  });
  return true;
}

void FeedPipeline::read(std::shared_ptr<Task> task) {
  const bool queued = pool_.submit(exec::Priority::kBackground, Deadline::never(), [this, task](Status status) {
    FeedArrival& arrival = task->arrival;
    const offers::Shop& shop = arrival.job.shop;
    const std::string& path = arrival.download.path().empty() ? arrival.job.source : arrival.download.path();
    const auto show = [&](uint64_t done, uint64_t total) {
      if (settings_.progress) settings_.progress(shop.name, done, total);
    };
    if (status) {
      arrival.read = read_feed({path, arrival.job.source, shop.name, shop.settings.mode, shop.feed_hash},
                               settings_.read, *market_.get(), show, [this] { return stopping_.load(); });
    } else {
      arrival.read = std::unexpected(status.error());
    }
    finish(*task);
  });
  if (queued) return;
  // The queue is as long as there are jobs: it is only full when the pool stops.
  task->arrival.read = fail(ErrorCode::kUnavailable, "the readers are stopping");
  finish(*task);
}

void FeedPipeline::finish(Task& task) {
  if (task.arrival.read) {
    feed::Report& report = task.arrival.read->report;
    report.shop = task.arrival.job.shop.name;
    report.file = task.arrival.job.source;
    report.mode = task.arrival.job.shop.settings.mode;
    using Fetched = fetch::FetchResult::Outcome;
    if (is_address(task.arrival.job.source) && task.arrival.fetched.outcome == Fetched::kFailed) {
      report.feed_error = {task.arrival.fetched.error, 0, task.arrival.fetched.message};
    }
    if (task.arrival.fetched.outcome == Fetched::kNotModified) report.unchanged = true;
  }
  std::exchange(task.done, {})(std::move(task.arrival));
  const std::lock_guard lock(mutex_);  // held while telling: the destructor must not end before
  --jobs_;
  ended_.notify_all();
}

}  // namespace souk::ingest
