// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "indexer/feed/report.h"

namespace souk::feed {

// The category tree of one feed. The first of several categories with one id counts; a parent that is not there makes a
// root; the categories of a cycle become roots each. A category deeper than kMaxDepth hangs directly below its ancestor
// of level kMaxDepth - 1. Nothing recurses, all work is linear in the number of categories.
class CategoryTree {
 public:
  static constexpr size_t kMaxDepth = 64;

  struct Entry {
    uint64_t line = 0;
    std::string id;
    std::string parent;  // id, empty = a root
    std::string name;
  };

  explicit CategoryTree(Report& report) : report_(report) {}

  void add(Entry entry);
  size_t size() const { return nodes_.size(); }

  // After the last add().
  void link();

  // These after link().
  std::optional<uint32_t> find(std::string_view id) const;
  std::vector<std::string> path(uint32_t category) const;  // names from the root

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Node {
    Entry entry;
    uint32_t parent = kNone;
    uint32_t depth = 0;  // from 1; 0 = not known yet
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  void cut_cycle(uint32_t member);

  Report& report_;
  std::vector<Node> nodes_;
  std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> by_id_;
};

}  // namespace souk::feed
