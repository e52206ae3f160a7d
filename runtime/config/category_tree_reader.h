// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "runtime/config/category_tree.h"
#include "runtime/config/table_reader.h"

namespace souk::config {

inline constexpr size_t kMaxCategories = 10'000;

// Reads [category_tree] and [[category_rules]] of the market; without the table (nullptr) rules are refused. Internal
// to runtime/config.
std::optional<CategoryTree> read_category_tree(const ConfigValue* tree, const std::vector<const ConfigValue*>& rules,
                                               FirstError& errors);

}  // namespace souk::config
