// SPDX-License-Identifier: Apache-2.0
#include "runtime/testing/fake_clock.h"

namespace souk::testing {

FakeClock::FakeClock(int64_t unix_seconds) : steady_ms_(3'600'000), unix_ms_(unix_seconds * 1000) {}

SteadyTime FakeClock::now() const {
  return SteadyTime(std::chrono::milliseconds(steady_ms_.load()));
}

int64_t FakeClock::unix_seconds() const {
  return unix_ms_.load() / 1000;
}

void FakeClock::advance(std::chrono::milliseconds time) {
  steady_ms_ += time.count();
  unix_ms_ += time.count();
}

void FakeClock::set_unix_seconds(int64_t unix_seconds) {
  unix_ms_ = unix_seconds * 1000;
}

}  // namespace souk::testing
