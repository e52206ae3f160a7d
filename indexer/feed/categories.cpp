// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/categories.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "indexer/feed/plain_text.h"

namespace souk::feed {

void CategoryTree::add(Entry entry) {
  const auto [place, is_new] = by_id_.try_emplace(entry.id, static_cast<uint32_t>(nodes_.size()));
  if (!is_new) {
    report_.warn({entry.line,
                  {},
                  "duplicate_category",
                  fmt::format("category {} is there already (line {}); the first one counts", in_quotes(entry.id),
                              nodes_[place->second].entry.line)});
    return;
  }
  nodes_.push_back({std::move(entry)});
}

void CategoryTree::link() {
  for (Node& node : nodes_) {
    if (node.entry.parent.empty()) continue;
    const auto parent = find(node.entry.parent);
    if (parent) {
      node.parent = *parent;
    } else {
      report_.warn({node.entry.line,
                    {},
                    "category_parent_missing",
                    fmt::format("category {} names the parent {}, which is not listed", in_quotes(node.entry.id),
                                in_quotes(node.entry.parent))});
    }
  }
  std::vector<uint32_t> walk_of(nodes_.size(), kNone);  // which walk came by
  std::vector<uint32_t> way;
  for (uint32_t start = 0; start < nodes_.size(); ++start) {
    way.clear();
    uint32_t at = start;
    while (at != kNone && nodes_[at].depth == 0 && walk_of[at] == kNone) {
      walk_of[at] = start;
      way.push_back(at);
      at = nodes_[at].parent;
    }
    if (at != kNone && nodes_[at].depth == 0) cut_cycle(at);
    while (!way.empty()) {
      Node& node = nodes_[way.back()];
      way.pop_back();
      if (node.depth != 0) continue;
      if (node.parent != kNone && nodes_[node.parent].depth == kMaxDepth) node.parent = nodes_[node.parent].parent;
      node.depth = node.parent == kNone ? 1 : nodes_[node.parent].depth + 1;
    }
  }
}

void CategoryTree::cut_cycle(uint32_t member) {
  report_.warn({nodes_[member].entry.line,
                {},
                "category_cycle",
                fmt::format("category {} is its own ancestor; the links of the cycle are dropped",
                            in_quotes(nodes_[member].entry.id))});
  for (uint32_t at = member; at != kNone;) {
    Node& node = nodes_[at];
    at = std::exchange(node.parent, kNone);
    node.depth = 1;
  }
}

std::optional<uint32_t> CategoryTree::find(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> CategoryTree::path(uint32_t category) const {
  std::vector<std::string> names(nodes_[category].depth);
  uint32_t at = category;
  for (size_t i = names.size(); i > 0; --i) {
    names[i - 1] = nodes_[at].entry.name;
    at = nodes_[at].parent;
  }
  return names;
}

}  // namespace souk::feed
