// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>

#include "core/base/clock.h"

namespace souk::partner {

// How often an address may come with a wrong token: a token bucket each, bounded in number. An IPv6 address counts by
// its first 64 bits, which one site has. Thread-safe.
class FailureLimiter {
 public:
  static constexpr double kAtOnce = 20;
  static constexpr std::chrono::seconds kOneMore{3};
  static constexpr size_t kAddresses = 10'000;  // beyond, some are forgotten

  explicit FailureLimiter(const Clock& clock) : clock_(clock) {}

  bool allows(const std::string& ip) const;  // false: not even look at its token
  void note_failure(const std::string& ip);

 private:
  struct Bucket {
    double left = kAtOnce;
    SteadyTime at;
  };
  double left_in(const Bucket& bucket) const;
  void make_room();

  const Clock& clock_;
  mutable std::mutex mutex_;
  std::map<std::string, Bucket> buckets_;  // of addresses that failed
};

}  // namespace souk::partner
