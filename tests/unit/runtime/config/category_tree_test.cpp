// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "runtime/config/market.h"

namespace souk::config {
namespace {

std::string refusal(const std::string& text) {
  const auto market = parse_market(text, "m.toml");
  return market ? "accepted" : market.error().message;
}

TEST(CategoryTree, IsRead) {
  const auto market = parse_market(R"([category_tree]
other = "Прочее"
categories = ["Игрушки > Мягкие", " Дом "]
[[category_rules]]
from = "Shop A > Toys > *"
shop = "north"
to = "Игрушки > Мягкие"
[[category_rules]]
from = "*"
to = "Игрушки"
)",
                                   "m.toml");
  ASSERT_TRUE(market) << to_string(market.error());
  ASSERT_TRUE(market->category_tree);
  const CategoryTree& tree = *market->category_tree;
  EXPECT_EQ(tree.other, "Прочее");
  EXPECT_EQ(tree.categories, (std::vector<CategoryPath>{{"Игрушки", "Мягкие"}, {"Дом"}}));
  ASSERT_EQ(tree.rules.size(), 2U);
  EXPECT_EQ(tree.rules[0].shop, "north");
  EXPECT_EQ(tree.rules[0].from, (CategoryPath{"Shop A", "Toys", "*"}));
  EXPECT_EQ(tree.rules[0].to, (CategoryPath{"Игрушки", "Мягкие"}));
  EXPECT_EQ(tree.rules[1].shop, "");
  EXPECT_EQ(tree.rules[1].to, (CategoryPath{"Игрушки"}));
}

TEST(CategoryTree, NoneByDefault) {
  EXPECT_FALSE(parse_market("", "m.toml")->category_tree);
  EXPECT_EQ(parse_market("[category_tree]\ncategories = [\"A\"]\n", "m.toml")->category_tree->other, "other");
}

TEST(CategoryTree, IsRefusedWithLineAndReason) {
  const std::string tree = "[category_tree]\ncategories = [\"A > B\"]\n";
  EXPECT_EQ(refusal("[[category_rules]]\nfrom = \"A\"\nto = \"B\"\n"),
            "m.toml:1: 'category_rules' need a [category_tree]");
  EXPECT_EQ(refusal(tree + "[[category_rules]]\nfrom = \"X\"\nto = \"B\"\n"),
            "m.toml:5: 'to' must be a category of the tree, written as in [category_tree]");
  EXPECT_NE(refusal(tree + "[[category_rules]]\nfrom = \"X >\"\nto = \"A\"\n").find("m.toml:4: "), std::string::npos);
  EXPECT_NE(refusal(tree + "[[category_rules]]\nfrom = \"X\"\nto = \"A\"\nwhy = 1\n").find("m.toml:6: "),
            std::string::npos);
  EXPECT_NE(refusal(tree + "[[category_rules]]\nto = \"A\"\n").find("from"), std::string::npos);
  EXPECT_NE(refusal(tree + "other = \"A > B\"\n").find("one name"), std::string::npos);
  EXPECT_NE(refusal(tree + "other = \"\"\n"), "accepted");
  EXPECT_NE(refusal("[category_tree]\ncategories = []\n"), "accepted");
  EXPECT_NE(refusal("[category_tree]\n"), "accepted");
  EXPECT_NE(refusal("[category_tree]\ncategories = [\"A\", \"A\"]\n").find("named twice"), std::string::npos);
  EXPECT_NE(refusal("[category_tree]\ncategories = [\"A > *\"]\n").find("'*'"), std::string::npos);
  std::string deep = "A";
  for (int i = 0; i < 32; ++i) deep += " > A";
  EXPECT_NE(refusal("[category_tree]\ncategories = [\"" + deep + "\"]\n").find("deep"), std::string::npos);
}

}  // namespace
}  // namespace souk::config
