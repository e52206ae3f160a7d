// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "indexer/ingest/feed_service.h"
#include "indexer/partner/requests.h"
#include "runtime/exec/worker_pool.h"

namespace souk::partner {

// The service's blocking calls, off the IO thread, on three pools, so that none waits for the slower: reads look at
// memory and disk; writes wait for whoever has the catalogue, which may be a build; checks fetch and read a whole feed.
// A full pool is kOverloaded at once. Thread-safe.
class Calls {
 public:
  Calls(std::shared_ptr<ingest::FeedService> service, const Clock& clock);

  // co_await read(work): work(FeedService&) -> Result<T> or Status.
  template <typename Work>
  auto read(Work work) {
    return run(reads_, std::move(work));
  }
  // One after the other: two changes that come together must not undo each other.
  template <typename Work>
  auto write(Work work) {
    return run(writes_, std::move(work));
  }
  template <typename Work>
  auto check(Work work) {
    return run(checks_, std::move(work));
  }
  size_t queued() const { return reads_.queued() + writes_.queued() + checks_.queued(); }

 private:
  static constexpr std::chrono::seconds kWait{30};  // for a thread

  template <typename Work>
  auto run(exec::WorkerPool& pool, Work work) {
    return exec::run_on(pool, exec::Priority::kInteractive, Deadline::after(clock_, kWait),
                        [service = service_, work = std::move(work)]() mutable { return work(*service); });
  }

  const std::shared_ptr<ingest::FeedService> service_;
  const Clock& clock_;
  exec::WorkerPool reads_;  // last: their threads end before the rest does
  exec::WorkerPool writes_;
  exec::WorkerPool checks_;
};

// For a write: puts a change over the shop's settings.
Result<ingest::ShopStatus> change_settings(ingest::FeedService& service, const std::string& shop,
                                           const SettingsChange& change);
// For a write: a shop that is there gets a new token, and keeps the settings that are not named.
Result<ingest::FeedService::Registered> put_shop(ingest::FeedService& service, const NewShop& shop);

}  // namespace souk::partner
