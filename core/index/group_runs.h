// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace souk::index {

// Which group a document is of, from where the groups begin: a bit per document, set where one begins, and how many are
// set before each 64. Fewer bytes and cache misses than a column: 1.5 bits a document.
class GroupRuns {
 public:
  GroupRuns() = default;
  // begins ascend from 0 to the number of documents.
  explicit GroupRuns(std::span<const uint32_t> begins) {
    starts_.resize(begins.back() / 64 + 1);
    before_.resize(starts_.size());
    for (const uint32_t begin : begins.first(begins.size() - 1)) starts_[begin / 64] |= uint64_t{1} << (begin % 64);
    uint32_t before = 0;
    for (size_t word = 0; word < starts_.size(); ++word) {
      before_[word] = before;
      before += static_cast<uint32_t>(std::popcount(starts_[word]));
    }
  }

  uint32_t group_of(uint32_t doc) const {
    const uint64_t upto = starts_[doc / 64] << (63 - doc % 64);
    return before_[doc / 64] + static_cast<uint32_t>(std::popcount(upto)) - 1;
  }

 private:
  std::vector<uint64_t> starts_;
  std::vector<uint32_t> before_;
};

}  // namespace souk::index
