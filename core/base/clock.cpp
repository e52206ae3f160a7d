// SPDX-License-Identifier: Apache-2.0
#include "core/base/clock.h"

#include <algorithm>

namespace souk {

namespace {

class RealClock final : public Clock {
 public:
  SteadyTime now() const override { return std::chrono::steady_clock::now(); }
  int64_t unix_seconds() const override {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
};

}  // namespace

Clock& real_clock() {
  static RealClock clock;
  return clock;
}

std::chrono::milliseconds Deadline::remaining(const Clock& clock) const {
  using std::chrono::milliseconds;
  if (at_ == SteadyTime::max()) return std::chrono::days(1);
  return std::max(milliseconds(0), std::chrono::duration_cast<milliseconds>(at_ - clock.now()));
}

}  // namespace souk
