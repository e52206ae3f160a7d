// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>

namespace souk::exec {

// At most `limit` at a time. Thread-safe.
class Limiter {
 public:
  explicit Limiter(size_t limit) : limit_(limit) {}

  // Held by one for as long as it runs.
  class Slot {
   public:
    explicit Slot(Limiter& limiter) : limiter_(&limiter) {}
    Slot(Slot&& other) noexcept : limiter_(std::exchange(other.limiter_, nullptr)) {}
    Slot& operator=(Slot&&) = delete;
    ~Slot() {
      if (limiter_ != nullptr) limiter_->inside_.fetch_sub(1, std::memory_order_relaxed);
    }

   private:
    Limiter* limiter_;
  };

  // Empty when it is full: refuse at once, do not queue.
  std::optional<Slot> enter() {
    size_t inside = inside_.load(std::memory_order_relaxed);
    do {
      if (inside >= limit_) return std::nullopt;
    } while (!inside_.compare_exchange_weak(inside, inside + 1, std::memory_order_relaxed));
    return std::optional<Slot>(std::in_place, *this);
  }

  size_t inside() const { return inside_.load(std::memory_order_relaxed); }
  bool full() const { return inside() >= limit_; }

 private:
  const size_t limit_;
  std::atomic<size_t> inside_{0};
};

}  // namespace souk::exec
