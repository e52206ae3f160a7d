// SPDX-License-Identifier: Apache-2.0
#include "indexer/match/partition.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace souk::match {

Partition::Partition(size_t offers) : parents_(offers), sizes_(offers, 1) {
  std::iota(parents_.begin(), parents_.end(), 0U);
}

void Partition::keep_apart(std::span<const uint32_t> offers) {
  for (const uint32_t offer : offers) {
    std::vector<uint32_t>& rules = apart_[offer];
    if (rules.empty() || rules.back() != rules_) rules.push_back(rules_);
    order_.try_emplace(offer, static_cast<uint32_t>(order_.size()));
  }
  ++rules_;
}

uint32_t Partition::root(uint32_t offer) {
  while (parents_[offer] != offer) {
    parents_[offer] = parents_[parents_[offer]];
    offer = parents_[offer];
  }
  return offer;
}

bool Partition::may_join(uint32_t root_a, uint32_t root_b) const {
  const auto a = apart_.find(root_a);
  const auto b = apart_.find(root_b);
  if (a == apart_.end() || b == apart_.end()) return true;
  std::vector<uint32_t> common;
  std::ranges::set_intersection(a->second, b->second, std::back_inserter(common));
  return common.empty();
}

void Partition::join(uint32_t a, uint32_t b) {
  a = root(a);
  b = root(b);
  if (a == b || !may_join(a, b)) return;
  if (sizes_[a] < sizes_[b]) std::swap(a, b);
  parents_[b] = a;
  sizes_[a] += sizes_[b];
  const auto moved = apart_.find(b);
  if (moved == apart_.end()) return;
  std::vector<uint32_t> rules = std::move(moved->second);
  apart_.erase(moved);
  std::vector<uint32_t> all;
  std::vector<uint32_t>& kept = apart_[a];
  std::ranges::merge(kept, rules, std::back_inserter(all));
  kept = std::move(all);
}

void Partition::join_all(std::span<const uint32_t> offers) {
  if (offers.size() < 2) return;
  std::vector<std::pair<uint32_t, uint32_t>> named;  // order, offer
  for (const uint32_t offer : offers) {
    const auto known = order_.empty() ? order_.end() : order_.find(offer);
    if (known != order_.end()) named.emplace_back(known->second, offer);
  }
  std::ranges::sort(named);
  const uint32_t first = named.empty() ? offers.front() : named.front().second;
  for (const uint32_t offer : offers) {
    if (!named.empty() && order_.contains(offer)) continue;
    join(first, offer);
  }
  for (const auto& [order, offer] : named) join(first, offer);
}

std::vector<uint32_t> Partition::roots() {
  std::vector<uint32_t> roots(parents_.size());
  for (uint32_t offer = 0; offer < roots.size(); ++offer) roots[offer] = root(offer);
  return roots;
}

}  // namespace souk::match
