// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "indexer/ingest/feed_service.h"
#include "indexer/partner/requests.h"
#include "runtime/exec/worker_pool.h"

namespace souk::partner {

// The service's blocking calls, off the IO thread: on a pool for what looks at the disk and on another for checks,
// which fetch and read a whole feed. A full pool is kOverloaded at once. Thread-safe.
class Calls {
 public:
  Calls(std::shared_ptr<ingest::FeedService> service, const Clock& clock);

  // co_await disk(work): work(FeedService&) -> Result<T> or Status.
  template <typename Work>
  auto disk(Work work) {
    return exec::run_on(disk_, exec::Priority::kInteractive, Deadline::after(clock_, kDiskTime), bind(std::move(work)));
  }
  template <typename Work>
  auto check(Work work) {
    return exec::run_on(checks_, exec::Priority::kInteractive, Deadline::after(clock_, kCheckTime),
                        bind(std::move(work)));
  }
  size_t queued() const { return disk_.queued() + checks_.queued(); }

 private:
  static constexpr std::chrono::seconds kDiskTime{10};  // that a call may wait for its turn
  static constexpr std::chrono::seconds kCheckTime{30};

  template <typename Work>
  auto bind(Work work) {
    return [service = service_, work = std::move(work)]() mutable { return work(*service); };
  }

  const std::shared_ptr<ingest::FeedService> service_;
  const Clock& clock_;
  exec::WorkerPool disk_;  // last: their threads end before the rest does
  exec::WorkerPool checks_;
};

// Puts a change over the shop's settings, one change at a time: two that come together must not undo each other.
class SettingsWriter {
 public:
  Result<ingest::ShopStatus> change(ingest::FeedService& service, const std::string& shop,
                                    const SettingsChange& change);
  // A shop that is there gets a new token.
  Result<ingest::FeedService::Registered> put(ingest::FeedService& service, const NewShop& shop);

 private:
  std::mutex mutex_;
};

}  // namespace souk::partner
