// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "core/base/clock.h"

namespace souk::testing {

// A clock that stands still until a test moves it. Thread-safe.
class FakeClock final : public Clock {
 public:
  // Steady time begins at one hour, so that a test can look back.
  explicit FakeClock(int64_t unix_seconds = 1'700'000'000);

  SteadyTime now() const override;
  int64_t unix_seconds() const override;

  // Moves both the steady and the wall clock.
  void advance(std::chrono::milliseconds time);
  // The wall clock alone: somebody set it.
  void set_unix_seconds(int64_t unix_seconds);

 private:
  std::atomic<int64_t> steady_ms_;
  std::atomic<int64_t> unix_ms_;
};

}  // namespace souk::testing
