// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "core/query/scratch.h"

namespace souk::shard_server {

// The engine's working memory, one per search that runs at the same time, so as many as the pool has threads.
// Thread-safe; the pool must outlive its leases.
class ScratchPool {
 public:
  class Lease {
   public:
    Lease(ScratchPool& pool, std::unique_ptr<query::Scratch> scratch) : pool_(pool), scratch_(std::move(scratch)) {}
    // A search that threw may have left it dirty: then it is not given back.
    ~Lease() {
      if (std::uncaught_exceptions() == exceptions_) pool_.give_back(std::move(scratch_));
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    query::Scratch& operator*() const { return *scratch_; }

   private:
    ScratchPool& pool_;
    std::unique_ptr<query::Scratch> scratch_;
    int exceptions_ = std::uncaught_exceptions();
  };

  Lease take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      free_.reserve(++made_);  // so that giving back cannot fail
      return Lease(*this, std::make_unique<query::Scratch>());
    }
    std::unique_ptr<query::Scratch> scratch = std::move(free_.back());
    free_.pop_back();
    return Lease(*this, std::move(scratch));
  }

 private:
  void give_back(std::unique_ptr<query::Scratch> scratch) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(scratch));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<query::Scratch>> free_;
  size_t made_ = 0;
};

}  // namespace souk::shard_server
