// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace souk::match {

// Which offers are one product: a union-find that never joins offers that a rule keeps apart.
class Partition {
 public:
  explicit Partition(size_t offers);

  // None of these may be joined with another of them. Before the first join.
  void keep_apart(std::span<const uint32_t> offers);

  void join(uint32_t a, uint32_t b);
  // All with one. Of offers that are kept apart the first in its rule stays with those no rule names.
  void join_all(std::span<const uint32_t> offers);

  uint32_t root(uint32_t offer);
  std::vector<uint32_t> roots();  // of every offer

 private:
  bool may_join(uint32_t root_a, uint32_t root_b) const;

  std::vector<uint32_t> parents_, sizes_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> apart_;  // root -> the rules it has an offer of, ascending
  std::unordered_map<uint32_t, uint32_t> order_;               // of offers that rules name
  uint32_t rules_ = 0;
};

}  // namespace souk::match
