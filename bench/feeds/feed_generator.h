// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "bench/datasets/random.h"

namespace souk::bench {

// A made-up YML feed of any size, like what a large shop sends: Russian texts, HTML in CDATA, params, pictures; about
// 1.6 KB and 22 elements an offer, half of the bytes Cyrillic. The same for the same size.
class FeedGenerator {
 public:
  explicit FeedGenerator(uint64_t bytes) : bytes_(bytes), random_(1) {}

  // Gives the feed in UTF-8, piece by piece; the declaration says `encoding`. Returns how many offers it has.
  uint64_t run(const std::string& encoding, const std::function<void(std::string_view)>& take);

 private:
  std::string words(uint64_t least, uint64_t most);
  void element(std::string_view name, std::string_view text);
  void head(const std::string& encoding);
  void offer(uint64_t number);
  void description();
  void params();

  const uint64_t bytes_;
  Random random_;
  std::string out_;
};

}  // namespace souk::bench
