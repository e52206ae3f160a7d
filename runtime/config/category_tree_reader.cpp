// SPDX-License-Identifier: Apache-2.0
#include "runtime/config/category_tree_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace souk::config {
namespace {

constexpr size_t kMaxNameBytes = 200;
constexpr size_t kMaxDepth = 32;
constexpr size_t kMaxRules = 10'000;

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

class CategoryTreeReader {
 public:
  explicit CategoryTreeReader(FirstError& errors) : errors_(errors) {}

  std::optional<CategoryTree> read(const ConfigValue* tree, const std::vector<const ConfigValue*>& rules) {
    if (tree == nullptr) {
      if (!rules.empty()) errors_.add(rules.front()->line, "'category_rules' need a [category_tree]");
      return std::nullopt;
    }
    read_tree(*tree);
    if (rules.size() > kMaxRules) {
      errors_.add(rules.front()->line, fmt::format("more than {} rules", kMaxRules));
      return std::nullopt;
    }
    for (const ConfigValue* rule : rules) read_rule(*rule);
    return std::move(tree_);
  }

 private:
  bool is_plain_name(std::string_view name, int line) {
    const bool is_plain = !name.empty() && name.size() <= kMaxNameBytes && std::ranges::none_of(name, [](char c) {
      return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    });
    if (!is_plain) errors_.add(line, "a category's name must be 1 to 200 printable bytes");
    return is_plain;
  }

  // "A > B > C".
  CategoryPath path(std::string_view text, int line) {
    CategoryPath names;
    while (names.size() <= kMaxDepth) {
      const size_t end = std::min(text.find('>'), text.size());
      const std::string_view name = trimmed(text.substr(0, end));
      if (!is_plain_name(name, line)) break;
      names.emplace_back(name);
      if (end == text.size()) break;
      text.remove_prefix(end + 1);
    }
    if (names.size() > kMaxDepth) errors_.add(line, fmt::format("categories nest more than {} deep", kMaxDepth));
    return names;
  }

  void read_tree(const ConfigValue& value) {
    TableReader table(value, "[category_tree]", errors_);
    tree_.other = trimmed(table.text_or("other", tree_.other));
    is_plain_name(tree_.other, table.line_of("other"));
    if (tree_.other.contains('>')) errors_.add(table.line_of("other"), "'other' must be one name, not a path");
    const auto categories = table.texts("categories", true);
    if (categories.size() > kMaxCategories) {
      errors_.add(table.line_of("categories"), fmt::format("more than {} categories", kMaxCategories));
      return;
    }
    std::set<CategoryPath> listed;
    for (const auto& [text, line] : categories) {
      CategoryPath names = path(text, line);
      if (std::ranges::find(names, "*") != names.end()) errors_.add(line, "a category of the tree cannot be '*'");
      if (!listed.insert(names).second) errors_.add(line, fmt::format("the category '{}' is named twice", text));
      for (size_t depth = 1; depth <= names.size(); ++depth) {
        known_.emplace(names.begin(), names.begin() + static_cast<ptrdiff_t>(depth));
      }
      tree_.categories.push_back(std::move(names));
    }
    table.refuse_unknown();
  }

  void read_rule(const ConfigValue& value) {
    TableReader table(value, "[[category_rules]]", errors_);
    CategoryRule rule;
    rule.shop = table.text_or("shop", "");
    if (table.has("shop") && rule.shop.empty()) errors_.add(table.line_of("shop"), "'shop' must be a shop's name");
    rule.from = path(table.text("from"), table.line_of("from"));
    rule.to = path(table.text("to"), table.line_of("to"));
    if (!known_.contains(rule.to)) {
      errors_.add(table.line_of("to"), "'to' must be a category of the tree, written as in [category_tree]");
    }
    table.refuse_unknown();
    tree_.rules.push_back(std::move(rule));
  }

  FirstError& errors_;
  CategoryTree tree_;
  std::set<CategoryPath> known_;  // categories with their ancestors
};

}  // namespace

std::optional<CategoryTree> read_category_tree(const ConfigValue* tree, const std::vector<const ConfigValue*>& rules,
                                               FirstError& errors) {
  return CategoryTreeReader(errors).read(tree, rules);
}

}  // namespace souk::config
