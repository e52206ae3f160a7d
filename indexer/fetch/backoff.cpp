// SPDX-License-Identifier: Apache-2.0
#include "indexer/fetch/backoff.h"

#include <algorithm>

#include "core/base/hash.h"

namespace souk::fetch {
namespace {

constexpr int64_t kOne = 1;

int64_t at_least_one(std::chrono::seconds period) {
  return std::max(period.count(), kOne);
}

// The shop's own place in a span: stable, and even over all shops.
int64_t place_in(std::string_view shop, int64_t span) {
  return static_cast<int64_t>(xxh3(shop) % static_cast<uint64_t>(span));
}

int64_t after_success(std::string_view shop, int64_t period, int64_t now) {
  const int64_t earliest = now + (period + 1) / 2;
  const int64_t past = (earliest - place_in(shop, period)) % period;  // since its last place
  return past == 0 ? earliest : earliest + period - past;
}

int64_t after_failures(uint32_t failures, int64_t now, uint64_t random) {
  constexpr uint32_t kDoublings = 20;  // beyond a day; no overflow
  const int64_t span = std::min(kShortestRetry.count() << std::min(failures, kDoublings), kLongestRetry.count()) -
                       kShortestRetry.count();
  return now + kShortestRetry.count() + static_cast<int64_t>(random % static_cast<uint64_t>(span + 1));
}

}  // namespace

int64_t next_fetch_time(std::string_view shop, std::chrono::seconds period, const FetchHistory& history, int64_t now,
                        uint64_t random) {
  const int64_t wished = now + std::clamp(history.retry_after.count(), int64_t{0}, kLongestRetry.count());
  const int64_t planned = history.failures > 0 ? after_failures(history.failures, now, random)
                                               : after_success(shop, at_least_one(period), now);
  return std::max(planned, wished);
}

bool is_time_to_send_anew(uint64_t unmodified, std::chrono::seconds period) {
  const auto seconds = static_cast<uint64_t>(at_least_one(period));
  const uint64_t trusted = static_cast<uint64_t>(kTrustValidators.count()) / seconds;
  return unmodified > 0 && unmodified >= trusted;
}

}  // namespace souk::fetch
