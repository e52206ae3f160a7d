// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"

namespace souk::partner {

// Who is signed in to the pages. Lives in memory: a restart signs everybody out. Thread-safe.
class Sessions {
 public:
  static constexpr std::chrono::hours kAge{8};
  static constexpr size_t kPerShop = 16;  // beyond, a shop's oldest ends
  static constexpr size_t kMax = 10'000;  // beyond, the oldest of all

  explicit Sessions(const Clock& clock) : clock_(clock) {}

  std::string begin(const std::string& shop);  // a random id, for the cookie
  std::optional<std::string> shop_of(std::string_view id) const;
  void end(std::string_view id);
  void end_all(std::string_view shop);
  size_t size() const;

 private:
  struct Session {
    std::string shop;
    SteadyTime until;
    uint64_t order = 0;
  };
  void make_room(std::string_view shop);
  void end_oldest(std::string_view shop, size_t most);  // empty = of all shops

  const Clock& clock_;
  mutable std::mutex mutex_;
  // By the id's hash: how long a look-up takes tells nothing of the ids.
  std::map<std::string, Session, std::less<>> sessions_;
  uint64_t begun_ = 0;
};

}  // namespace souk::partner
