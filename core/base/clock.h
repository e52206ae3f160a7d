// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace souk {

using SteadyTime = std::chrono::steady_clock::time_point;

// Time, injected everywhere. Time-outs use the steady clock only; wall time is for display and for "first seen".
// Implementations are thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual SteadyTime now() const = 0;
  virtual int64_t unix_seconds() const = 0;
};

Clock& real_clock();

// When a request stops being worth any work.
class Deadline {
 public:
  static Deadline after(const Clock& clock, std::chrono::milliseconds budget) { return Deadline(clock.now() + budget); }
  static Deadline never() { return Deadline(SteadyTime::max()); }
  explicit Deadline(SteadyTime at) : at_(at) {}

  SteadyTime at() const { return at_; }
  bool passed(const Clock& clock) const { return clock.now() >= at_; }
  // 0 when passed. never() gives a day.
  std::chrono::milliseconds remaining(const Clock& clock) const;

 private:
  SteadyTime at_;
};

}  // namespace souk
