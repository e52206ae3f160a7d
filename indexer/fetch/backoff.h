// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace souk::fetch {

// When a shop's feed is fetched: pure functions of unix seconds and of random bits that the caller draws.

constexpr std::chrono::seconds kShortestRetry{60};
constexpr std::chrono::seconds kLongestRetry{86'400};
constexpr std::chrono::seconds kTrustValidators{7 * 86'400};

// How the last fetches went.
struct FetchHistory {
  uint32_t failures = 0;                // in a row
  std::chrono::seconds retry_after{0};  // the server's wish at the last one; at most a day of it is heeded
};

// After a good fetch: once in a period, at the second of it that belongs to this shop, so that shops stay spread out
// whatever happens; half a period passes at least, one and a half at most. After failures: a random time of a span that
// doubles with each, up to a day (exponential backoff with full jitter). Never before retry_after is over.
int64_t next_fetch_time(std::string_view shop, std::chrono::seconds period, const FetchHistory& history, int64_t now,
                        uint64_t random);

// Whether so many answers "not modified" in a row, one a period, are to be believed no longer: some servers never
// change their ETag. The feed is then fetched without validators.
bool is_time_to_send_anew(uint64_t unmodified, std::chrono::seconds period);

}  // namespace souk::fetch
