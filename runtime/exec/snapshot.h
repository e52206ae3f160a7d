// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace souk::exec {

// An immutable value that is replaced as a whole (generation, config, peers). Read once per request. A short mutex:
// libstdc++ 12's atomic<shared_ptr> gives ThreadSanitizer reports.
template <typename T>
class Snapshot {
 public:
  std::shared_ptr<const T> get() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }
  // The old value is released outside the lock.
  void set(std::shared_ptr<const T> value) {
    {
      const std::lock_guard lock(mutex_);
      value_.swap(value);
    }
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

}  // namespace souk::exec
