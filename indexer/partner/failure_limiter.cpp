// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/failure_limiter.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

namespace souk::partner {

namespace {

std::string site_of(const std::string& ip) {
  std::array<char, 16> bytes{};
  if (::inet_pton(AF_INET6, ip.c_str(), bytes.data()) != 1) return ip;
  const bool mapped = std::all_of(bytes.begin(), bytes.begin() + 10, [](char c) { return c == 0; }) &&
                      bytes[10] == '\xff' && bytes[11] == '\xff';
  return mapped ? ip : std::string(bytes.data(), 8);
}

}  // namespace

double FailureLimiter::left_in(const Bucket& bucket) const {
  const std::chrono::duration<double> passed = clock_.now() - bucket.at;
  return std::min(kAtOnce, bucket.left + passed / std::chrono::duration<double>(kOneMore));
}

bool FailureLimiter::allows(const std::string& ip) const {
  const std::lock_guard lock(mutex_);
  const auto found = buckets_.find(site_of(ip));
  return found == buckets_.end() || left_in(found->second) >= 1;
}

void FailureLimiter::note_failure(const std::string& ip) {
  const std::lock_guard lock(mutex_);
  const std::string site = site_of(ip);
  auto found = buckets_.find(site);
  if (found == buckets_.end()) {
    make_room();
    found = buckets_.emplace(site, Bucket{kAtOnce, clock_.now()}).first;
  }
  found->second = {std::max(0.0, left_in(found->second) - 1), clock_.now()};
}

void FailureLimiter::make_room() {
  if (buckets_.size() < kAddresses) return;
  std::erase_if(buckets_, [this](const auto& each) { return left_in(each.second) >= kAtOnce; });
  if (buckets_.size() >= kAddresses) buckets_.erase(buckets_.begin());
}

}  // namespace souk::partner
