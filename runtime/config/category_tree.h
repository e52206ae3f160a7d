// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace souk::config {

using CategoryPath = std::vector<std::string>;  // names from the root

// Where a shop's categories belong. Of several rules that fit the first one counts.
struct CategoryRule {
  std::string shop;   // by its registered name; empty = any
  CategoryPath from;  // "*" stands for one name; as the last one for any number of names, also none
  CategoryPath to;    // a category of the tree
};

// A tree of the market's own. Names are compared folded by those who use it.
struct CategoryTree {
  std::string other = "other";           // under which the categories hang that no rule maps
  std::vector<CategoryPath> categories;  // their ancestors are in the tree too
  std::vector<CategoryRule> rules;
};

}  // namespace souk::config
